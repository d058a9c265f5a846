/** What the store refuses and what a rollback leaves: real database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountWithWebhook, subscribe } from '../../../../testing/support/alerts.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import type { Hex } from '../../lib/hex.ts'
import { takeLease } from '../../platform/leases.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { saveContract } from '../registry/contracts.ts'
import { findBackfillRequest, saveBackfillRequest } from './backfill-jobs.ts'
import { type Fence, LeaseLostError, StaleStepError, type WatchStore } from './watch-store.ts'
import { createWatchStore } from './watch-store-pg.ts'

const { database } = await createTestDatabase()

const NOW = Date.parse('2026-03-01T00:00:00Z')
const hash = (number: number, branch = 'a'): Hex => `0x${branch}${String(number).padStart(63, '0')}`
const block = (number: number, branch = 'a') => ({ number, hash: hash(number, branch), time: NOW + number * 1_000 })
const address = (n: number): Hex => `0x${String(n).padStart(40, '0')}`
const event = (blockNumber: number, branch = 'a'): EventRecord => ({
  blockNumber,
  blockHash: hash(blockNumber, branch),
  blockTime: block(blockNumber).time,
  txHash: hash(blockNumber, 'f'),
  logIndex: 0,
  address: address(blockNumber),
  key: 'pause.paused',
  category: 'pause',
  severity: 'high',
  args: {},
  isInit: false,
  subject: undefined,
})

type Started = { readonly store: WatchStore; readonly fence: Fence; readonly other: Fence }

let chains = 5_000
/** A chain with blocks 7 to 10, a job over blocks 1 to 10, and the fence of a process that lost the lease. */
async function start(): Promise<Started & { readonly chainId: number }> {
  const chainId = chains++
  const take = (holder: string): Promise<Fence | undefined> => takeLease(database, `watch:${chainId}`, holder, 0)
  const [other, fence] = [await take('other'), await take('me')]
  assert.ok(fence !== undefined && other !== undefined)
  const store = createWatchStore({ database }, chainId)
  const job = { scope: 'chainwide', addresses: [], from: 1, to: 10, announce: false } as const
  await store.start(fence, { window: [7, 8, 9, 10].map((number) => block(number)), startBlock: 1, jobs: [job] })
  return { chainId, store, fence, other }
}

const NOTHING = { events: [], facts: [], discovered: [] } as const
const next = { ...NOTHING, blocks: [block(11)], pruneBelow: 0 }

/** Every step of the follower, planned on a cursor. */
const following = (
  store: WatchStore,
  fence: Fence,
  after = block(10),
): Readonly<Record<string, () => Promise<unknown>>> => ({
  extendHistory: () => store.extendHistory(fence, { after, startBlock: 0, blocks: [], jobs: [] }),
  startWatching: () => store.startWatching(fence, { after, contracts: [], jobs: [] }),
  alertAtHead: () => store.alertAtHead(fence, { after, blocks: [block(11)], events: [] }),
  rollBack: () => store.rollBack(fence, { from: after, to: block(9) }),
  advance: () => store.advance(fence, { ...next, after }),
  handOver: () => store.handOver(fence, { after, to: block(20), jobs: [] }),
})

test('a process that lost the lease cannot write', async () => {
  const { store, other } = await start()
  const [job] = await store.getJobs()
  assert.ok(job)
  const steps = {
    ...following(store, other),
    start: () => store.start(other, { window: [block(1)], startBlock: 1, jobs: [] }),
    stopWatching: () => store.stopWatching(other),
    advanceSecondPass: () => store.advanceSecondPass(other, { ...NOTHING, after: 10, to: 10, reorgs: 0 }),
    advanceJob: () => store.advanceJob(other, { ...NOTHING, job, next: 5, phase: 'read', reorgs: 0 }),
  }
  for (const [name, step] of Object.entries(steps)) await assert.rejects(step, LeaseLostError, name)
})

test('a step of the follower is refused if the cursor is another block, also at the same height', async () => {
  const { store, fence } = await start()
  for (const after of [block(9), block(10, 'b')])
    for (const [name, step] of Object.entries(following(store, fence, after)))
      await assert.rejects(step, StaleStepError, `${name} after ${after.hash}`)
})

test('what was read before a reorg is refused after it', async () => {
  const { store, fence } = await start()
  const [job] = await store.getJobs()
  assert.ok(job)
  await store.rollBack(fence, { from: block(10), to: block(9) })
  const found = { ...NOTHING, events: [event(9)] }
  await assert.rejects(store.advanceSecondPass(fence, { ...found, after: 9, to: 9, reorgs: 0 }), StaleStepError)
  await assert.rejects(store.advanceJob(fence, { ...found, job, next: 10, phase: 'read', reorgs: 0 }), StaleStepError)
  assert.deepEqual([...(await store.getIdentities(0, 20))], [])
  assert.deepEqual(await store.getJobs(), [job])
})

test('a range of a job and of the second pass is stored once', async () => {
  const { store, fence } = await start()
  const [job] = await store.getJobs()
  assert.ok(job)
  const step = { ...NOTHING, job, next: 5, phase: 'read', reorgs: 0 } as const
  await store.advanceJob(fence, step)
  await assert.rejects(store.advanceJob(fence, step), StaleStepError)
  const verifying = { ...job, next: 5 }
  await store.advanceJob(fence, { ...step, job: verifying, next: 1, phase: 'verify' })
  await assert.rejects(store.advanceJob(fence, { ...step, job: { ...job, next: 1 } }), StaleStepError, 'other phase')
  await store.advance(fence, { ...next, after: block(10) })
  await store.advanceSecondPass(fence, { ...NOTHING, after: 10, to: 11, reorgs: 0 })
  await assert.rejects(store.advanceSecondPass(fence, { ...NOTHING, after: 10, to: 11, reorgs: 0 }), StaleStepError)
})

