/**
 * The view of one protocol across chains, as a prepared answer.
 *
 * A process keeps the last answer for a protocol and the position in the order of changes up to which it has read
 * (migration 0042). Each request reads the position. If nothing changed and no counted event left the window of 30 days,
 * the answer is sent again; otherwise the contracts that changed are read, and the rest is kept.
 *
 * All parts come from one connection, position first, and never from a server that is behind the answer (a replica, after the
 * primary has answered): no part is older than the position.
 */
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Label } from '../../../../vocabulary/labels.ts'
import type { Clock } from '../../lib/clock.ts'
import { toHex } from '../../lib/hex.ts'
import { stringifyExactly } from '../../lib/json.ts'
import type { Queryable, ReadDatabase } from '../../platform/database.ts'
import { isReplicaFault } from '../../platform/replica.ts'
import { sql } from '../../platform/sql.ts'
import { getEventsOf } from '../feed/feed.ts'
import { getPendingPage } from '../pending/pending-page.ts'
import { type ContractRef, findProtocolId, type Protocol } from '../registry/contracts.ts'
import { type ControlEvent, eventView } from '../registry/control-event.ts'
import { NEXT_CHANGES } from './contract-view.ts'
import { labelOf, summaryOfLabels } from './profile-view.ts'
import {
  contractOfProtocol,
  getProtocolContracts,
  getProtocolOrder,
  newestOf,
  type ProtocolContract,
  type ProtocolView,
  WINDOW_MS,
} from './protocol-view.ts'
import { event, pendingChange } from './schemas.ts'

/** `body`: the response, also that of the next request if nothing changes. `events`: the newest ones. */
export type ProtocolAnswer = {
  readonly protocol: Protocol
  readonly body: Buffer
  readonly events: readonly ControlEvent[]
}

export type ProtocolViews = {
  /** `text` is the label or slug of the protocol, in any case. Returns undefined if there is no such protocol. */
  readonly find: (text: string) => Promise<ProtocolAnswer | undefined>
}

type Entry = Omit<ProtocolContract, 'profile'> & { readonly label: Label; readonly json: string }
type Pending = {
  readonly json: string
  /** The last change of any contract, name or queued operation that it includes. */
  readonly position: number
  readonly validUntil: number
}
type Prepared = ProtocolAnswer & {
  readonly position: number
  readonly preparedAt: number
  /** When the first counted event leaves the window. */
  readonly validUntil: number
  readonly entries: ReadonlyMap<string, Entry>
  readonly eventsJson: string
  readonly pending: Pending
}

/** `position` includes published events, `changed` all other changes. */
type State = Protocol & { readonly position: number; readonly changed: number }

/** Of the answers that a process keeps. */
const MAX_BYTES = 64 * 1024 * 1024
/** With more changes since the last answer, all contracts are read. */
const MAX_CHANGES = 5_000

export function createProtocolViews(deps: { readonly database: ReadDatabase; readonly clock: Clock }): ProtocolViews {
  const { database, clock } = deps
  const prepared = new LRUCache<number, Prepared>({ maxSize: MAX_BYTES, sizeCalculation: ({ body }) => body.length })

  async function read(text: string): Promise<Prepared | undefined> {
    const state = await findState(database, text)
    if (state === undefined) return undefined
    const known = prepared.get(state.id)
    if (known !== undefined && isCurrent(known, state, clock.now())) return known
    try {
      return await update(text)
    } catch (error) {
      if (!isReplicaFault(error)) throw error
      await findState(database, text) // if the replica is down, this leads the next connection to the primary
      return await update(text)
    }
  }

  async function update(text: string): Promise<Prepared | undefined> {
    const client = await database.connect()
    let fault: Error | undefined
    try {
      const state = await findState(client, text)
      if (state === undefined) return undefined
      const known = prepared.get(state.id)
      const made = await prepare({ database: client, clock }, state, known)
      if (made.position >= (prepared.get(state.id)?.position ?? 0)) prepared.set(state.id, made)
      return made
    } catch (error) {
      fault = error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      client.release(fault)
    }
  }

  return { find: shareReads(read) }
}

