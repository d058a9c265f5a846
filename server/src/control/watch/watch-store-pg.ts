/**
 * The watcher's store in PostgreSQL.
 *
 * Every write is one transaction with two locks. The lease row is locked first (`holdsLease`), so that no other process
 * takes over before the commit. The follower locks the cursor row first; the second pass and the backfill check it last,
 * so that a long insert of history blocks the follower only during its commit.
 */

import { type Hex, toBytes, toDigits, toHex, toHexOrUndefined } from '../../lib/hex.ts'
import { type Database, type DatabaseClient, inTransaction, type Queryable } from '../../platform/database.ts'
import { holdsLease } from '../../platform/leases.ts'
import { sql } from '../../platform/sql.ts'
import { alertAtHead, hasUnconfirmed, retractOverdue } from '../alerts/head-alerts.ts'
import type { EventRecord } from '../catalog/catalog.ts'
import { copyEvents, deleteEventsAbove, getIdentities, hasEvents, insertEvents } from '../feed/events.ts'
import { getRoleClasses } from '../poll/role-classes.ts'
import { rollBackPolls } from '../poll/roll-back-polls.ts'
import {
  deleteBackfillRequest,
  findBackfillRequest,
  findLimit,
  getJobs,
  insertJobs,
  saveLimit,
  updateJob,
} from './backfill-jobs.ts'
import { ownerChange } from './safe-signers.ts'
import {
  type BlockRef,
  type ChainState,
  type CreationFact,
  type Fence,
  type Job,
  LeaseLostError,
  type PendingContract,
  StaleStepError,
  type StoredBlock,
  type WatchedContract,
  type WatchStore,
} from './watch-store.ts'

