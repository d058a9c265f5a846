/** The ids of event kinds, which stand for key and category in every stored event. */
import type { Category } from '../../../../vocabulary/categories.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export type KindName = { readonly key: string; readonly category: Category }
export type EventKind = { readonly id: number; readonly categoryId: number }
export type KindFinder = (name: KindName) => EventKind

/**
 * Returns a function that finds the kinds of these events. Adds those that are missing; `addEventKinds` at the start of a
 * process keeps that out of the transactions that store events, where two might wait for each other.
 */
export async function getEventKinds(client: Queryable, names: readonly KindName[]): Promise<KindFinder> {
  const found = await readKinds(client, names)
  const missing = names.filter(({ key, category }) => found.get(category)?.has(key) !== true)
  if (missing.length === 0) return finderOf(found)
  await addEventKinds(client, missing)
  return finderOf(await readKinds(client, names))
}

export async function addEventKinds(client: Queryable, names: readonly KindName[]): Promise<void> {
  await client.query(sql`select add_event_kinds($1, $2)`, [
    names.map(({ key }) => key),
    names.map(({ category }) => category),
  ])
}

type Kinds = ReadonlyMap<string, ReadonlyMap<string, EventKind>>

async function readKinds(client: Queryable, names: readonly KindName[]): Promise<Kinds> {
  const { rows } = await client.query<EventKind & KindName>({
    name: 'get_event_kinds',
    text: sql`select k.id, k.key, k.category, c.id as "categoryId" from event_kind k join event_category c on c.name = k.category
           where k.key = any($1)`,
    values: [[...new Set(names.map(({ key }) => key))]],
  })
  const byCategory = new Map<string, Map<string, EventKind>>()
  for (const { key, category, ...kind } of rows)
    byCategory.set(category, (byCategory.get(category) ?? new Map<string, EventKind>()).set(key, kind))
  return byCategory
}

const finderOf =
  (kinds: Kinds): KindFinder =>
  ({ key, category }) => {
    const kind = kinds.get(category)?.get(key)
    if (kind === undefined) throw new Error(`there is no event kind ${key} in the category ${category}`)
    return kind
  }
