import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexOf } from '../../../test/support/control-records.ts'
import { createTestDatabase } from '../../../test/support/database.ts'
import type { Hex } from '../node/parse.ts'
import { toBytes } from './bytes.ts'
import { saveContract } from './contracts.ts'
import { findSnapshot, getContractsByLook, type Look, saveLook } from './profiles.ts'

const { database } = await createTestDatabase()

let height = 100
/** A look that finds nothing, except what is given. */
async function look(address: Hex, given: Partial<Look> & { readonly stale?: boolean } = {}): Promise<void> {
  height += 1
  const place = { chainId: 1, address }
  await saveLook(database, {
    ...place,
    block: { number: height, hash: hexOf(height, 32), time: Date.now() },
    fields: {},
    since: (await findSnapshot(database, place))?.seenBlock,
    events: [],
    profile: { label: 'multisig', kind: 'unknown', stale: given.stale ?? false, reasons: [], tree: {} },
    cause: [],
    controllers: [],
    ...given,
  })
}

test('a look that could not read all is made again after a minute, then less and less often', async () => {
  const [whole, stale] = [hexOf(1, 20), hexOf(2, 20)]
  for (const address of [whole, stale]) await saveContract(database, { chainId: 1, address })
  const hourAgo = () => new Date(Date.now() - 3_600_000)
  const due = () => getContractsByLook(database, 1, hourAgo())
  const pass = async (seconds: number) => {
    await database.query(`update contract set last_checked_at = last_checked_at - $1 * interval '1 second'`, [seconds])
    await database.query(`update control_profile set stale_since = stale_since - $1 * interval '1 second'`, [seconds])
  }
  const waits = async (seconds: number): Promise<void> => {
    await pass(seconds - 10)
    assert.deepEqual(await due(), [], `before ${seconds} seconds`)
    await pass(20)
    assert.deepEqual(await due(), [stale], `after ${seconds} seconds`)
  }
  assert.deepEqual(await due(), [whole, stale], 'never looked at')
  await look(whole)
  await look(stale, { stale: true, fields: undefined })
  assert.deepEqual(await due(), [])
  for (const seconds of [60, 70, 150, 310]) {
    await waits(seconds)
    await look(stale, { stale: true, fields: undefined })
  }
  await look(stale)
  await pass(2_000)
  assert.deepEqual(await due(), [], 'read again, it waits for its turn')
  await look(whole)
  await look(stale, { stale: true })
  await waits(60)
  await database.query('delete from contract where address = any($1)', [[whole, stale].map(toBytes)])
})
