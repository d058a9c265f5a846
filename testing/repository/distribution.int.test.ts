/** Checks the distribution keys of docs/operations.md: each unique index of a distributed table contains its key. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from '../../server/src/platform/sql.ts'
import { createTestDatabase } from '../support/database.ts'
import { REPOSITORY } from '../support/service.ts'

const { database } = await createTestDatabase()

/** The distribution key of each table, from the page. */
function documentedKeys(): ReadonlyMap<string, string> {
  const page = readFileSync(join(REPOSITORY, 'docs', 'operations.md'), 'utf8')
  const [, section = ''] = page.split('### A distributed PostgreSQL')
  return new Map(
    [...section.matchAll(/^\| (`.+`) \| `(\w+)` \| .+ \|$/gm)].flatMap(([, tables = '', key = '']) =>
      [...tables.matchAll(/`(\w+)`/g)].map(([, table = '']) => [table, key] as const),
    ),
  )
}

const keys = documentedKeys()

test('the documented tables have their distribution column', async () => {
  assert.deepEqual(new Set(keys.values()), new Set(['chain_id', 'account_id']))
  const { rows } = await database.query<{ table: string; columns: string[] }>(
    sql`select c.relname as table, array_agg(a.attname::text) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
     where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace group by c.relname`,
  )
  const columns = new Map(rows.map((row) => [row.table, row.columns]))
  for (const [table, key] of keys) assert.ok(columns.get(table)?.includes(key), `${table} has ${key}`)
  for (const table of ['control_event', 'request_log']) assert.ok(keys.has(table), table)
})

test('every unique index of a distributed table contains its key', async () => {
  const { rows } = await database.query<{ table: string; index: string; columns: string[] }>(
    sql`select c.relname as table, i.indexrelid::regclass::text as index,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey)) as columns
     from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique and c.relname = any($1)`,
    [[...keys.keys()]],
  )
  assert.ok(rows.length > 0)
  const without = rows.filter(({ table, columns }) => !columns.includes(keys.get(table) ?? ''))
  assert.deepEqual(without, [])
})

test('every foreign key to a distributed table contains its key', async () => {
  const { rows } = await database.query<{ name: string; from: string; to: string; columns: string[] }>(
    sql`select k.conname as name, k.conrelid::regclass::text as from, k.confrelid::regclass::text as to,
       array(select a.attname::text from pg_attribute a where a.attrelid = k.confrelid and a.attnum = any(k.confkey)) as columns
     from pg_constraint k join pg_class t on t.oid = k.confrelid where k.contype = 'f' and t.relname = any($1)`,
    [[...keys.keys()]],
  )
  assert.deepEqual(
    rows.filter(({ to, columns }) => !columns.includes(keys.get(to) ?? '')),
    [],
  )
})
