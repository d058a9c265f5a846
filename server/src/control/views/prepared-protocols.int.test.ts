/**
 * A prepared answer always equals one that is read from scratch, whatever was changed: every column of every table that
 * the view reads is changed in turn, every row is deleted and inserted again.
 */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client } from 'pg'
import { ZodError } from 'zod'
import { testClock } from '../../../../testing/support/clock.ts'
import { hexOf, storeEvent, storeProfile } from '../../../../testing/support/control-records.ts'
import { createTestDatabase } from '../../../../testing/support/database.ts'
import { testLog } from '../../../../testing/support/log.ts'
import { looseSql } from '../../../../testing/support/loose-sql.ts'
import { toBytes } from '../../lib/hex.ts'
import { openDatabase, type ReadDatabase } from '../../platform/database.ts'
import { deleteEventsAbove } from '../feed/events.ts'
import { type ContractRef, saveContract } from '../registry/contracts.ts'
import { createProtocolViews } from './prepared-protocols.ts'

const { database, url } = await createTestDatabase()
const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Math.floor(Date.now() / 1_000) * 1_000
const clock = testClock(new Date(START).toISOString())
const kept = createProtocolViews({ database, clock })
/** The answer, or that a value is none of those that the document lists. */
async function textOf(views: typeof kept): Promise<string> {
  try {
    return (await views.find('subject'))?.body.toString() ?? '"no such protocol"'
  } catch (error) {
    if (error instanceof ZodError) return '"not listed"'
    throw error
  }
}
/** Compares the prepared answer with one that is read from scratch, and returns it. */
async function view(message: string): Promise<string> {
  const prepared = await textOf(kept)
  assert.deepEqual(JSON.parse(prepared), JSON.parse(await textOf(createProtocolViews({ database, clock }))), message)
  return prepared
}
const run = async (text: string, values: unknown[] = []): Promise<Record<string, string>[]> =>
  (await database.query(looseSql(text), values)).rows

/** A connection of its own, which ends with the test file, whatever fails. */
async function openSession(): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  after(() => client.end())
  await client.connect()
  return client
}

const ref = (n: number, chainId = 1): ContractRef => ({ chainId, address: hexOf(n, 20) })
const [vault, token, timelock, other, unregistered] = [ref(0xa1), ref(0xa2, 10), ref(0xa3), ref(0xa4), ref(0xa5)]
await saveContract(database, vault, { protocol: 'Subject', name: 'Vault', kind: 'proxy_uups' })
await saveContract(database, token, { protocol: 'Subject', name: 'Token' })
await saveContract(database, other, { protocol: 'Other', name: 'Other', kind: 'safe' })
await saveContract(database, timelock, { protocol: 'Other', name: 'Timelock' })
await storeProfile(database, vault, { label: 'single_key', reasons: [{ code: 'single_signer', threshold: 1 }] })
await run('insert into source_check (chain_id, address, code_hash, published) values ($1, $2, $2, false)', [
  vault.chainId,
  toBytes(vault.address),
])
await run(
  'insert into contract_controller (chain_id, address, controller_chain_id, controller, is_logic) values (1, $1, 1, $2, false)',
  [toBytes(vault.address), toBytes(unregistered.address)],
)
for (const [n, address] of [timelock, unregistered].map((each) => each.address).entries())
  await run(
    `with operation as (
       insert into pending_operation (chain_id, address, operation, family, state, severity, queued_at, queued_block, earliest_at, calls, call_count, is_listed)
       values (1, $1, $2, 'oz_timelock', 'queued', 1, now(), 5, $3, '[{"target": "0x01", "isControl": false}]', 1, true) returning id)
     insert into pending_target (operation_id, chain_id, address, is_affected) select id, 1, $4, true from operation`,
    [toBytes(address), `operation ${n}`, new Date(START + DAY), toBytes(vault.address)],
  )
await storeEvent(database, vault, { blockTime: START - DAY })
await storeEvent(database, token, { blockTime: START - 30 * DAY + HOUR / 2, severity: 'high' })
// Another transaction merges meanwhile, so that the counts of these events stay pending.
const merging = await openSession()
await merging.query(looseSql`begin; select pg_advisory_xact_lock(7438031)`)
await storeEvent(database, token, { blockTime: START - 2 * HOUR })

/** Counts that triggers on events maintain. Nothing else writes them. */
const COUNTS = ['event_count_hour', 'event_count_pending', 'last_event']
/** The positions themselves. */
const POSITIONS = ['contract_change', 'publication', 'retracted_event']

/** The tables that a view scans, by the statistics of a new connection. Partitions of events count as one table. */
async function getReadTables(): Promise<readonly string[]> {
  const pool = openDatabase({ url, log: testLog, connections: 1 })
  const client = await pool.connect()
  try {
    const shared = Object.assign(Object.create(client), { release: () => {} })
    await client.query(looseSql`begin`)
    await createProtocolViews({ database: { query: shared.query, connect: async () => shared }, clock }).find('subject')
    const { rows } = await client.query<{ name: string }>(
      looseSql`select distinct regexp_replace(relname, '^control_event_.*', 'control_event') as name
       from pg_stat_xact_user_tables where coalesce(seq_scan, 0) + coalesce(idx_scan, 0) > 0 order by 1`,
    )
    return rows.map(({ name }) => name)
  } finally {
    client.release(true)
    await pool.end()
  }
}

