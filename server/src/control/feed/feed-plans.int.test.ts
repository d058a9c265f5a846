/** Every combination of the feed's filters reads an index, and no more rows than it needs. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { looseSql } from '../../../../testing/support/loose-sql.ts'
import { CATEGORIES } from '../../../../vocabulary/categories.ts'
import type { Hex } from '../../lib/hex.ts'
import { inTransaction, type Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'
import { addEventKinds } from './event-kinds.ts'
import { type FeedFilter, type FeedPosition, getEvents } from './feed.ts'
import { getPublications } from './publications.ts'

const { database } = await createTestDatabase()

const BUSY: Hex = '0x00000000000000000000000000000000000000b1'
/** 30,000 events over five years, few of which match the filters below. */
await addEventKinds(database, [
  { key: 'rare.key', category: 'governance' },
  { key: 'ahead.key', category: 'pause' },
  ...(['upgrade', 'pause', 'access', 'upgrade', 'pause'] as const).map((category, n) => ({
    key: `common.key_${n}`,
    category,
  })),
])
await database.query(
  looseSql`insert into control_event (publication_id, chain_id, announced, block_number, block_time, tx_hash, log_index, address,
     kind_id, category_id, severity, is_init, args)
   select 1000000 + n / 50, case when n % 3000 = 7 then 56 when n % 2 = 0 then 1 else 10 end, false, n,
     timestamptz '2022-01-01Z' + n * interval '1 hour', sha256(int8send(n)), 0,
     case when n % 3 = 1 then decode('${BUSY.slice(2)}', 'hex') else substring(sha256(int8send(n % 500)) for 20) end,
     k.id, c.id,
     case when n % 750 = 7 then 2 else n % 2 end, n % 4 = 1 and n % 750 <> 7, '{}'
   from generate_series(1, 30000) as n
   join event_kind k on k.key = case when n % 1500 = 7 then 'rare.key' else 'common.key_' || n % 5 end
   join event_category c on c.name = k.category order by n`,
)
/** Enough contracts for the planner to prefer a scan, if it could choose a join. */
await database.query(
  sql`insert into contract (chain_id, address, kind, source)
   select 1 + n % 2 * 9, substring(sha256(int8send(n)) for 20), 'unknown', 'seed' from generate_series(0, 9999) as n`,
)
await database.query(sql`vacuum analyze`)

/** Empty partitions, which the feed checks once for each page. */
const year = new Date().getUTCFullYear()
const FUTURE_PARTITIONS = [
  'control_event_late',
  ...Array.from({ length: 20 }, (_, n) => `control_event_${year + 1 + n}`),
]

/** Eight pages in time order, and rows of partitions that vacuum may not have finished. */
const NEWEST_ROWS = 9 * 51

type Reads = { readonly scans: number; readonly scanned: number; readonly fetched: number; readonly indexScans: number }

async function countedReads(client: Queryable, table: string): Promise<Reads> {
  const { rows } = await client.query<Reads>(
    sql`select coalesce(sum(seq_scan), 0)::int as scans, coalesce(sum(seq_tup_read), 0)::int as scanned,
       coalesce(sum(idx_tup_fetch), 0)::int as fetched, coalesce(sum(idx_scan), 0)::int as "indexScans"
     from pg_stat_xact_user_tables where relname like $1 and relname <> all($2)`,
    [table, FUTURE_PARTITIONS],
  )
  return rows[0] as Reads
}

const readsOf = (filter: FeedFilter, after?: FeedPosition, table = 'control_event%'): Promise<Reads> =>
  countReads(table, (client) => getEvents(client, filter, { after, limit: 51 }))

/** Counts what a statement reads, with the statistics of its transaction. */
async function countReads(table: string, read: (client: Queryable) => Promise<unknown>): Promise<Reads> {
  return await inTransaction(database, async (client) => {
    const before = await countedReads(client, table)
    await read(client)
    const { scans, scanned, fetched, indexScans } = await countedReads(client, table)
    return {
      scans: scans - before.scans,
      scanned: scanned - before.scanned,
      fetched: fetched - before.fetched,
      indexScans: indexScans - before.indexScans,
    }
  })
}

const either = <T>(value: T): readonly (T | undefined)[] => [undefined, value]
const filters: FeedFilter[] = either(56).flatMap((chainId) =>
  either(BUSY).flatMap((address) =>
    either('critical' as const).flatMap((minSeverity) =>
      either('rare.key').flatMap((key) =>
        either('governance' as const).flatMap((category) =>
          [false, true].map((includeInit) => ({ chainId, address, minSeverity, key, category, includeInit })),
        ),
      ),
    ),
  ),
)