test('a rollback removes what the replaced blocks showed, and nothing else', async () => {
  const { chainId, store, fence } = await start()
  for (const number of [11, 12]) await saveContract(database, { chainId, address: address(number) })
  const fact = (n: number, absentUntil: number, presentFrom: number) => ({
    address: address(n),
    absentUntil,
    presentFrom,
    txHash: hash(n, 'e'),
  })
  await store.advance(fence, {
    ...next,
    after: block(10),
    blocks: [block(11), block(12)],
    events: [event(11), event(12)],
    facts: [fact(1, 9, 10), fact(2, 11, 12)],
  })
  await store.advanceSecondPass(fence, { ...NOTHING, after: 10, to: 12, reorgs: 0 })
  await store.rollBack(fence, { from: block(12), to: block(11) })
  const state = await store.findState()
  assert.deepEqual(
    [state?.cursor, state?.verifiedTo, state?.reorgs, state?.window.map(({ number }) => number)],
    [block(11), 11, 1, [7, 8, 9, 10, 11]],
  )
  assert.deepEqual([...(await store.getIdentities(0, 20))], ['11:0'])
  const polls = await database.query(sql`select block_number from poll_request where event_chain_id = $1`, [chainId])
  assert.deepEqual(polls.rows, [{ block_number: 11 }])
  assert.deepEqual(await store.getFacts([address(1), address(2)]), [
    fact(1, 9, 10),
    { ...fact(2, 11, 12), presentFrom: undefined, txHash: undefined },
  ])
})

/** A chain at block 10 with an open alert of block 11, and whether it is open still. */
async function startWithAlert(branch: string): Promise<Started & { readonly isOpen: () => Promise<boolean> }> {
  const started = await start()
  const { chainId, store, fence } = started
  const account = await accountWithWebhook(database)
  await subscribe(database, account, { chainId, address: address(11) }, { alertAt: 'head' })
  const events = [event(11, branch)]
  assert.equal(await store.alertAtHead(fence, { after: block(10), blocks: [block(11, branch)], events }), 1)
  const isOpen = async (): Promise<boolean> => {
    const { rows } = await database.query<{ isOpen: boolean }>(
      sql`select confirmed_at is null and retracted_at is null as "isOpen" from alert_event where chain_id = $1`,
      [chainId],
    )
    assert.equal(rows.length, 1)
    return rows[0]?.isOpen === true
  }
  return { ...started, isOpen }
}

const gap = (from: number) => ({ scope: 'gap', addresses: [], from, to: 20, announce: true }) as const

test('storing a block retracts the alerts of the block that it replaced', async () => {
  const { store, fence, isOpen } = await startWithAlert('b')
  await store.advance(fence, { ...next, after: block(10) })
  assert.equal(await isOpen(), false)
})

test('an event that the first pass missed has an open alert until the second pass has verified its block', async () => {
  const { store, fence, isOpen } = await startWithAlert('a')
  await store.advance(fence, { ...next, after: block(10) })
  assert.equal(await isOpen(), true)
  await store.advanceSecondPass(fence, { ...NOTHING, after: 10, to: 11, reorgs: 0 })
  assert.equal(await isOpen(), false)
})

test('a handover retracts the alerts of blocks that no job reads', async () => {
  const { store, fence, isOpen } = await startWithAlert('a')
  await store.handOver(fence, { after: block(10), to: block(20), jobs: [gap(12)] })
  assert.equal(await isOpen(), false)
})

test('an alert in a gap is open until its job has verified the gap without the event', async () => {
  const { store, fence, isOpen } = await startWithAlert('a')
  await store.handOver(fence, { after: block(10), to: block(20), jobs: [gap(11)] })
  const job = (await store.getJobs()).find(({ scope }) => scope === 'gap')
  assert.ok(job)
  const step = { ...NOTHING, job, next: 11, phase: 'verify', reorgs: 0 } as const
  await store.advanceJob(fence, step)
  assert.equal(await isOpen(), true)
  await store.advanceJob(fence, { ...step, job: { ...job, phase: 'verify' }, next: 21, phase: 'done' })
  assert.equal(await isOpen(), false)
})

test('the window keeps its oldest block', async () => {
  const { store, fence } = await start()
  await store.advance(fence, { ...next, after: block(10), pruneBelow: 9 })
  assert.deepEqual(
    (await store.findState())?.window.map(({ number }) => number),
    [9, 10, 11],
  )
})

test('the earliest backfill request counts, and stays if it came while history was extended', async () => {
  const { chainId, store, fence } = await start()
  for (const from of [20, 10, 30]) await saveBackfillRequest(database, chainId, from)
  assert.equal(await findBackfillRequest(database, chainId), 10)
  const step = { after: block(10), blocks: [], jobs: [] }
  await store.extendHistory(fence, { ...step, startBlock: 15 })
  assert.equal(await findBackfillRequest(database, chainId), 10)
  await store.extendHistory(fence, { ...step, startBlock: 10 })
  assert.equal(await findBackfillRequest(database, chainId), undefined)
})
