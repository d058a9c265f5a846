/** Statements of tests, benchmarks and the demo that are put together at run time: any text is accepted. */
import type { Sql } from '../../server/src/platform/sql.ts'

export function looseSql(text: string | TemplateStringsArray, ...values: readonly unknown[]): Sql {
  return (typeof text === 'string' ? text : String.raw({ raw: text }, ...values)) as Sql
}