test('all 64 filter combinations read an index and no unneeded rows, on the first page and on a later one', async () => {
  assert.equal(filters.length, 64)
  for (const filter of filters)
    for (const after of [undefined, { blockTime: Date.parse('2024-06-01Z'), id: 20_000 }]) {
      const { scans, scanned, fetched } = await readsOf(filter, after)
      const what = JSON.stringify({ filter, after })
      assert.deepEqual([scans, scanned], [0, 0], what)
      // A few rows of each feed key, and a page from each of a dozen keys.
      assert.ok(fetched <= 1_200, `${what}: ${fetched} rows read`)
    }
})

test('all 64 filter combinations read a limited number of rows forward, from the beginning and from a later position', async () => {
  const { rows } = await database.query<{ position: number }>(sql`select position from publication order by position`)
  assert.equal(rows.length, 601)
  const [middle, last] = [rows[300]?.position ?? 0, rows.at(-1)?.position ?? 0]
  for (const filter of filters)
    for (const position of [0, middle, last]) {
      const read = (client: Queryable): Promise<unknown> =>
        getPublications(client, filter, { after: { position }, limit: 51 })
      const events = await countReads('control_event%', read)
      const what: string = JSON.stringify({ filter, position })
      assert.deepEqual([events.scans, events.scanned], [0, 0], what)
      assert.ok(events.fetched <= (position === last ? 0 : 2_100), `${what}: ${events.fetched} rows read`)
      const publications = await countReads('publication', read)
      assert.equal(publications.scans, 0, what)
      assert.ok(publications.fetched <= 2_000, `${what}: ${publications.fetched} publications read`)
    }
})

test('contract names are read only for the events of a page', async () => {
  for (const filter of filters) {
    const { scans, fetched } = await readsOf(filter, undefined, 'contract')
    assert.equal(scans, 0, JSON.stringify(filter))
    assert.ok(fetched <= 51, `${JSON.stringify(filter)}: ${fetched} contracts read`)
  }
})

test('an event of a future year is found', async () => {
  const ahead = new Date(Date.UTC(year + 3, 5))
  await inTransaction(database, async (client) => {
    await client.query(
      looseSql`insert into control_event (chain_id, announced, block_number, block_time, tx_hash, log_index, address, kind_id,
         category_id, severity, is_init, args)
       select 1, false, 40000, $1, sha256('ahead'), 0, decode('${BUSY.slice(2)}', 'hex'), k.id, c.id, 1, false, '{}'
       from event_kind k join event_category c on c.name = k.category where k.key = 'ahead.key'`,
      [ahead],
    )
    for (const filter of [{}, { key: 'ahead.key' }, { address: BUSY }] as const) {
      const [first] = await getEvents(client, { includeInit: false, ...filter }, { limit: 1 })
      assert.deepEqual(first?.blockTime, ahead, JSON.stringify(filter))
    }
    await client.query(sql`delete from control_event where block_number = 40000`)
  })
})

test('a filter that an address never matched reads only its newest events', async () => {
  for (const filter of [{ key: 'never.seen' }, { category: 'token_admin' as const }, { chainId: 137 }]) {
    const { scans, fetched } = await readsOf({ address: BUSY, includeInit: true, ...filter })
    assert.equal(scans, 0)
    assert.ok(fetched <= NEWEST_ROWS, `${JSON.stringify(filter)}: ${fetched} rows read`)
  }
})

test('an unfiltered page and the page of a contract are read in time order', async () => {
  for (const filter of [
    { includeInit: true },
    { includeInit: false },
    { address: BUSY, chainId: 1, includeInit: true },
  ]) {
    const { indexScans, fetched } = await readsOf(filter)
    assert.ok(indexScans <= 4, `${JSON.stringify(filter)}: ${indexScans} scans of an index`)
    assert.ok(fetched <= NEWEST_ROWS, `${JSON.stringify(filter)}: ${fetched} rows read`)
  }
})

test('the categories of the database equal those of the vocabulary', async () => {
  const { rows } = await database.query(sql`select id, name from event_category order by id`)
  assert.deepEqual(
    rows,
    CATEGORIES.map((name, id) => ({ id, name })),
  )
})
