/** The ids of event kinds, which stand for key and category in every stored event. */
import type { Category } from '../../../../vocabulary/categories.ts'
import type { Queryable } from '../../platform/database.ts'
import { sql } from '../../platform/sql.ts'

export type KindName = { readonly key: string; readonly category: Category }
export type EventKind = { readonly id: number; readonly categoryId: number }
export type KindFinder = (name: KindName) => EventKind

/** Kinds by category and key. */
type Kinds = Map<string, Map<string, EventKind>>

/**
 * What a connection knows. Ids never change, but `kind_id` has no foreign key, so a wrong id would go unnoticed. A cache
 * for each connection cannot outlive its database, which may be replaced by a restore or a failover.
 */
type Known = {
  readonly kinds: Kinds
  /** Keys that this connection added. They are not cached: its transaction may roll back. */
  readonly added: Set<string>
}

const knownByConnection = new WeakMap<Queryable, Known>()

function knownOf(client: Queryable): Known {
  const known = knownByConnection.get(client) ?? { kinds: new Map(), added: new Set() }
  knownByConnection.set(client, known)
  return known
}

/**
 * Returns a function that finds the kinds of these events. Adds those that are missing; `addEventKinds` at the start of a
 * process keeps that out of the transactions that store events, where two might wait for each other.
 */
export async function getEventKinds(client: Queryable, names: readonly KindName[]): Promise<KindFinder> {
  const { kinds, added } = knownOf(client)
  const unknown = names.filter((name) => findKind(kinds, name) === undefined)
  if (unknown.length === 0) return finderOf(kinds)
  let found = await readKinds(client, unknown)
  const missing = unknown.filter((name) => findKind(found, name) === undefined)
  if (missing.length > 0) {
    await addEventKinds(client, missing)
    found = await readKinds(client, unknown)
  }
  for (const [category, ofCategory] of found)
    for (const [key, kind] of ofCategory) if (!added.has(key)) setKind(kinds, { key, category }, kind)
  return finderOf(kinds, found)
}

export async function addEventKinds(client: Queryable, names: readonly KindName[]): Promise<void> {
  const { added } = knownOf(client)
  for (const { key } of names) added.add(key)
  await client.query(sql`select add_event_kinds($1, $2)`, [
    names.map(({ key }) => key),
    names.map(({ category }) => category),
  ])
}

async function readKinds(client: Queryable, names: readonly KindName[]): Promise<Kinds> {
  const { rows } = await client.query<EventKind & KindName>({
    name: 'get_event_kinds',
    text: sql`select k.id, k.key, k.category, c.id as "categoryId" from event_kind k join event_category c on c.name = k.category
           where k.key = any($1)`,
    values: [[...new Set(names.map(({ key }) => key))]],
  })
  const kinds: Kinds = new Map()
  for (const { key, category, ...kind } of rows) setKind(kinds, { key, category }, kind)
  return kinds
}

const findKind = (kinds: Kinds, { key, category }: KindName): EventKind | undefined => kinds.get(category)?.get(key)

function setKind(kinds: Kinds, { key, category }: { key: string; category: string }, kind: EventKind): void {
  kinds.set(category, (kinds.get(category) ?? new Map<string, EventKind>()).set(key, kind))
}

const finderOf =
  (...sources: readonly Kinds[]): KindFinder =>
  (name) => {
    for (const kinds of sources) {
      const kind = findKind(kinds, name)
      if (kind !== undefined) return kind
    }
    throw new Error(`there is no event kind ${name.key} in the category ${name.category}`)
  }
