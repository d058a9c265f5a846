/**
 * The data of `api.ts`: events of 50,000 contracts on six chains, generated inside the database.
 *
 * Uneven like real history: one contract has a sixteenth of all events, one protocol a fifth of all contracts, and some
 * keys, categories and severities are rare, on one chain the rarest. The same seed generates the same rows.
 */

import { CHAINS, findChain } from '../server/src/control/chains/chains.ts'
import { addEventKinds } from '../server/src/control/feed/event-kinds.ts'
import { allowLongWork, type Database } from '../server/src/platform/database.ts'
import { looseSql } from '../testing/support/loose-sql.ts'
import { CATEGORIES } from '../vocabulary/categories.ts'

export const CONTRACTS = 50_000
/** There are twenty events with this key, all critical, all on one chain. */
export const RARE_KEY = 'bench.rare'
export const [COMMON_CATEGORY, RARE_CATEGORY] = ['upgrade', 'governance'] as const
export const [COMMON_CHAIN, RARE_CHAIN] = ['ethereum', 'bnb'] as const
/** A typical protocol is as large as the largest of the registry. */
export const [TYPICAL_PROTOCOL, LARGE_PROTOCOL, HUGE_PROTOCOL] = ['bench-77', 'bench-large', 'bench-huge'] as const
const [LARGE_PROTOCOL_CONTRACTS, HUGE_PROTOCOL_CONTRACTS] = [500, 10_000]
const PROTOCOLS = 1_000
/** About the size of the catalog. */
const KEYS_OF_CATEGORY = 50
const YEARS = '4 years'

/** A pseudo-random number from the row's number and a purpose: at least 0, below `below`. */
const roll = (n: string, seed: number, below: number): string =>
  `(((hashint8extended(${n}, ${seed}) % ${below}) + ${below}) % ${below})::int`

const array = (values: readonly (string | number)[]): string =>
  `(array[${values.map((value) => (typeof value === 'string' ? `'${value}'` : value)).join(', ')}])`

/** The address of the n-th contract. The first one is the busiest, on the common chain. */
const addressOf = (n: string): string => `substring(sha256(int8send(${n}::bigint)) for 20)`

export async function loadContracts(database: Database): Promise<void> {
  await database.query(
    looseSql`insert into protocol (label, slug)
     select 'Bench ' || n, 'bench-' || n from generate_series(0, ${PROTOCOLS - 1}) as n
     union all values ('Bench Large', '${LARGE_PROTOCOL}'), ('Bench Huge', '${HUGE_PROTOCOL}')`,
  )
  await database.query(
    looseSql`insert into contract (chain_id, address, kind, name, protocol_id, source, last_checked_at, watch_state)
     select ${array(CHAINS.map(({ id }) => id))}[1 + (n - 1) % ${CHAINS.length}], ${addressOf('n')}, 'proxy_transparent', 'Contract ' || n, p.id, 'seed', now(), 'watched'
     from generate_series(1, ${CONTRACTS}) as n
     join protocol p on p.slug = case when n <= ${HUGE_PROTOCOL_CONTRACTS} then '${HUGE_PROTOCOL}'
       when n <= ${HUGE_PROTOCOL_CONTRACTS + LARGE_PROTOCOL_CONTRACTS} then '${LARGE_PROTOCOL}' else 'bench-' || n % ${PROTOCOLS} end`,
  )
  await database.query(
    looseSql`insert into control_profile (chain_id, address, label, kind, stale, reasons, tree, block_number)
     select chain_id, address, ${array(['immutable', 'single_key', 'multisig', 'timelocked', 'short_timelock'])}[1 + id % 5],
       kind, false, '[{"code": "several_paths"}, {"code": "no_delay"}]',
       json_build_object('chainId', chain_id, 'address', '0x' || encode(address, 'hex'), 'account', json_build_object('kind', 'unjudged'), 'paths', '{}'::text[]), 1
     from contract`,
  )
  await database.query(
    looseSql`insert into control_snapshot (chain_id, address, block_number, block_hash, polled_block, fields)
     select chain_id, address, 1, sha256(address), 1, jsonb_build_object('implementation', '0x' || encode(address, 'hex'))
     from contract`,
  )
}

/**
 * Loads events number `from` to `to`. Indexes and event counts are built afterwards, because building them row by row would
 * take most of the time; `watch.ts` measures a backfill.
 */
export async function loadEvents(database: Database, from: number, to: number): Promise<void> {
  const client = await database.connect()
  try {
    await allowLongWork(client, 'session')
    await client.query(looseSql`set maintenance_work_mem = '512MB'; set synchronous_commit = off`)
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      looseSql`select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
       from pg_index where indrelid = 'control_event'::regclass`,
    )
    for (const { name } of indexes) await client.query(looseSql`drop index ${name}`)
    await addEventKinds(client, [{ key: RARE_KEY, category: 'upgrade' }, ...KINDS])
    await client.query(looseSql`alter table control_event disable trigger user`)
    for (let first = from; first <= to; first += CHUNK)
      await client.query(EVENTS, [first, Math.min(to, first + CHUNK - 1)])
    for (const { definition } of indexes) await client.query(looseSql(definition.replace(' ON ONLY ', ' ON ')))
    await client.query(looseSql`alter table control_event enable trigger user`)
    await client.query(looseSql`select recount_events()`)
    await client.query(
      looseSql`insert into publication (id, events, first_time, last_time)
       select publication_id, count(*), min(block_time), max(block_time) from control_event
       where publication_id between (select coalesce(max(id), 0) + 1 from publication where id < ${CHANGES_FROM})
         and ${CHANGES_FROM - 1} group by 1 order by 1`,
    )
    await client.query(looseSql`vacuum analyze`)
    // Otherwise the loaded pages are written while requests are measured, and every commit waits for the disk.
    await client.query(looseSql`checkpoint`)
  } finally {
    client.release(true)
  }
}

