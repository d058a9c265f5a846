import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexOf } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { unprofiled } from '../profile/profile.ts'
import { findProfileVersion, getVersionTimes, saveProfileVersion } from './profile-versions.ts'
import { rollBackPolls, rollBackPollsOf } from './roll-back-polls.ts'

const { database } = await createTestDatabase()

type Given = { readonly label?: Label; readonly stale?: boolean; readonly reasons?: readonly Reason[] }

/** Stores the profile of a poll, and returns the blocks of all versions, oldest first. */
async function poll(seed: number, block: number, { label = 'multisig', stale = false, reasons = [] }: Given = {}) {
  const ref = { chainId: 1, address: hexOf(seed, 20) }
  const profile = { ...unprofiled(ref), label, stale, reasons }
  await saveProfileVersion(database, { ...ref, block: { number: block, hash: hexOf(block, 32) }, profile })
  return await blocksOf(seed)
}

const blocksOf = async (seed: number): Promise<number[]> =>
  (await getVersionTimes(database, { chainId: 1, address: hexOf(seed, 20) }, 100))
    .map(({ blockNumber }) => blockNumber)
    .toReversed()

test('a version is stored for each change of the profile', async () => {
  assert.deepEqual(await poll(1, 10), [10])
  assert.deepEqual(await poll(1, 11), [10])
  assert.deepEqual(await poll(1, 12, { reasons: [{ code: 'not_a_proxy' }] }), [10, 12])
  assert.deepEqual(await poll(1, 13), [10, 12, 13])
})

test('a poll that could not read everything makes a version only if the label changed', async () => {
  assert.deepEqual(await poll(2, 10), [10])
  assert.deepEqual(await poll(2, 11, { stale: true }), [10])
  assert.deepEqual(await poll(2, 12, { stale: true, label: 'unknown' }), [10, 12])
})

test('the version at a block is the last one until then, and a rollback removes those above', async () => {
  const ref = { chainId: 1, address: hexOf(3, 20) }
  await poll(3, 10)
  await poll(3, 20, { label: 'single_key' })
  await poll(3, 30, { label: 'timelocked' })
  const labelAt = async (block: number) => (await findProfileVersion(database, ref, { block }))?.label
  assert.deepEqual(await Promise.all([9, 10, 19, 20, 99].map(labelAt)), [
    undefined,
    'multisig',
    'multisig',
    'single_key',
    'timelocked',
  ])
  assert.equal((await findProfileVersion(database, ref, { time: new Date(Date.now() + 60_000) }))?.label, 'timelocked')
  assert.equal(await findProfileVersion(database, ref, { time: new Date(0) }), undefined)
  await rollBackPollsOf(database, ref, { number: 20, hash: undefined })
  assert.deepEqual(await blocksOf(3), [10, 20])
  await rollBackPolls(database, 1, 10)
  assert.deepEqual(await blocksOf(3), [10])
  assert.deepEqual(await blocksOf(1), [10])
})
