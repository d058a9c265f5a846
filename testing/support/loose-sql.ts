/** Statements that tests, benchmarks and the demo assemble at run time: any text is accepted. */
import type { Sql } from '../../server/src/platform/sql.ts'

export function looseSql(text: string | TemplateStringsArray, ...values: readonly unknown[]): Sql {
  return (typeof text === 'string' ? text : String.raw({ raw: text }, ...values)) as Sql
}