export function createWatchStore({ database }: { readonly database: Database }, chainId: number): WatchStore {
  const fenced = <T>(fence: Fence, work: (client: DatabaseClient) => Promise<T>): Promise<T> =>
    inTransaction(database, async (client) => {
      if (!(await holdsLease(client, fence))) throw new LeaseLostError(fence.name)
      return await work(client)
    })

  /** For the follower: locks the cursor and checks that it is at `after`. */
  const lockCursor = async (client: Queryable, after: BlockRef): Promise<void> => {
    const { rows } = await client.query<{ number: number; hash: Buffer }>(
      sql`select number, hash from chain_cursor where chain_id = $1 for update`,
      [chainId],
    )
    const row = rows[0]
    if (row === undefined || row.number !== after.number || toHex(row.hash) !== after.hash)
      throw new StaleStepError(`chain ${chainId}: the cursor is no longer at block ${after.number}`)
  }

  /** For the backfill, as the last step: checks that no reorg happened, and locks out reorgs until the commit. */
  const checkReorgs = async (client: Queryable, reorgs: number): Promise<void> => {
    const { rows } = await client.query<{ reorgs: number }>(
      sql`select reorgs from chain_cursor where chain_id = $1 for share`,
      [chainId],
    )
    if (rows[0]?.reorgs !== reorgs) throw new StaleStepError(`chain ${chainId}: a reorg happened meanwhile`)
  }

  const moveCursor = (client: Queryable, to: BlockRef): Promise<unknown> =>
    client.query({
      name: 'move_cursor',
      text: sql`update chain_cursor set number = $2, hash = $3, updated_at = now() where chain_id = $1`,
      values: [chainId, to.number, toBytes(to.hash)],
    })

  const insertBlocks = (client: Queryable, blocks: readonly StoredBlock[]): Promise<unknown> =>
    client.query({
      name: 'insert_blocks',
      text: sql`insert into chain_block (chain_id, number, hash, time)
             select $1, b.number, decode(b.hash, 'hex'), timestamptz 'epoch' + b.time * interval '1 millisecond'
             from unnest($2::bigint[], $3::text[], $4::bigint[]) as b (number, hash, time)`,
      values: [
        chainId,
        blocks.map((block) => block.number),
        blocks.map((block) => toDigits(block.hash)),
        blocks.map((block) => block.time),
      ],
    })

  return {
    findState: () => findState(database, chainId),
    getWatched: async () => {
      const { rows } = await database.query<ContractRow>(
        sql`select address, kind from contract where chain_id = $1 and watch_state in ('changed', 'watched', 'expiring')`,
        [chainId],
      )
      return rows.map(toWatched)
    },
    getPending: async () => {
      const { rows } = await database.query<ContractRow & { is_new: boolean; deploy_block: number | null }>({
        name: 'get_pending_contracts',
        text: sql`select address, kind, watch_state = 'new' as is_new,
                 case jsonb_typeof(metadata -> 'deployBlock') when 'number' then (metadata -> 'deployBlock')::bigint end
                   as deploy_block
               from contract
               where chain_id = $1 and watch_state in ('new', 'changed') order by id limit 1000`,
        values: [chainId],
      })
      return rows.map(
        (row): PendingContract => ({
          ...toWatched(row),
          isNew: row.is_new,
          deployBlock: row.deploy_block ?? undefined,
        }),
      )
    },
    getReferenced: async (addresses) => {
      const { rows } = await database.query<{ address: Buffer }>({
        name: 'get_referenced_contracts',
        text: sql`with recursive reached as (
                 select a.address as root, $1::int as chain_id, a.address from unnest($2::bytea[]) as a (address)
                 union
                 select r.root, k.chain_id, k.address from reached r
                   join contract_controller k on k.controller_chain_id = r.chain_id and k.controller = r.address
               )
               select distinct r.root as address from reached r
               where exists (select from subscription s where s.chain_id = r.chain_id and s.address = r.address)
                 or exists (select from contract c where c.chain_id = r.chain_id and c.address = r.address
                   and (c.source <> 'discovered' or c.protocol_id is not null or c.edited <> '{}'))`,
        values: [chainId, addresses.map(toBytes)],
      })
      return new Set(rows.map(({ address }) => toHex(address)))
    },
    getControllers: async (addresses) => {
      const { rows } = await database.query<{ address: Buffer; controllers: Buffer[] }>({
        name: 'get_controllers',
        text: sql`select address, array_agg(controller) as controllers from contract_controller
               where chain_id = $1 and address = any($2) and controller_chain_id = $1 group by address`,
        values: [chainId, addresses.map(toBytes)],
      })
      return new Map(rows.map(({ address, controllers }) => [toHex(address), new Set(controllers.map(toHex))]))
    },
    getControlledSafes: async (accounts) => {
      const { rows } = await database.query<{ controller: Buffer; safes: Buffer[] }>({
        name: 'get_controlled_safes',
        text: sql`select k.controller, array_agg(k.address) as safes
               from contract_controller k join contract c on c.chain_id = k.chain_id and c.address = k.address
               where k.controller_chain_id = $1 and k.controller = any($2) and k.chain_id = $1 and c.kind = 'safe'
               group by k.controller having count(*) <= $3`,
        values: [chainId, accounts.map(toBytes), MAX_CONTROLLED_SAFES],
      })
      return new Map(rows.map(({ controller, safes }) => [toHex(controller), safes.map(toHex)]))
    },
    getOwnerChanges: async (safe, to) => {
      const { rows } = await database.query<{ key: string; owner: string | null; block_time: Date }>({
        name: 'get_owner_changes',
        text: sql`select k.key, e.args ->> 'owner' as owner, e.block_time
               from control_event e join event_kind k on k.id = e.kind_id
               where e.address = $2 and e.chain_id = $1 and e.block_time <= $3 and not e.is_init
                 and k.key in ('safe.added_owner', 'safe.removed_owner', 'safe.owners_replaced')
               order by e.block_number desc, e.log_index desc limit $4`,
        values: [chainId, toBytes(safe), new Date(to), MAX_OWNER_CHANGES],
      })
      return rows.toReversed().flatMap(({ key, owner, block_time: time }) => ownerChange(key, owner, time.getTime()))
    },
    getFacts: (addresses) => getFacts(database, chainId, addresses),
    getJobs: () => getJobs(database, chainId),
    findBackfillRequest: () => findBackfillRequest(database, chainId),
    findLimit: (key) => findLimit(database, chainId, key),
    saveLimit: (key, limit) => saveLimit(database, chainId, key, limit),
    getIdentities: (from, to) => getIdentities(database, chainId, from, to),
    getRoleClasses: (roles) => getRoleClasses(database, chainId, roles),

    start: (fence, { window, startBlock, jobs }) =>
      fenced(fence, async (client) => {
        const cursor = window.at(-1)
        if (cursor === undefined) throw new RangeError('the window is empty')
        const { rowCount } = await client.query(
          sql`insert into chain_cursor (chain_id, number, hash, start_block, verified_to) values ($1, $2, $3, $4, $2)
           on conflict do nothing`,
          [chainId, cursor.number, toBytes(cursor.hash), startBlock],
        )
        if (rowCount !== 1) throw new StaleStepError(`chain ${chainId}: already started`)
        await insertBlocks(client, window)
        await insertJobs(client, chainId, jobs)
      }),
    extendHistory: (fence, { after, startBlock, blocks, jobs }) =>
      fenced(fence, async (client) => {
        await lockCursor(client, after)
        await client.query(sql`update chain_cursor set start_block = $2 where chain_id = $1`, [chainId, startBlock])
        await insertBlocks(client, blocks)
        await insertJobs(client, chainId, jobs)
        await deleteBackfillRequest(client, chainId, startBlock)
      }),
    startWatching: (fence, { after, contracts, jobs }) =>
      fenced(fence, async (client) => {
        await lockCursor(client, after)
        await client.query(
          sql`update contract set watch_state = 'watched'
           from unnest($2::text[]) as pending (digits)
           where chain_id = $1 and address = decode(pending.digits, 'hex') and watch_state in ('new', 'changed')`,
          [chainId, contracts.map((contract) => toDigits(contract.address))],
        )
        await insertJobs(client, chainId, jobs)
      }),
    stopWatching: (fence) =>
      fenced(fence, async (client) => {
        const { rows } = await client.query<{ address: Buffer }>({
          name: 'stop_watching',
          text: sql`update contract set watch_state = 'expired' where chain_id = $1 and watch_state = 'expiring'
                 returning address`,
          values: [chainId],
        })
        return rows.map(({ address }) => toHex(address))
      }),
    advance: (fence, { after, blocks, events, facts, pruneBelow, discovered }) =>
      fenced(fence, async (client) => {
        const last = blocks.at(-1)
        if (last === undefined) return
        await lockCursor(client, after)
        await insertEvents(client, chainId, events, true)
        await mergeFacts(client, chainId, facts)
        await insertBlocks(client, blocks)
        await client.query({
          name: 'prune_blocks',
          text: sql`delete from chain_block where chain_id = $1 and number < $2`,
          values: [chainId, Math.min(pruneBelow, last.number)],
        })
        await moveCursor(client, last)
        await retractOverdue(client, chainId)
        await discover(client, chainId, discovered)
      }),
    alertAtHead: (fence, { after, blocks, events }) =>
      fenced(fence, async (client) => {
        await lockCursor(client, after)
        return await alertAtHead(client, chainId, { cursor: after.number, blocks, events })
      }),
    rollBack: (fence, { from, to }) =>
      fenced(fence, async (client) => {
        await lockCursor(client, from)
        const { rows } = await client.query<{ time: Date }>(
          sql`select time from chain_block where chain_id = $1 and number = $2 and hash = $3`,
          [chainId, to.number, toBytes(to.hash)],
        )
        const time = rows[0]?.time
        if (time === undefined) throw new StaleStepError(`chain ${chainId}: block ${to.number} is not in the window`)
        await deleteEventsAbove(client, chainId, { number: to.number, time: time.getTime() })
        await rollBackPolls(client, chainId, to.number)
        await rollBackFacts(client, chainId, to.number)
        await client.query(sql`delete from chain_block where chain_id = $1 and number > $2`, [chainId, to.number])
        await client.query(
          sql`update chain_cursor set reorgs = reorgs + 1, verified_to = least(verified_to, $2) where chain_id = $1`,
          [chainId, to.number],
        )
        await moveCursor(client, to)
      }),
    handOver: (fence, { after, to, jobs }) =>
      fenced(fence, async (client) => {
        await lockCursor(client, after)
        await insertBlocks(client, [to])
        await insertJobs(client, chainId, jobs)
        await client.query(sql`update chain_cursor set verified_to = $2 where chain_id = $1`, [chainId, to.number])
        await moveCursor(client, to)
        await retractOverdue(client, chainId)
      }),
    advanceSecondPass: (fence, { after, to, reorgs, events, facts, discovered }) =>
      fenced(fence, async (client) => {
        await insertEvents(client, chainId, events, true)
        await mergeFacts(client, chainId, facts)
        await discover(client, chainId, discovered)
        const { rowCount } = await client.query({
          name: 'advance_second_pass',
          text: sql`update chain_cursor set verified_to = $4 where chain_id = $1 and verified_to = $2 and reorgs = $3`,
          values: [chainId, after, reorgs, to],
        })
        if (rowCount !== 1) throw new StaleStepError(`chain ${chainId}: the second pass is no longer at block ${after}`)
        await retractOverdue(client, chainId)
      }),
    advanceJob: (fence, { job, next, phase, reorgs, events, facts, discovered }) =>
      fenced(fence, async (client) => {
        // After a crash the job's position is lost too, and the range is read again. Alerts must not be sent twice.
        if (!job.announce) await client.query(sql`set local synchronous_commit = off`)
        const inserted = await insertHistory(client, chainId, job, events)
        await mergeFacts(client, chainId, facts)
        await discover(client, chainId, discovered)
        if (!(await updateJob(client, job, { next, phase, events: inserted })))
          throw new StaleStepError(`chain ${chainId}: job ${job.id} is no longer at block ${job.next}`)
        await checkReorgs(client, reorgs)
        if (job.scope === 'gap' && phase === 'done') await retractOverdue(client, chainId)
      }),
  }
}

