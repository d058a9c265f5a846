import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexOf, storeEvent } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import type { ContractKind } from '../../../../vocabulary/contract-kinds.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import type { Hex } from '../../lib/hex.ts'
import { toBytes } from '../../lib/hex.ts'
import { sql } from '../../platform/sql.ts'
import { getEvents } from '../feed/feed.ts'
import { getPublications } from '../feed/publications.ts'
import { unprofiled } from '../profile/profile.ts'
import { saveContract } from '../registry/contracts.ts'
import { getPollRequests } from '../registry/poll-requests.ts'
import { findSnapshot, getContractsByLastPoll, getProfiles, type PollRecord, savePoll } from './profile-store.ts'

const { database } = await createTestDatabase()

let height = 100
/** Stores a poll that finds nothing except what is given. */
async function storePoll(
  address: Hex,
  { stale = false, label = 'multisig', ...given }: Partial<PollRecord> & { stale?: boolean; label?: Label } = {},
): Promise<void> {
  height += 1
  const ref = { chainId: 1, address }
  await savePoll(database, {
    ...ref,
    block: { number: height, hash: hexOf(height, 32), time: Date.now() },
    fields: {},
    since: (await findSnapshot(database, ref))?.polledBlock,
    events: [],
    profile: { ...unprofiled(ref), label, stale, reasons: [] },
    cause: [],
    controllers: [],
    ...given,
  })
}

test('a stale poll is repeated after a minute, then at growing intervals', async () => {
  const [whole, stale] = [hexOf(1, 20), hexOf(2, 20)]
  for (const address of [whole, stale]) await saveContract(database, { chainId: 1, address })
  const hourAgo = () => new Date(Date.now() - 3_600_000)
  const due = () => getContractsByLastPoll(database, 1, hourAgo())
  const pass = async (seconds: number) => {
    await database.query(sql`update contract set last_checked_at = last_checked_at - $1 * interval '1 second'`, [
      seconds,
    ])
    await database.query(sql`update control_profile set stale_since = stale_since - $1 * interval '1 second'`, [
      seconds,
    ])
  }
  const waits = async (seconds: number): Promise<void> => {
    await pass(seconds - 10)
    assert.deepEqual(await due(), [], `before ${seconds} seconds`)
    await pass(20)
    assert.deepEqual(await due(), [stale], `after ${seconds} seconds`)
  }
  assert.deepEqual(await due(), [whole, stale], 'never polled')
  await storePoll(whole)
  await storePoll(stale, { stale: true, fields: undefined })
  assert.deepEqual(await due(), [])
  for (const seconds of [60, 70, 150, 310]) {
    await waits(seconds)
    await storePoll(stale, { stale: true, fields: undefined })
  }
  await storePoll(stale)
  await pass(2_000)
  assert.deepEqual(await due(), [], 'read again, it waits for its turn')
  await storePoll(whole)
  await storePoll(stale, { stale: true })
  await waits(60)
  const isOverdue = async (address: Hex) => (await getProfiles(database, 1, [address])).get(address)?.isOverdue
  assert.deepEqual([await isOverdue(whole), await isOverdue(stale)], [null, false])
  await pass(3_600)
  assert.deepEqual([await isOverdue(whole), await isOverdue(stale)], [null, true])
  await database.query(sql`delete from contract where address = any($1)`, [[whole, stale].map(toBytes)])
})

const lowered = (at: number) =>
  ({
    txHash: hexOf(at, 32),
    logIndex: 0,
    key: 'slot.safe_threshold_changed',
    category: 'multisig',
    severity: 'critical',
    args: { field: 'safeThreshold', previous: '2', current: '1' },
  }) as const
const causedBy = (at: number, blockNumber: number) => ({
  chainId: 1,
  blockNumber,
  txHash: hexOf(at, 32),
  logIndex: 0,
  eventKey: 'slot.safe_threshold_changed',
})