type Column = {
  readonly name: string
  readonly type: string
  readonly identity: boolean
  readonly generated: boolean
  readonly words: readonly string[]
}

/** `words`: the texts that constraints of the table mention. */
const getColumns = (table: string): Promise<readonly Column[]> =>
  run(
    `select a.attname as name, format_type(a.atttypid, null) as type, a.attidentity <> '' as identity,
       a.attgenerated <> '' as generated,
       array(select m[1] from pg_constraint c, regexp_matches(pg_get_constraintdef(c.oid), '''([a-z_]+)''', 'g') as m
         where c.conrelid = a.attrelid and a.attnum = any(c.conkey) and c.contype = 'c') as words
     from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`,
    [table],
  ) as Promise<unknown> as Promise<readonly Column[]>

/** Expressions of another value, of which the first that the constraints accept is stored. */
function otherValues({ name, type, words }: Column): readonly string[] {
  const column = `"${name}"`
  const listed = words.map((word) => `'${word}'`)
  const texts: Readonly<Record<string, readonly string[]>> = {
    text: [...listed, `coalesce(${column}, '') || 'x'`],
    boolean: [`not coalesce(${column}, false)`],
    bytea: [`set_byte(coalesce(${column}, sha256('')), 19, (get_byte(coalesce(${column}, sha256('')), 19) + 1) % 256)`],
    'timestamp with time zone': [`coalesce(${column}, now()) + interval '1 hour'`],
    json: [`'[]'`],
    jsonb: [`'{"other": 1}'`],
    'text[]': [`array['other']`],
    'bytea[]': [`array[sha256('')]`],
  }
  return texts[type] ?? [`coalesce(${column}, 0) + 1`, `(select max(id) from protocol)`, `coalesce(${column}, 0) - 1`]
}

/** Runs a statement on one row, and returns where the row is then; undefined if a constraint refuses it. */
async function changeRow(text: string, values: unknown[]): Promise<string | undefined> {
  try {
    return (await run(`${text} returning ctid::text as row`, values))[0]?.row
  } catch (error) {
    assert.match(String((error as { code?: unknown }).code), /^23/, `${text}: ${String(error)}`)
    return undefined
  }
}

test('a change of any column or row of any table that the view reads changes the prepared answer', async () => {
  const tables = (await getReadTables()).filter((name) => !COUNTS.includes(name) && !POSITIONS.includes(name))
  assert.deepEqual(tables, [
    'contract',
    'contract_controller',
    'control_event',
    'control_profile',
    'event_kind',
    'pending_operation',
    'pending_target',
    'protocol',
    'source_check',
  ])
  const before = await view('at first')
  assert.equal(JSON.parse(before).data.pending.length, 2)
  let changes = 0
  for (const table of tables.filter((name) => name !== 'control_event')) {
    const columns = await getColumns(table)
    const rows = await run(`select ctid::text as row, to_json(t)::text as stored from ${table} t`)
    let seen = 0
    const check = async (message: string): Promise<void> => {
      changes += 1
      if ((await view(`${table}: ${message}`)) !== before) seen += 1
    }
    for (const { row: start, stored } of rows) {
      let row = start
      for (const column of columns.filter(({ identity, generated }) => !identity && !generated))
        for (const value of otherValues(column)) {
          const changed = await changeRow(
            `update ${table} set "${column.name}" = ${value}
             where ctid = $1::tid and "${column.name}"::text is distinct from (${value})::text`,
            [row],
          )
          if (changed === undefined) continue
          await check(`${column.name} = ${value} of ${stored}`)
          row = await changeRow(
            `update ${table} t set "${column.name}" = s."${column.name}" from json_populate_record(null::${table}, $2) s where t.ctid = $1::tid`,
            [changed, stored],
          ).then((restored) => restored ?? assert.fail(stored))
          assert.equal(await textOf(kept), before, `${table}.${column.name} of ${stored} is restored`)
          break
        }
      const targets = await run("select coalesce(json_agg(t), '[]')::text as stored from pending_target t")
      if ((await changeRow(`delete from ${table} where ctid = $1::tid`, [row])) === undefined) continue
      await check(`without ${stored}`)
      const names = columns.filter(({ generated }) => !generated).map(({ name }) => `"${name}"`)
      await run(
        `insert into ${table} (${names.join()}) overriding system value
         select ${names.join()} from json_populate_record(null::${table}, $1)`,
        [stored],
      )
      // They were deleted with their operation.
      await run(
        'insert into pending_target select * from json_populate_recordset(null::pending_target, $1) on conflict do nothing',
        [targets[0]?.stored],
      )
      assert.equal(await textOf(kept), before, `${table}: ${stored} is inserted again`)
    }
    assert.ok(seen > 0, `no change of ${table} changes the view`)
  }
  assert.ok(changes > 100, `${changes} changes`)
})