/** Requests that arrive during a read share the next one: the running read may not include what they would find. */
function shareReads<Answer>(read: (text: string) => Promise<Answer>): (text: string) => Promise<Answer> {
  type Running = { readonly answer: Promise<Answer>; next: Promise<Answer> | undefined }
  const running = new Map<string, Running>()
  const start = (text: string): Promise<Answer> => {
    const answer = read(text).finally(() => {
      if (current.next === undefined) running.delete(text)
    })
    const current: Running = { answer, next: undefined }
    running.set(text, current)
    return answer
  }
  return (text) => {
    const current = running.get(text)
    if (current === undefined) return start(text)
    current.next ??= current.answer.then(
      () => start(text),
      () => start(text),
    )
    return current.next
  }
}

async function findState(database: Queryable, text: string): Promise<State | undefined> {
  const { rows } = await database.query<Protocol & { published: number; changed: number }>({
    name: 'find_protocol_state',
    text: sql`
      select p.id, p.label, p.slug, coalesce((select max(position) from publication), 0) as published,
        coalesce((select max(position) from contract_change), 0) as changed
      from (${findProtocolId(sql`$1`)}) as found join protocol p using (id)`,
    values: [text.trim().toLowerCase()],
  })
  return rows.map(({ published, ...row }) => ({ ...row, position: Math.max(published, row.changed) }))[0]
}

/** A server that is behind the answer changes nothing. */
function isCurrent(known: Prepared, state: State, now: number): boolean {
  return (
    state.position <= known.position &&
    isNamed(known, state) &&
    now >= known.preparedAt &&
    now <= Math.min(known.validUntil, known.pending.validUntil)
  )
}

const isNamed = ({ protocol: { label, slug } }: Prepared, state: State): boolean =>
  label === state.label && slug === state.slug

type PrepareDeps = { readonly database: Queryable; readonly clock: Clock }

async function prepare(deps: PrepareDeps, state: State, known: Prepared | undefined): Promise<Prepared> {
  const { database, clock } = deps
  const now = clock.now()
  // A server that is behind cannot replace parts of the answer: they would be older than its position.
  const isUsable =
    known !== undefined && known.position <= state.position && isNamed(known, state) && now >= known.preparedAt
  const changed = isUsable ? await getChanged(database, known.position) : undefined
  const base = isUsable && changed !== undefined ? known : undefined
  const entries = await readEntries(database, state, { now, base, changed: changed ?? [] })
  const isKept = base !== undefined && entries === base.entries
  const events = isKept ? base.events : await getEventsOf(database, ...newestOf([...entries.values()]))
  const eventsJson = isKept ? base.eventsJson : stringifyExactly(z.encode(z.array(event), events.map(eventView)))
  const isPendingKept = base?.pending.position === state.changed && now <= base.pending.validUntil
  const pending = isPendingKept ? base.pending : await readPending(deps, state)
  const current = { position: state.position, preparedAt: now, pending }
  if (isKept && pending.json === base.pending.json) return { ...base, ...current }
  return {
    ...current,
    protocol: { id: state.id, label: state.label, slug: state.slug },
    validUntil:
      entries
        .values()
        .reduce((first, { countedFrom }) => Math.min(first, countedFrom?.getTime() ?? Infinity), Infinity) + WINDOW_MS,
    entries,
    events,
    eventsJson,
    body: bodyOf(state, entries, eventsJson, pending.json),
  }
}

/** Returns the contracts that changed after a position; undefined if they are too many, or all contracts. */
async function getChanged(database: Queryable, position: number): Promise<readonly ContractRef[] | undefined> {
  const { rows } = await database.query<{ chain_id: number; address: Buffer }>({
    name: 'contracts_changed_after',
    text: sql`select distinct chain_id, address from contracts_changed_after($1, $2)`,
    values: [position, MAX_CHANGES],
  })
  if (rows.length >= MAX_CHANGES || rows.some(({ chain_id: chain }) => chain === 0)) return undefined
  return rows.map((row) => ({ chainId: row.chain_id, address: toHex(row.address) }))
}

