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
  findNextContract,
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

/** `bytes`: how many its JSON has in the body. */
type Entry = Omit<ProtocolContract, 'profile'> & { readonly label: Label; readonly bytes: number }
type Pending = {
  readonly json: string
  /** The last change of any contract, name or queued operation that it includes. */
  readonly position: number
  readonly validUntil: number
}
type Prepared = ProtocolAnswer & {
  readonly position: number
  readonly published: number
  readonly preparedAt: number
  /** When the first counted event leaves the window. */
  readonly validUntil: number
  readonly entries: ReadonlyMap<string, Entry>
  /** Where the first entry starts in the body. */
  readonly entriesAt: number
  readonly eventsJson: string
  readonly pending: Pending
}

/** `published`: the position of the last published events; `changed`: that of all other changes; `position`: of both. */
type State = Protocol & { readonly position: number; readonly published: number; readonly changed: number }

/** Of the answers that a process keeps. */
const MAX_BYTES = 64 * 1024 * 1024
/** With more changes since the last answer, all contracts are read. */
const MAX_CHANGES = 5_000

export function createProtocolViews(deps: { readonly database: ReadDatabase; readonly clock: Clock }): ProtocolViews {
  const { database, clock } = deps
  const prepared = new LRUCache<number, Prepared>({ maxSize: MAX_BYTES, sizeCalculation: ({ body }) => body.length })

  async function read(text: string): Promise<Prepared | undefined> {
    try {
      return await readOnce(text)
    } catch (error) {
      if (!isReplicaFault(error)) throw error
      await findState(database, text) // if the replica is down, this leads the next connection to the primary
      return await readOnce(text)
    }
  }

  async function readOnce(text: string): Promise<Prepared | undefined> {
    const client = await database.connect()
    let fault: Error | undefined
    try {
      const state = await findState(client, text)
      if (state === undefined) return undefined
      const known = prepared.get(state.id)
      if (known !== undefined && isCurrent(known, state, clock.now())) return known
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
  return rows.map((row) => ({ ...row, position: Math.max(row.published, row.changed) }))[0]
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
  const { entries, texts, hasSameEvents } = await readEntries(database, state, { now, base, changed: changed ?? [] })
  const isKept = base !== undefined && entries === base.entries
  const { events, eventsJson } = hasSameEvents && base !== undefined ? base : await readEvents(database, entries)
  const isPendingKept = base?.pending.position === state.changed && now <= base.pending.validUntil
  const pending = isPendingKept ? base.pending : await readPending(deps, state)
  const current = { position: state.position, published: state.published, preparedAt: now, pending }
  if (isKept && pending.json === base.pending.json) return { ...base, ...current }
  return {
    ...current,
    protocol: { id: state.id, label: state.label, slug: state.slug },
    validUntil: firstCounted(entries) + WINDOW_MS,
    entries,
    events,
    eventsJson,
    ...bodyOf(state, { entries, texts, base, eventsJson, pendingJson: pending.json }),
  }
}

async function readEvents(
  database: Queryable,
  entries: Prepared['entries'],
): Promise<Pick<Prepared, 'events' | 'eventsJson'>> {
  const events = await getEventsOf(database, ...newestOf(entries.values()))
  return { events, eventsJson: stringifyExactly(z.encode(z.array(event), events.map(eventView))) }
}

function firstCounted(entries: Prepared['entries']): number {
  let first = Infinity
  for (const { countedFrom } of entries.values())
    if (countedFrom !== null) first = Math.min(first, countedFrom.getTime())
  return first
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

/** What was read: all entries, the JSON of those that `base` does not have, and whether its newest events are still right. */
type Entries = Pick<Prepared, 'entries'> & {
  readonly texts: ReadonlyMap<Entry, Buffer>
  readonly hasSameEvents: boolean
}

/** Returns the entries of `base` itself if none of them changed. */
async function readEntries(database: Queryable, state: State, { now, base, changed }: Changes): Promise<Entries> {
  const { id, label, published } = state
  const since = new Date(now - WINDOW_MS)
  const texts = new Map<Entry, Buffer>()
  const entryOf = ({ profile, ...contract }: ProtocolContract): readonly [string, Entry] => {
    const text = Buffer.from(JSON.stringify(contractOfProtocol(label, { ...contract, profile })))
    const entry = { ...contract, label: labelOf(profile?.label ?? null), bytes: text.length }
    texts.set(entry, text)
    return [keyOf(contract), entry]
  }
  if (base === undefined) {
    const entries = new Map((await getProtocolContracts(database, id, since)).map(entryOf))
    return { entries, texts, hasSameEvents: false }
  }
  const passed = base.entries
    .values()
    .filter(({ countedFrom }) => countedFrom !== null && countedFrom < since)
    .toArray()
  const isSame = { entries: base.entries, texts, hasSameEvents: true }
  if (changed.length + passed.length === 0) return isSame
  const read = new Map((await getProtocolContracts(database, id, since, [...changed, ...passed])).map(entryOf))
  const gone = changed.map(keyOf).filter((key) => base.entries.has(key) && !read.has(key))
  if (read.size + gone.length === 0) return isSame

  const entries = new Map(base.entries)
  for (const [key, entry] of read) entries.set(key, entry)
  for (const key of gone) entries.delete(key)
  const named = ({ name, kind }: Pick<Entry, 'name' | 'kind'>): string => JSON.stringify([name, kind])
  const isNamedAlike = ([key, entry]: readonly [string, Entry]): boolean => {
    const before = base.entries.get(key)
    return before !== undefined && named(before) === named(entry)
  }
  // Events name their contracts.
  const hasSameEvents = published === base.published && gone.length === 0 && read.entries().every(isNamedAlike)
  const moved = [...read].filter(([key, { name }]) => base.entries.get(key)?.name !== name || !base.entries.has(key))
  return { entries: await inOrder(database, id, entries, moved), texts, hasSameEvents }
}

/** The entries in the order of the database, which compares names. `moved`: those that may be at another place. */
async function inOrder(
  database: Queryable,
  protocolId: number,
  entries: Prepared['entries'],
  [moved, ...others]: readonly (readonly [string, Entry])[],
): Promise<Prepared['entries']> {
  if (moved === undefined) return entries
  const [key, entry] = moved
  const next = others.length > 0 ? undefined : await findNextContract(database, protocolId, entry)
  const before = next === undefined ? undefined : entries.get(keyOf(next))
  // Another contract may get another name meanwhile.
  if (next !== undefined && before?.name === next.name) {
    const ordered = new Map<string, Entry>()
    for (const [each, other] of entries) {
      if (other === before) ordered.set(key, entry)
      if (other !== entry) ordered.set(each, other)
    }
    return ordered
  }
  // A contract that it adds meanwhile has a higher position, and is read with the next request.
  const ordered = new Map<string, Entry>()
  for (const ref of await getProtocolOrder(database, protocolId)) {
    const found = entries.get(keyOf(ref))
    if (found !== undefined) ordered.set(keyOf(ref), found)
  }
  return ordered
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

type BodyParts = Omit<Entries, 'hasSameEvents'> & {
  readonly base: Prepared | undefined
  readonly eventsJson: string
  readonly pendingJson: string
}

const COMMA = Buffer.from(',')

/** Entries that did not change are copied from the body of `base`. */
function bodyOf(
  { label, slug }: State,
  { entries, texts, base, eventsJson, pendingJson }: BodyParts,
): Pick<Prepared, 'body' | 'entriesAt'> {
  const chains = new Set<number>()
  const labels: Label[] = []
  let [events30d, critical30d] = [0, 0]
  for (const entry of entries.values()) {
    chains.add(entry.chainId)
    labels.push(entry.label)
    events30d += entry.events
    critical30d += entry.critical
  }
  const counts: ProtocolView['counts'] = { contracts: entries.size, chains: chains.size, events30d, critical30d }
  const last: Readonly<Record<Exclude<keyof ProtocolView, 'protocol' | 'slug' | 'contracts'>, string>> = {
    recentEvents: eventsJson,
    counts: JSON.stringify(counts),
    controlSummary: JSON.stringify(summaryOfLabels(labels)),
    pending: pendingJson,
  }
  const first = Buffer.from(`{"data":{"protocol":${JSON.stringify(label)},"slug":${JSON.stringify(slug)},"contracts":[`)
  const fields = Object.entries(last).map(([name, json]) => `"${name}":${json}`)
  const end = Buffer.from(`],${fields.join(',')}},"nextCursor":null}`)
  return { entriesAt: first.length, body: Buffer.concat([first, ...listOf(entries, texts, base), end]) }
}

/** The JSON of the entries, with commas between them. Neighbors in the body of `base` are copied together. */
function listOf(entries: Prepared['entries'], texts: Entries['texts'], base: Prepared | undefined): readonly Buffer[] {
  const parts: Buffer[] = []
  const starts = startsIn(base)
  let [from, to] = [0, 0]
  const copy = (): void => {
    if (base !== undefined && to > from) parts.push(base.body.subarray(from, to))
    from = to = 0
  }
  for (const entry of entries.values()) {
    const start = starts.get(entry)
    if (start !== undefined && to > 0 && start === to + 1) {
      to += 1 + entry.bytes
      continue
    }
    copy()
    if (parts.length > 0) parts.push(COMMA)
    if (start === undefined) parts.push(texts.get(entry) as Buffer)
    else [from, to] = [start, start + entry.bytes]
  }
  copy()
  return parts
}

function startsIn(base: Prepared | undefined): ReadonlyMap<Entry, number> {
  const starts = new Map<Entry, number>()
  let start = base?.entriesAt ?? 0
  for (const entry of base?.entries.values() ?? []) {
    starts.set(entry, start)
    start += entry.bytes + 1
  }
  return starts
}
