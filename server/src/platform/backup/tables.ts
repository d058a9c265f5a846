/** The tables and sequences of a backup, in an order that respects foreign keys. */

import type { Queryable } from '../database.ts'
import { identifier, sql } from '../sql.ts'

export type DumpedTable = {
  readonly name: string
  /** Without generated columns. */
  readonly columns: readonly string[]
  /** Of a partition: its table and its bounds, so that it can be created again. */
  readonly partition?: { readonly of: string; readonly bounds: string }
}

export type DumpedSequence = { readonly name: string; readonly value: number; readonly isCalled: boolean }

/** A restore applies the migrations, which writes the first table, and holds deliveries. Processes are those of the original. */
const NOT_DUMPED = ['schema_migration', 'delivery_hold', 'process']

type TableRow = { name: string; columns: string[]; parent: string | null; bounds: string | null }

/** Every table with rows, after those it refers to. */
export async function getTables(client: Queryable): Promise<readonly DumpedTable[]> {
  const { rows } = await client.query<TableRow>(
    sql`select c.relname as name, parent.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bounds,
       array(select a.attname::text from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
             order by a.attnum) as columns
     from pg_class c
     left join pg_inherits i on i.inhrelid = c.oid
     left join pg_class parent on parent.oid = i.inhparent
     where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> all ($1)
     order by c.relname`,
    [NOT_DUMPED],
  )
  const { rows: references } = await client.query<{ from: string; to: string }>(
    sql`select r.relname as "from", t.relname as "to" from pg_constraint k
     join pg_class r on r.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and k.conrelid <> k.confrelid and k.connamespace = current_schema()::regnamespace`,
  )
  const tables = rows.map(({ name, columns, parent, bounds }) => ({
    name,
    columns,
    ...(parent !== null && bounds !== null && { partition: { of: parent, bounds } }),
  }))
  return inOrder(tables, references)
}

function inOrder(
  tables: readonly DumpedTable[],
  references: readonly { readonly from: string; readonly to: string }[],
): readonly DumpedTable[] {
  const [waiting, placed] = [new Map(tables.map((table) => [table.name, table])), [] as DumpedTable[]]
  const isReady = ({ name, partition }: DumpedTable): boolean =>
    references.every(({ from, to }) => (from !== name && from !== partition?.of) || !waiting.has(to))
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(isReady)
    if (ready.length === 0) throw new Error(`tables refer to each other in a cycle: ${[...waiting.keys()].join(', ')}`)
    for (const table of ready) waiting.delete(table.name)
    placed.push(...ready)
  }
  return placed
}

export async function getSequences(client: Queryable): Promise<readonly DumpedSequence[]> {
  const { rows } = await client.query<{ name: string }>(
    sql`select relname as name from pg_class
     where relkind = 'S' and relnamespace = current_schema()::regnamespace order by 1`,
  )
  const sequences: DumpedSequence[] = []
  for (const { name } of rows) {
    const state = await client.query<{ last_value: number; is_called: boolean }>(
      sql`select last_value, is_called from ${identifier(name)}`,
    )
    const [row] = state.rows
    if (row !== undefined) sequences.push({ name, value: row.last_value, isCalled: row.is_called })
  }
  return sequences
}