const KINDS = CATEGORIES.flatMap((category) =>
  Array.from({ length: KEYS_OF_CATEGORY }, (_, n) => ({ key: `bench.${category}_${n + 1}`, category })),
)

const CHUNK = 250_000
/** As many as a backfill stores at once. */
const EVENTS_OF_PUBLICATION = 1_000

export type Found = { readonly chain: number; readonly address: string }

/** The contract with most events, its most common key of the common category, and some contracts with few events. */
export async function findAddresses(
  database: Database,
): Promise<{ readonly busy: readonly Found[]; readonly busyKey: string; readonly typical: readonly Found[] }> {
  const { rows } = await database.query<Found>(
    looseSql`select chain_id as chain, '0x' || encode(address, 'hex') as address from contract
     where address = ${addressOf('1')} or id % 2500 = 7 order by address <> ${addressOf('1')}`,
  )
  const { rows: keys } = await database.query<{ key: string }>(
    looseSql`select k.key from event_count e join event_kind k on k.id = e.kind_id
     where address = ${addressOf('1')} and category = '${COMMON_CATEGORY}'
     order by total desc limit 1`,
  )
  return { busy: rows.slice(0, 1), busyKey: keys[0]?.key ?? '', typical: rows.slice(1) }
}

const rareChain = findChain(RARE_CHAIN)?.id ?? 0

const EVENTS = looseSql`
  insert into control_event (publication_id, chain_id, announced, block_number, block_time, tx_hash, log_index, address,
    kind_id, category_id, severity, is_init, args)
  select (n - 1) / ${EVENTS_OF_PUBLICATION} + 1, e.chain_id, false, n, now() - interval '${YEARS}' * (${roll('n', 1, 1_000_000)} / 1000000.0), sha256(int8send(n)), 1,
    e.address, k.id, c.id, e.severity, e.is_init,
    json_build_object('previous', '0x' || encode(e.address, 'hex'), 'current', '0x' || encode(e.address, 'hex'), 'n', n)
  from generate_series($1::bigint, $2::bigint) as n
  cross join lateral (
    select case when n % 16 = 0 then 1 else 1 + ${roll('n', 2, CONTRACTS)} end as contract, n % 250000 = 7 as is_rare
  ) as which
  cross join lateral (
    -- A contract has a few kinds of events: eight draws of its own, from a category and a key in it.
    select ${addressOf('which.contract')} as address, ${array(CHAINS.map(({ id }) => id))}[1 + (which.contract - 1) % ${CHAINS.length}] as chain_id,
      which.contract * 8 + ${roll('n', 3, 8)} as draw, ${roll('n', 4, 10)} < 3 as is_init
  ) as who
  cross join lateral (
    select who.*, case when n % 40009 = 0 then '${RARE_CATEGORY}' else ${array(CATEGORIES.filter((name) => name !== RARE_CATEGORY))}[1 + ${roll('who.draw', 7, 7)}] end as category,
      ${roll('who.draw', 8, KEYS_OF_CATEGORY)} as key
  ) as drawn
  cross join lateral (
    select case when is_rare then ${rareChain} else drawn.chain_id end as chain_id,
      drawn.address, case when is_rare then '${RARE_KEY}' else 'bench.' || drawn.category || '_' || 1 + drawn.key end as key,
      case when is_rare then 'upgrade' else drawn.category end as category, drawn.is_init and not is_rare as is_init,
      -- Critical are few, and on the rare chain hardly any.
      (case when is_rare then 2 when drawn.is_init then 0 when ${roll('n', 6, 100)} < 80 then 0
        when ${roll('n', 6, 100)} < 95 or (drawn.chain_id = ${rareChain} and n % 5003 <> 0) then 1 else 2 end)::smallint as severity
  ) as e
  join event_kind k on k.key = e.key and k.category = e.category join event_category c on c.name = k.category`

/** Publications and blocks of changes: above those of loaded events, which have numbers of their own. */
const CHANGES_FROM = 1_000_000_000
let changes = 0

/** Changes one contract of a protocol: its label, its events or its name, in turns. */
export async function changeContract(database: Database, slug: string, n: number): Promise<void> {
  changes += 1
  const of = looseSql`(select c.chain_id, c.address, c.id from contract c join protocol p on p.id = c.protocol_id
    where p.slug = '${slug}' order by c.id offset ${(n * 7) % LARGE_PROTOCOL_CONTRACTS} limit 1)`
  const statements = [
    looseSql`update control_profile f set label = case label when 'multisig' then 'single_key' else 'multisig' end
      from ${of} as m where f.chain_id = m.chain_id and f.address = m.address`,
    looseSql`insert into control_event (publication_id, chain_id, announced, block_number, block_time, tx_hash, log_index, address, kind_id, category_id, severity, is_init, args)
      select ${CHANGES_FROM + changes}, m.chain_id, false, ${CHANGES_FROM + changes}, now(), sha256(m.address), ${n}, m.address, k.id, 0, 1, false, '{}'
      from ${of} as m, (select id from event_kind where category = 'upgrade' limit 1) as k`,
    looseSql`update contract c set name = 'Renamed ' || ${n} from ${of} as m where c.id = m.id`,
  ]
  await database.query(statements[n % statements.length] ?? looseSql`select`)
}