const keyOf = ({ chainId, address }: ContractRef): string => `${chainId}:${address}`

type Changes = {
  readonly now: number
  /** Undefined: everything is read. */
  readonly base: Prepared | undefined
  readonly changed: readonly ContractRef[]
}

/** Returns the entries of `base` itself if none of them changed. */
async function readEntries(
  database: Queryable,
  { id, label }: State,
  { now, base, changed }: Changes,
): Promise<Prepared['entries']> {
  const since = new Date(now - WINDOW_MS)
  const entryOf = ({ profile, ...contract }: ProtocolContract): readonly [string, Entry] => {
    const json = JSON.stringify(contractOfProtocol(label, { ...contract, profile }))
    return [keyOf(contract), { ...contract, label: labelOf(profile?.label ?? null), json }]
  }
  if (base === undefined) return new Map((await getProtocolContracts(database, id, since)).map(entryOf))

  const passed = [...base.entries.values()].filter(({ countedFrom }) => countedFrom !== null && countedFrom < since)
  if (changed.length + passed.length === 0) return base.entries
  const read = new Map((await getProtocolContracts(database, id, since, [...changed, ...passed])).map(entryOf))
  const gone = changed.map(keyOf).filter((key) => base.entries.has(key) && !read.has(key))
  if (read.size + gone.length === 0) return base.entries

  const entries = new Map([...base.entries, ...read])
  for (const key of gone) entries.delete(key)
  const keepsOrder = read.entries().every(([key, { name }]) => base.entries.get(key)?.name === name)
  if (keepsOrder) return entries
  // The database compares names. A contract that it adds meanwhile has a higher position, and is read with the next request.
  const order = (await getProtocolOrder(database, id)).map(keyOf)
  return new Map(order.flatMap((key) => [entries.get(key) ?? []].flat().map((entry) => [key, entry] as const)))
}

async function readPending({ database, clock }: PrepareDeps, { id, changed }: State): Promise<Pending> {
  const { data } = await getPendingPage({ database, clock }, { filter: { protocolId: id }, limit: NEXT_CHANGES })
  const now = clock.now()
  const times = data.flatMap(({ earliestAt, expiresAt }) => [
    ...(earliestAt !== null && Date.parse(earliestAt) > now ? [Date.parse(earliestAt)] : []),
    // One that has expired stays listed until the clock of the database says so.
    ...(expiresAt === null ? [] : [Math.max(Date.parse(expiresAt), now)]),
  ])
  return {
    json: stringifyExactly(z.encode(z.array(pendingChange), data)),
    position: changed,
    validUntil: Math.min(...times) - 1,
  }
}

function bodyOf({ label, slug }: State, entries: Prepared['entries'], events: string, pending: string): Buffer {
  const list = [...entries.values()]
  const counts: ProtocolView['counts'] = {
    contracts: list.length,
    chains: new Set(list.map(({ chainId }) => chainId)).size,
    events30d: list.reduce((sum, { events }) => sum + events, 0),
    critical30d: list.reduce((sum, { critical }) => sum + critical, 0),
  }
  const parts: Readonly<Record<keyof ProtocolView, string>> = {
    protocol: JSON.stringify(label),
    slug: JSON.stringify(slug),
    contracts: `[${list.map(({ json }) => json).join(',')}]`,
    recentEvents: events,
    counts: JSON.stringify(counts),
    controlSummary: JSON.stringify(summaryOfLabels(list.map(({ label }) => label))),
    pending,
  }
  const fields = Object.entries(parts).map(([name, json]) => `"${name}":${json}`)
  return Buffer.from(`{"data":{${fields.join(',')}},"nextCursor":null}`)
}