/** From this number of events on, COPY is faster than INSERT. */
const COPY_FROM = 200

/** Each is read for a transaction: a module that many Safes share would keep the endpoints busy. */
const MAX_CONTROLLED_SAFES = 20

/** Changes of the owners of one Safe that are compared. */
const MAX_OWNER_CHANGES = 1_000

async function insertHistory(
  client: DatabaseClient,
  chainId: number,
  job: Job,
  events: readonly EventRecord[],
): Promise<number> {
  const [first, last] = [events[0], events.at(-1)]
  if (job.announce || first === undefined || last === undefined || events.length < COPY_FROM)
    return await insertEvents(client, chainId, events, job.announce)
  const range = [first.blockNumber, last.blockNumber] as const
  if ((await hasEvents(client, chainId, ...range)) || (await hasUnconfirmed(client, chainId, ...range)))
    return await insertEvents(client, chainId, events, false)
  return await copyEvents(client, chainId, events)
}

type ContractRow = { address: Buffer; kind: string }
const toWatched = ({ address, kind }: ContractRow): WatchedContract => ({ address: toHex(address), kind })

async function findState(database: Database, chainId: number): Promise<ChainState | undefined> {
  // One statement reads one snapshot, so that cursor and window match.
  const { rows } = await database.query<{
    start_block: number
    verified_to: number
    reorgs: number
    number: number
    hash: Buffer
    time: Date
  }>(
    sql`select c.start_block, c.verified_to, c.reorgs, b.number, b.hash, b.time
     from chain_cursor c join chain_block b on b.chain_id = c.chain_id and b.number <= c.number
     where c.chain_id = $1 order by b.number`,
    [chainId],
  )
  const last = rows.at(-1)
  if (last === undefined) return undefined
  const window = rows.map(({ number, hash, time }) => ({ number, hash: toHex(hash), time: time.getTime() }))
  return {
    cursor: window.at(-1) as StoredBlock,
    startBlock: last.start_block,
    verifiedTo: last.verified_to,
    reorgs: last.reorgs,
    window,
  }
}

