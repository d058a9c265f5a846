/**
 * The `sql` tag, which makes every text that PostgreSQL executes.
 *
 * `query()` accepts only `Sql`, and a plain string is not assignable to it, so that no value becomes part of a
 * statement: values are parameters (`$1`), and only other fragments are interpolated. At run time an `Sql` is a string.
 */
import { readFileSync } from 'node:fs'
import { escapeIdentifier, escapeLiteral } from 'pg'

declare const brand: unique symbol

/** Text of a statement, or of a part of one. */
export type Sql = string & { readonly [brand]: true }

export function sql(texts: TemplateStringsArray, ...fragments: readonly Sql[]): Sql {
  let text = texts[0] as string
  for (const [index, fragment] of fragments.entries()) text += fragment + texts[index + 1]
  return text as Sql
}

/** Quotes any text as an identifier. */
export const identifier = (name: string): Sql => escapeIdentifier(name) as Sql

/** Quotes any text as a literal, for statements that take no parameters: `create table … partition of`, `set`. */
export const literal = (value: string | number): Sql => escapeLiteral(String(value)) as Sql

/** Joins fragments: `joinSql(columns.map(identifier), sql`, `)`. */
export const joinSql = (fragments: readonly Sql[], separator: Sql): Sql => fragments.join(separator) as Sql

/** Reads a file of statements that ships with the server, such as a migration. */
export const readSqlFile = (path: string): Sql => readFileSync(path, 'utf8') as Sql
