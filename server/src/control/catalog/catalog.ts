/**
 * Decodes logs into control events.
 *
 *     const catalog = buildCatalog(catalogRows)
 *     catalog.decode({ address, topics, data }, contract?.kind)  // DecodedEvent, or undefined: not a control event
 *     catalog.topicsFor('watched')    // topic 0 of every catalog event: for watched contracts
 *     catalog.topicsFor('chainwide')  // topic 0 of the chain-wide events: for a filter without addresses
 *
 * `severity.ts` assesses the severity, `init.ts` recognizes setup. All of it is pure. Decoders are built once, and `decode`
 * never throws, whatever the log contains.
 *
 * A log is looked up by topic 0 and number of topics. If several layouts match, the contract's kind decides where the
 * catalog defines it (`event-names.ts` renames stored events when the kind becomes known), otherwise the first layout that decodes the log completely. A log with a known topic 0 that matches
 * no layout (forks change indexing) is still an event: `decode` is then `mismatch` and `args` hold the raw log.
 *
 * Any contract can emit any log. An event is reliable about its emitter. What it states about a `subject` is a claim, and
 * trusted only if the emitter is watched.
 */

import type { Category } from '../../../../vocabulary/categories.ts'
import type { Severity } from '../../../../vocabulary/severities.ts'
import { GatewatchError } from '../../lib/errors.ts'
import type { Hex } from '../../lib/hex.ts'
import { CHAINWIDE_KEYS } from './chainwide-events.ts'
import type { EventRow } from './event-row.ts'
import { CatalogRowError, type EventArgs, eventLayout, type Layout, type Log, noteLayout } from './layout.ts'

export type DecodedEvent = {
  readonly key: string
  readonly category: Category
  /** The severity of the catalog row, see `severity.ts`. */
  readonly severity: Severity
  /** Arguments by name, in declared order, and `subject` if there is one. */
  readonly args: EventArgs
  /** The contract the event is about, if it is not the emitter. */
  readonly subject?: Hex
  readonly decode: 'ok' | 'mismatch'
  /** The declaration it was decoded with. */
  readonly signature: string
}

export type Reach = 'watched' | 'chainwide'

export type Catalog = {
  readonly rows: readonly EventRow[]
  readonly decode: (log: Log, kind?: string) => DecodedEvent | undefined
  readonly topicsFor: (reach: Reach) => readonly Hex[]
  /** The kind of the contract that emitted a log with this topic 0, if only one kind does. */
  readonly kindProvenBy: (topic0: Hex | undefined) => string | undefined
}

/** `chainwideKeys` replaces the default list of chain-wide events. */
export function buildCatalog(rows: readonly EventRow[], chainwideKeys: Iterable<string> = CHAINWIDE_KEYS): Catalog {
  const layouts = rows.map((row) => (row.note === true ? noteLayout(row) : eventLayout(row)))
  const byTopic = new Map<string, Candidates>()
  for (const [topic0, siblings] of Map.groupBy(layouts, (layout) => layout.topic0)) {
    byTopic.set(topic0, candidatesOf(siblings))
  }
  const proofs = new Map(layouts.flatMap(({ topic0, row }) => (row.proves === undefined ? [] : [[topic0, row.proves]])))
  const wanted = requireKeys(rows, chainwideKeys)
  const topics = {
    watched: topicsOf(layouts),
    chainwide: topicsOf(layouts.filter((layout) => wanted.has(layout.row.key))),
  }
  return {
    rows,
    decode: (log, kind) => {
      const candidates = byTopic.get(log.topics[0] ?? '')
      return candidates === undefined ? undefined : decodeWith(candidates, log, kind)
    },
    topicsFor: (reach) => topics[reach],
    kindProvenBy: (topic0) => (topic0 === undefined ? undefined : proofs.get(topic0)),
  }
}

/** An unknown key would silently watch fewer events than configured. */
function requireKeys(rows: readonly EventRow[], keys: Iterable<string>): ReadonlySet<string> {
  const known = new Set(rows.map((row) => row.key))
  const wanted = new Set(keys)
  const unknown = [...wanted].filter((key) => !known.has(key))
  if (unknown.length > 0) throw new UnknownEventKeyError(unknown)
  return wanted
}