test('events that are stored, retracted or counted again change the prepared answer', async () => {
  const lastKeys = (text: string) =>
    JSON.parse(text).data.contracts.map(({ lastEventKey }: Record<string, unknown>) => lastEventKey)
  const before = await view('before')
  await storeEvent(database, vault, { key: 'pause.paused', category: 'pause', blockNumber: 900_000, blockTime: START })
  assert.deepEqual(lastKeys(await view('an event')), ['pause.paused', 'proxy.upgraded'])
  await deleteEventsAbove(database, 1, { number: 899_999, time: START - 1_000 })
  assert.equal(await view('retracted'), before)
  await merging.query(looseSql`commit`)
  await storeEvent(database, other)
  assert.equal(await view('merged'), before)
  // As after a partition was detached: without triggers.
  await run('alter table control_event disable trigger user')
  await run('delete from control_event')
  await run('alter table control_event enable trigger user')
  await run('select recount_events()')
  assert.deepEqual(lastKeys(await view('recounted')), [null, null])
})

test('a transaction that commits after a later one is not missed', async () => {
  const [first, second] = [await openSession(), await openSession()]
  const relabel = (label: string) => looseSql`begin; update control_profile set label = '${label}'`
  await first.query(relabel('multisig'))
  await second.query(looseSql`begin; update contract set name = 'Renamed' where chain_id = 10`)
  assert.match(await view('nothing is committed'), /"label":"single_key"/)
  await second.query(looseSql`commit`)
  assert.match(await view('the second is committed'), /"name":"Renamed".*/)
  await first.query(looseSql`commit`)
  assert.match(await view('both are committed'), /"label":"multisig"/)
})

test('counts and states follow the clock', async () => {
  const counts = async (message: string) => {
    const { data } = JSON.parse(await view(message))
    return [data.counts.events30d, ...data.pending.map(({ state }: { state: string }) => state)]
  }
  await run('delete from control_event')
  await storeEvent(database, token, { blockTime: START - 30 * DAY + 5_000 })
  await storeEvent(database, token, { blockTime: START - 30 * DAY + 3 * HOUR })
  await storeEvent(database, vault, { blockTime: START - 20 * DAY })
  assert.deepEqual(await counts('at the start'), [3, 'queued', 'queued'])
  for (const [at, expected] of [
    [5_000, [3, 'queued', 'queued']],
    [5_001, [2, 'queued', 'queued']],
    [3 * HOUR, [2, 'queued', 'queued']],
    [3 * HOUR + 1, [1, 'queued', 'queued']],
    [DAY - 1, [1, 'queued', 'queued']],
    [DAY, [1, 'ready', 'ready']],
    [11 * DAY, [0, 'ready', 'ready']],
    [4_000, [3, 'queued', 'queued']],
  ] as const) {
    clock.set(START + at)
    assert.deepEqual(await counts(`after ${at} ms`), expected, `after ${at} ms`)
  }
})

test('an answer is kept while nothing changes, and concurrent requests share it', async () => {
  const first = await kept.find('subject')
  assert.ok(first !== undefined)
  assert.equal((await kept.find('Subject'))?.body, first.body)
  await storeEvent(database, other)
  assert.equal((await kept.find('subject'))?.body, first.body, 'an event of another protocol')
  await run('update contract set last_checked_at = now()')
  assert.equal((await kept.find('subject'))?.body, first.body, 'a poll without a change')
  await saveContract(database, vault, { name: 'Another' })
  const all = await Promise.all(Array.from({ length: 20 }, () => kept.find('subject')))
  for (const answer of all) assert.match(answer?.body.toString() ?? '', /"name":"Another"/)
})

test('a server that is behind does not make the answer older', async () => {
  clock.set(START)
  await storeEvent(database, vault, { blockTime: START - 30 * DAY + 1_000 })
  const pool = openDatabase({ url, log: testLog, connections: 1 })
  const client = await pool.connect()
  try {
    const behind: ReadDatabase = {
      query: client.query.bind(client),
      connect: async () =>
        Object.assign(Object.create(client), { query: client.query.bind(client), release: () => {} }),
    }
    await client.query(looseSql`begin isolation level repeatable read; select from contract limit 1`)
    await run("update control_profile set label = 'short_timelock'")
    let server: ReadDatabase = database
    const views = createProtocolViews({
      database: { query: (...args) => server.query(...args), connect: () => server.connect() },
      clock,
    })
    assert.match(await textOf(views), /"label":"short_timelock"/)
    server = behind
    assert.match(await textOf(views), /"label":"short_timelock"/, 'the newer answer is kept')
    clock.advance(1_001) // the event leaves the window, and its contract is read again
    assert.notEqual(await textOf(views), 'none')
    server = database
    assert.match(await textOf(views), /"label":"short_timelock"/)
  } finally {
    client.release(true)
    await pool.end()
  }
})