/** Sorted, as every statement that adds contracts: two transactions that add the same ones would deadlock. */
async function discover(client: Queryable, chainId: number, addresses: readonly Hex[]): Promise<void> {
  if (addresses.length === 0) return
  await client.query(
    sql`insert into contract (chain_id, address, source)
     select $1, decode(found.digits, 'hex'), 'discovered' from unnest($2::text[]) as found (digits) order by 2
     on conflict do nothing`,
    [chainId, addresses.map(toDigits)],
  )
  await client.query(
    sql`select revive_contracts(array_fill($1::int, array[cardinality($2::text[])]),
       array(select decode(digits, 'hex') from unnest($2::text[]) as digits))`,
    [chainId, addresses.map(toDigits)],
  )
}

type Row = { address: Buffer; absent_until: number | null; present_from: number | null; tx_hash: Buffer | null }

async function getFacts(
  database: Queryable,
  chainId: number,
  addresses: readonly Hex[],
): Promise<readonly CreationFact[]> {
  if (addresses.length === 0) return []
  const { rows } = await database.query<Row>({
    name: 'get_creation_facts',
    text: sql`select c.address, c.absent_until, c.present_from, c.tx_hash
           from unnest($2::text[]) as wanted (digits)
           join contract_creation c on c.chain_id = $1 and c.address = decode(wanted.digits, 'hex')`,
    values: [chainId, addresses.map(toDigits)],
  })
  return rows.map((row) => ({
    address: toHex(row.address),
    absentUntil: row.absent_until ?? undefined,
    presentFrom: row.present_from ?? undefined,
    txHash: toHexOrUndefined(row.tx_hash),
  }))
}

