/** `tsc` checks what the type `Sql` refuses: a line that compiles without its expected error fails the build. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { copyIn } from './copy.ts'
import type { Database, DatabaseClient, Queryable, ReadDatabase } from './database.ts'
import { identifier, joinSql, literal, type Sql, sql } from './sql.ts'

test('a statement is the text of its template, with its fragments', () => {
  const columns = joinSql(['id', 'a "b"'].map(identifier), sql`, `)
  assert.equal(sql`select ${columns} from t where id = $1`, 'select "id", "a ""b""" from t where id = $1')
  assert.equal(sql`set x = ${literal("it's")}`, "set x = 'it''s'")
})

test('only the sql module and the restore of a backup turn a string into Sql', () => {
  const source = join(import.meta.dirname, '..')
  const casts = globSync('**/*.ts', { cwd: source })
    .filter(
      (file) =>
        !file.endsWith('.test.ts') && /\bas (import\([^)]*\)\.)?Sql\b/.test(readFileSync(join(source, file), 'utf8')),
    )
    .toSorted()
  assert.deepEqual(casts, ['platform/backup/load.ts', 'platform/sql.ts'])
})

/** Never called. */
export function refused(
  name: string,
  on: Queryable & DatabaseClient & Database & ReadDatabase,
  copy: typeof copyIn,
): void {
  // @ts-expect-error -- a plain string
  void on.query('select 1')
  // @ts-expect-error -- a plain template
  void on.query(`select ${name}`)
  // @ts-expect-error -- a plain string in a prepared statement
  void on.query({ name: 'x', text: 'select 1' })
  // @ts-expect-error -- an interpolated value
  void on.query(sql`select ${name}`)
  // @ts-expect-error -- an interpolated number
  void on.query(sql`select ${1}`)
  // @ts-expect-error -- a concatenation
  void on.query(sql`select ` + name)
  // @ts-expect-error -- the tag called as a function
  void on.query(sql(name))
  // @ts-expect-error -- a joined list
  void on.query([sql`select 1`, sql`from t`].join(' '))
  // @ts-expect-error -- a plain string to copy with
  void copy(on, `copy ${name} from stdin`, [])
  // @ts-expect-error -- a plain string as a fragment
  const fragment: Sql = 'select 1'
  void on.query(fragment)
}
