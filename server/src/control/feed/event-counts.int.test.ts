/** Compares event counts with a recount of the events, after random inserts, reorgs and moves in any commit order. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import type { Category } from '../../../../vocabulary/categories.ts'
import { SEVERITIES } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import { toBytes } from '../../lib/hex.ts'
import { type DatabaseClient, inTransaction } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { type ContractRef, findProtocol, saveContract } from '../registry/contracts.ts'
import { getEventCounts } from '../views/contract-view.ts'
import { getProtocolContracts } from '../views/protocol-view.ts'
import { copyEvents, deleteEventsAbove, insertEvents } from './events.ts'

const { database } = await createTestDatabase()
const random = seededRandom(31)
const hex = (n: number, bytes: number): Hex => `0x${n.toString(16).padStart(bytes * 2, '0')}`

const CHAINS = [1, 10]
const PROTOCOLS = ['One', 'Two']
const contracts: ContractRef[] = CHAINS.flatMap((chainId) => [1, 2, 3].map((n) => ({ chainId, address: hex(n, 20) })))
const KEYS: readonly (readonly [string, Category])[] = [
  ['proxy.upgraded', 'upgrade'],
  ['pause.paused', 'pause'],
  ['safe.added_owner', 'multisig'],
]
const HOUR = 3_600_000
const now = Date.now()
const since = new Date(now - 30 * 24 * HOUR)
/** Times around the start of the window, within it, long before it, and in the future. */
const STARTS = [now - 900 * 24 * HOUR, since.getTime() - 2 * HOUR, since.getTime() - 40_000, now - HOUR, now + HOUR]

for (const [n, contract] of contracts.entries())
  await saveContract(database, contract, { protocol: PROTOCOLS[n % 2] as string })

/** Block times never decrease. */
const heads = new Map(CHAINS.map((chainId) => [chainId, { number: 0, time: STARTS[0] as number }]))

function nextEvents(chainId: number): EventRecord[] {
  const head = heads.get(chainId) as { number: number; time: number }
  return Array.from({ length: 1 + random.below(12) }, () => {
    head.number += 1
    const leap = STARTS.find((start) => start > head.time)
    head.time = leap !== undefined && random.chance(0.05) ? leap : head.time + random.below(20) * 1_000
    const [key, category] = random.pick(KEYS)
    const isInit = random.chance(0.2)
    return {
      blockNumber: head.number,
      blockTime: Math.floor(head.time / 1_000) * 1_000,
      blockHash: hex(head.number, 32),
      txHash: hex(head.number, 32),
      logIndex: 0,
      address: hex(1 + random.below(4), 20), // the fourth is not registered
      subject: undefined,
      key,
      category,
      severity: isInit ? 'info' : random.pick(SEVERITIES),
      isInit,
      args: {},
    }
  })
}

async function insertSome(client: DatabaseClient): Promise<void> {
  const chainId = random.pick(CHAINS)
  const events = nextEvents(chainId)
  if (random.chance(0.5)) await copyEvents(client, chainId, events)
  else await insertEvents(client, chainId, events, random.chance(0.5))
}

/** Rolls back to a stored block, as the watcher does. */
async function rewind(client: DatabaseClient): Promise<void> {
  const chainId = random.pick(CHAINS)
  const { rows } = await client.query<{ block_number: number; block_time: Date }>(
    sql`select block_number, block_time from control_event where chain_id = $1 order by block_number desc offset $2 limit 1`,
    [chainId, 1 + random.below(30)],
  )
  const [to] = rows
  if (to === undefined) return
  await deleteEventsAbove(client, chainId, { number: to.block_number, time: to.block_time.getTime() })
  heads.set(chainId, { number: to.block_number, time: to.block_time.getTime() })
}

const move = (): Promise<boolean> =>
  saveContract(database, random.pick(contracts), { protocol: random.pick(PROTOCOLS) })

/** Counts rows. */
async function recounted(): Promise<unknown> {
  const { rows: keys } = await database.query(
    sql`select chain_id, address, k.key as event_key, count(*) as total, count(*) filter (where is_init) as init
     from control_event e join event_kind k on k.id = e.kind_id group by 1, 2, 3 order by 1, 2, 3`,
  )
  const { rows: members } = await database.query(
    sql`with stored as materialized (select * from control_event)
     select p.label, c.chain_id, c.address, count(e.id) as events, count(e.id) filter (where e.severity = 2) as critical,
       (array_agg(n.id order by n.block_time desc, n.id desc))[1] as last
     from contract c join protocol p on p.id = c.protocol_id
     left join stored e on e.chain_id = c.chain_id and e.address = c.address and not e.is_init and e.block_time >= $1
     left join lateral (select id, block_time from stored n where n.chain_id = c.chain_id and n.address = c.address
       order by block_time desc, id desc limit 1) as n on true
     group by 1, 2, 3 order by 1, 2, 3`,
    [since],
  )
  return { keys, members }
}