test('a silent change requests polls of the contracts that depend on it, on every chain, and of no others', async () => {
  const [council, held, overThere, unrelated] = [hexOf(11, 20), hexOf(12, 20), hexOf(13, 20), hexOf(14, 20)]
  const sources = [{ chainId: 1, address: council }]
  await storePoll(council)
  await storePoll(held, { sources })
  await storePoll(overThere, { chainId: 10, since: undefined, sources })
  await storePoll(unrelated)
  await storePoll(council, { events: [lowered(1)] })
  const events = async (chainId: number, address: Hex) =>
    ((await getPollRequests(database, chainId, [address])).get(address) ?? []).map(({ event }) => event)
  assert.deepEqual(await events(1, held), [causedBy(1, height)])
  assert.deepEqual(await events(10, overThere), [causedBy(1, height)])
  assert.deepEqual(await events(1, unrelated), [])
  assert.deepEqual(await events(1, council), [], 'it was just polled')
})

test('a label change by a silent change of another contract has it as its cause, in either order of polls', async () => {
  const [council, before, after] = [hexOf(21, 20), hexOf(22, 20), hexOf(23, 20)]
  const sources = [{ chainId: 1, address: council }]
  await storePoll(council)
  for (const address of [before, after]) await storePoll(address, { sources })
  await storePoll(before, { sources, label: 'single_key' })
  await storePoll(council, { events: [lowered(2)] })
  const at = height
  await storePoll(after, { sources, label: 'single_key' })
  const causes = async (address: Hex) => {
    const { rows } = await database.query<{ cause: readonly object[] }>(
      sql`select cause from control_profile_change where address = $1 order by id`,
      [toBytes(address)],
    )
    return rows.map(({ cause }) => cause)
  }
  assert.deepEqual(await causes(before), [[], [causedBy(2, at)]])
  assert.deepEqual(await causes(after), [[], [causedBy(2, at)]])
  await storePoll(before, { sources, label: 'single_key' }) // as the event requests
  await storePoll(before, { sources, label: 'unknown' })
  await storePoll(after, { sources, label: 'unknown' })
  assert.deepEqual((await causes(before)).at(-1), [], 'what was seen before is the cause of nothing now')
  assert.deepEqual((await causes(after)).at(-1), [])
})

test('stored events take the names of the kind that a poll finds', async () => {
  const ref = { chainId: 1, address: hexOf(0xad1, 20) }
  await saveContract(database, ref)
  const admin = hexOf(5, 20)
  await storeEvent(database, ref, { key: 'vyper.new_admin', category: 'ownership', args: { admin } })
  await storeEvent(database, ref, { key: 'vyper.new_admin', category: 'ownership', args: { decode: 'mismatch' } })
  await storeEvent(database, ref)
  const read = () => getEvents(database, { address: ref.address, includeInit: true }, { limit: 10 })
  const before = await read()
  const poll = (kind: ContractKind) => storePoll(ref.address, { profile: { ...unprofiled(ref), reasons: [], kind } })
  await poll('unknown')
  assert.deepEqual(await read(), before)
  await poll('timelock_compound')
  const after = await read()
  assert.deepEqual(
    after.map(({ id, eventKey, category, args }) => ({ id, eventKey, category, args })),
    before.map(({ id, eventKey, category, args }) =>
      'admin' in args
        ? { id, eventKey: 'timelock.new_admin', category: 'timelock', args: { newAdmin: admin } }
        : { id, eventKey, category, args },
    ),
  )
  const { rows } = await database.query(
    sql`select k.key, c.total from event_count c join event_kind k on k.id = c.kind_id
     where address = $1 and total > 0 order by k.key`,
    [toBytes(ref.address)],
  )
  assert.deepEqual(rows, [
    { key: 'proxy.upgraded', total: 1 },
    { key: 'timelock.new_admin', total: 1 },
    { key: 'vyper.new_admin', total: 1 },
  ])
  const { events } = await getPublications(
    database,
    { address: ref.address, includeInit: true },
    { after: { position: 0 }, limit: 10 },
  )
  assert.deepEqual(
    events.slice(-2).map(({ id, eventKey, isRetracted }) => [id, eventKey, isRetracted]),
    [
      [events.at(-1)?.id, 'vyper.new_admin', true],
      [events.at(-1)?.id, 'timelock.new_admin', false],
    ],
  )
})