/** Merges facts with the stored ones. The bounds only narrow, so the order of writes does not matter. */
async function mergeFacts(client: Queryable, chainId: number, facts: readonly CreationFact[]): Promise<void> {
  if (facts.length === 0) return
  await client.query({
    name: 'merge_creation_facts',
    text: sql`
      insert into contract_creation as known (chain_id, address, absent_until, present_from, tx_hash)
      select $1, decode(f.address, 'hex'), f.absent_until, f.present_from, decode(f.tx_hash, 'hex')
      from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) as f (address, absent_until, present_from, tx_hash)
      order by 2
      on conflict (chain_id, address) do update set
        absent_until = greatest(known.absent_until, excluded.absent_until),
        present_from = least(known.present_from, excluded.present_from),
        tx_hash = coalesce(excluded.tx_hash, known.tx_hash)`,
    values: [
      chainId,
      facts.map((fact) => toDigits(fact.address)),
      facts.map((fact) => fact.absentUntil ?? null),
      facts.map((fact) => fact.presentFrom ?? null),
      facts.map((fact) => (fact.txHash === undefined ? null : toDigits(fact.txHash))),
    ],
  })
}

/** Keeps what holds after every block above `to` was rolled back. */
async function rollBackFacts(client: Queryable, chainId: number, to: number): Promise<void> {
  await client.query({
    name: 'roll_back_creation_facts',
    text: sql`
      update contract_creation set
        absent_until = case when absent_until is not null then least(absent_until, $2) end, -- least() skips nulls
        present_from = case when present_from <= $2 then present_from end,
        tx_hash = case when present_from <= $2 then tx_hash end
      where chain_id = $1 and (absent_until > $2 or present_from > $2)`,
    values: [chainId, to],
  })
}