export class UnknownEventKeyError extends GatewatchError {
  override readonly code = 'unknown_event_key'
  override readonly retryable = false
  readonly keys: readonly string[]
  constructor(keys: readonly string[]) {
    super(`no catalog event has the key ${keys.join(', ')}`)
    this.keys = keys
  }
}

/** The layouts of one topic 0, ordered once because every log needs the order. */
type Candidates = {
  readonly first: Layout
  /** By number of topics. */
  readonly byCount: readonly (Order | undefined)[]
}
/** The order in which layouts are tried: those of the contract's kind, then the defaults, then the others. */
type Order = { readonly byKind: ReadonlyMap<string, readonly Layout[]>; readonly others: readonly Layout[] }

function candidatesOf(siblings: readonly Layout[]): Candidates {
  const byCount: Order[] = []
  for (const [count, layouts] of Map.groupBy(siblings, (layout) => layout.topicCount)) {
    for (const [index, layout] of layouts.entries()) assertDistinct(layout, layouts.slice(0, index))
    const others = layouts.toSorted((a, b) => Number(a.row.kinds !== undefined) - Number(b.row.kinds !== undefined))
    const byKind = new Map<string, readonly Layout[]>()
    for (const layout of layouts) {
      const rest = others.filter((other) => other !== layout)
      for (const kind of layout.row.kinds ?? []) byKind.set(kind, [layout, ...rest])
    }
    byCount[count] = { byKind, others }
  }
  return { first: siblings[0] as Layout, byCount }
}

/** Two rows that match the same logs without a rule to choose between them are an error in the catalog. */
function assertDistinct(layout: Layout, earlier: readonly Layout[]): void {
  const { kinds } = layout.row
  for (const { row } of earlier) {
    const isSame = kinds === undefined ? row.kinds === undefined : kinds.some((kind) => row.kinds?.includes(kind))
    if (isSame) throw new CatalogRowError(layout.row, `cannot be distinguished from ${row.key}`)
  }
}

function topicsOf(layouts: readonly Layout[]): readonly Hex[] {
  return Object.freeze([...new Set(layouts.map((layout) => layout.topic0))])
}

function decodeWith(candidates: Candidates, log: Log, kind: string | undefined): DecodedEvent {
  const order = candidates.byCount[log.topics.length]
  const layouts = (kind === undefined ? undefined : order?.byKind.get(kind)) ?? order?.others
  if (layouts !== undefined && isWellFormed(log)) {
    for (const layout of layouts) {
      const args = layout.read(log)
      if (args !== undefined) return decoded(layout.row, args, log)
    }
  }
  return mismatch(layouts?.[0]?.row ?? candidates.first.row, log)
}

const HEX = /^0x[0-9a-f]*$/

/** The readers slice without checks, so malformed hex and topics are rejected here. */
function isWellFormed({ topics, data }: Log): boolean {
  for (let index = 1; index < topics.length; index += 1) {
    const topic = topics[index] as Hex
    if (topic.length !== 66 || !HEX.test(topic)) return false
  }
  return data.length % 2 === 0 && HEX.test(data)
}

function decoded(row: EventRow, args: EventArgs, log: Log): DecodedEvent {
  const { key, category, severity, event: signature } = row
  const subject = row.subject === undefined ? log.address : (args[row.subject] as Hex)
  if (subject === log.address) return { key, category, severity, args, decode: 'ok', signature }
  return { key, category, severity, args: { ...args, subject }, subject, decode: 'ok', signature }
}

function mismatch(row: EventRow, { topics, data }: Log): DecodedEvent {
  const { key, category, severity, event: signature } = row
  const args = { decode: 'mismatch', topics, data }
  return { key, category, severity, args, decode: 'mismatch', signature }
}

export type EventRecord = {
  readonly blockNumber: number
  readonly blockHash: Hex
  /** Milliseconds since the epoch. */
  readonly blockTime: number
  readonly txHash: Hex
  readonly logIndex: number
  readonly address: Hex
  readonly key: string
  readonly category: Category
  readonly severity: Severity
  readonly args: EventArgs
  readonly isInit: boolean
  /** The contract the event is about, if it is not the emitter. */
  readonly subject: Hex | undefined
}