async function storedCounts(): Promise<unknown> {
  const keys: object[] = []
  for (const chainId of CHAINS)
    for (const address of [1, 2, 3, 4].map((n) => hex(n, 20)))
      for (const { eventKey, total, init, real } of await getEventCounts(database, { chainId, address })) {
        assert.equal(real, total - init)
        keys.push({ chain_id: chainId, address: toBytes(address), event_key: eventKey, total, init })
      }
  const members: object[] = []
  for (const label of PROTOCOLS) {
    const protocol = await findProtocol(database, label)
    for (const contract of await getProtocolContracts(database, protocol?.id ?? 0, since)) {
      const { chainId, address, events, critical, lastEventId } = contract
      members.push({ label, chain_id: chainId, address: toBytes(address), events, critical, last: lastEventId })
    }
  }
  return { keys: sorted(keys), members: sorted(members) }
}

const sorted = (rows: readonly object[]): readonly object[] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

async function assertEqualToRecount(what: string): Promise<void> {
  const { keys, members } = (await recounted()) as { keys: object[]; members: object[] }
  assert.deepEqual(await storedCounts(), { keys: sorted(keys), members: sorted(members) }, what)
}

test('event counts equal a recount after inserts, copies, reorgs and moves', async () => {
  for (let step = 0; step < 300; step++) {
    const roll = random.next()
    if (roll < 0.7) await inTransaction(database, insertSome)
    else if (roll < 0.9) await inTransaction(database, rewind)
    else await move()
    if (step % 10 === 9) await assertEqualToRecount(`step ${step}`)
  }
  const { rows } = await database.query(sql`select from event_count_pending`)
  assert.equal(rows.length, 0, 'without concurrency every statement merges its own counts')
})

test('a concurrent merge of event counts blocks no one and changes no result', async () => {
  for (let round = 0; round < 15; round++) {
    const [slow, fast] = [await database.connect(), await database.connect()]
    try {
      await slow.query(sql`begin`)
      await slow.query(sql`select pg_advisory_xact_lock(7438031)`)
      await fast.query(sql`set lock_timeout = '10s'`)
      for (let step = 0; step < 4; step++) {
        await fast.query(sql`begin`)
        await (random.chance(0.6) ? insertSome(fast) : rewind(fast))
        await fast.query(sql`commit`)
        await assertEqualToRecount(`pending, round ${round}`)
      }
      await insertSome(slow)
      await slow.query(random.chance(0.8) ? sql`commit` : sql`rollback`)
      await assertEqualToRecount(`folded, round ${round}`)
    } finally {
      slow.release()
      fast.release()
    }
  }
})

test('a backfill and the follower of the head do not deadlock on one contract', async () => {
  const [job, follower] = [await database.connect(), await database.connect()]
  const cursor = sql`select from chain_cursor where chain_id = 1`
  await database.query(
    sql`insert into chain_cursor (chain_id, number, hash, start_block, verified_to) values (1, 1, '', 0, 1)`,
  )
  try {
    await job.query(sql`begin`)
    await follower.query(sql`begin`)
    await follower.query(sql`${cursor} for update`)
    await insertEvents(job, 1, nextEvents(1), false)
    const waiting = job.query(sql`${cursor} for share`)
    await insertEvents(follower, 1, nextEvents(1), true)
    await follower.query(sql`commit`)
    await waiting
    await job.query(sql`commit`)
  } finally {
    job.release()
    follower.release()
  }
  await assertEqualToRecount('both committed')
})

test('a recount from the events gives the same counts', async () => {
  const before = await storedCounts()
  await database.query(sql`select recount_events()`)
  assert.deepEqual(await storedCounts(), before)
})

test('a retracted critical event and a lesser one in the same hour leave no critical count', async () => {
  const contract: ContractRef = { chainId: 56, address: hex(9, 20) }
  await saveContract(database, contract, { protocol: 'Three' })
  const at = (blockNumber: number, severity: (typeof SEVERITIES)[number]): EventRecord => ({
    blockNumber,
    blockTime: Math.floor(now / HOUR) * HOUR,
    blockHash: hex(blockNumber, 32),
    txHash: hex(blockNumber, 32),
    logIndex: 0,
    address: contract.address,
    subject: undefined,
    key: 'proxy.upgraded',
    category: 'upgrade',
    severity,
    isInit: false,
    args: {},
  })
  const insert = (event: EventRecord) =>
    inTransaction(database, (client) => insertEvents(client, contract.chainId, [event], true))
  await insert(at(1, 'critical'))
  const busy = await database.connect()
  await busy.query(sql`begin; select pg_advisory_xact_lock(7438031)`)
  await inTransaction(database, (client) => deleteEventsAbove(client, contract.chainId, { number: 0, time: 0 }))
  await busy.query(sql`commit`)
  busy.release()
  await insert(at(2, 'high'))
  const protocol = await findProtocol(database, 'Three')
  const [figures] = await getProtocolContracts(database, protocol?.id ?? 0, since)
  assert.deepEqual([figures?.events, figures?.critical], [1, 0])
})
