/**
 * A message as it is said on every channel, before it takes the form of one.
 *
 * Owns the gathering: events of a message, worst first, each with the contracts it matters to and who controls them.
 */

import { LABEL_TEXTS, LABEL_TONES, type Tone } from '../../../../vocabulary/labels.ts'
import { SEVERITIES, type Severity } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { findChain } from '../chains/chains.ts'
import {
  type Concerned,
  getAlertedEvents,
  getArgsBefore,
  getConcerned,
  getFieldsBefore,
  getKnownPlaces,
  getOpenings,
  type KnownPlace,
} from './alert-contents.ts'
import type { ClaimedMessage } from './alert-messages.ts'
import type { AlertedEvent } from './delivery-records.ts'
import { type Description, describeEvent } from './describe-event.ts'

export type Control = {
  readonly label: string
  readonly tone: Tone
  readonly text: string
  readonly reasons: readonly string[]
  /** Read in or after the block of the event; otherwise it is what was there before. */
  readonly isCurrent: boolean
  /** Looked at since, but not all of it could be read: it is what was there before. */
  readonly isStale: boolean
  readonly asOfBlock: number
}

export type AlertContract = {
  readonly chainId: number
  readonly chainSlug: string
  readonly chainName: string
  readonly address: Hex
  readonly name: string | null
  readonly protocol: string | null
  readonly control: Control | null
  readonly subscriptionIds: readonly number[]
  readonly appUrl: string
}

export type AlertItem = {
  readonly event: AlertedEvent
  /** The event's own, or that of the announcement whose end it tells: a critical change is not small when it happens. */
  readonly severity: Severity
  readonly description: Description
  /** What the reader subscribed to; the emitter itself, or what it controls or speaks of. */
  readonly contracts: readonly AlertContract[]
  readonly explorerUrl: string
}

export type Alert = {
  readonly id: number
  /** The message it takes back. */
  readonly retracts: number | null
  readonly createdAt: Date
  readonly items: readonly AlertItem[]
  /** The records that are true once it is sent. */
  readonly deliveryIds: readonly number[]
}

type Deps = { readonly database: Queryable; readonly publicUrl: string }

/** In the order given; one without items has nothing left to say. */
export async function gatherAlerts(
  { database, publicUrl }: Deps,
  messages: readonly ClaimedMessage[],
): Promise<readonly Alert[]> {
  const events = await getAlertedEvents(database, [...new Set(messages.flatMap((message) => message.events))])
  // A retraction speaks to whoever the message before it spoke to.
  const concerned = await getConcerned(
    database,
    messages.map(({ id, retracts }) => retracts ?? id),
  )
  const concernedOf = Map.groupBy(concerned, ({ messageId }) => messageId)
  const ids = [...events.keys()]
  const operations = [...events.values()].flatMap(({ id, operation }) => (operation === null ? [] : [id]))
  const [args, fields, openings, places] = await Promise.all([
    getArgsBefore(database, ids),
    getFieldsBefore(database, ids),
    getOpenings(database, operations),
    getKnownPlaces(database, [...events.values(), ...concerned]),
  ])
  const openingsOf = Map.groupBy(openings, ({ eventId }) => eventId)

  const itemOf = (event: AlertedEvent, about: readonly Concerned[]): AlertItem => ({
    event,
    severity: worstOf([event, ...(openingsOf.get(event.id) ?? [])]),
    description: describeEvent(event, {
      args: args.get(event.id),
      fields: fields.get(event.id),
      openings: openingsOf.get(event.id) ?? [],
    }),
    contracts: contractsOf(event, about, places, publicUrl),
    explorerUrl: explorerUrlOf(event),
  })
  return messages.map(({ id, retracts, createdAt, events: eventIds }) => {
    const concernedHere = concernedOf.get(retracts ?? id) ?? []
    const about = Map.groupBy(concernedHere, ({ eventId }) => eventId)
    const items = eventIds.flatMap((eventId) => {
      const event = events.get(eventId)
      const wanted = about.get(eventId) ?? []
      if (event === undefined) return []
      // Sent again, a message may hold what left the chain since: that was taken back, and is no news.
      const isNews = wanted.length > 0 && event.retractedAt === null
      return retracts === null && !isNews ? [] : [itemOf(event, wanted)]
    })
    const told = new Set(items.map(({ event }) => event.id))
    const deliveryIds =
      retracts === null ? concernedHere.flatMap((each) => (told.has(each.eventId) ? each.deliveryId : [])) : []
    return { id, retracts, createdAt, items: items.toSorted(worstFirst), deliveryIds }
  })
}

const worstOf = (events: readonly { readonly severity: Severity }[]): Severity =>
  SEVERITIES.findLast((severity) => events.some((event) => event.severity === severity)) ?? 'info'

const worstFirst = (a: AlertItem, b: AlertItem): number =>
  SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || a.event.logIndex - b.event.logIndex

function contractsOf(
  event: AlertedEvent,
  about: readonly Concerned[],
  places: ReadonlyMap<string, KnownPlace>,
  publicUrl: string,
): readonly AlertContract[] {
  type Row = Pick<Concerned, 'chainId' | 'address'> & { readonly subscriptionId: number | undefined }
  const emitter: Row = { chainId: event.chainId, address: event.address, subscriptionId: undefined }
  const grouped = Map.groupBy<string, Row>(
    about.length === 0 ? [emitter] : about,
    ({ chainId, address }) => `${chainId}:${address}`,
  )
  return [...grouped].flatMap(([key, rows]) => {
    const [first] = rows
    if (first === undefined) return []
    const chain = findChain(first.chainId)
    const place = places.get(key)
    const slug = chain?.slug ?? String(first.chainId)
    return {
      chainId: first.chainId,
      chainSlug: slug,
      chainName: chain?.name ?? slug,
      address: first.address,
      name: place?.name ?? null,
      protocol: place?.protocol ?? null,
      control: controlOf(place, event),
      subscriptionIds: rows.flatMap(({ subscriptionId }) => subscriptionId ?? []),
      appUrl: `${publicUrl}/contracts/${slug}/${first.address}`,
    }
  })
}

function controlOf(place: KnownPlace | undefined, event: AlertedEvent): Control | null {
  const control = place?.control ?? undefined
  if (place === undefined || control === undefined) return null
  return {
    label: control.label,
    tone: LABEL_TONES[control.label],
    text: LABEL_TEXTS[control.label],
    reasons: control.reasons,
    isCurrent: place.chainId === event.chainId && control.blockNumber >= event.blockNumber && !control.stale,
    isStale: control.stale,
    asOfBlock: control.blockNumber,
  }
}

/** What was found by looking has no transaction to show. */
function explorerUrlOf({ chainId, txHash, address, isDerived }: AlertedEvent): string {
  const explorer = findChain(chainId)?.explorer ?? ''
  return isDerived ? `${explorer}/address/${address}` : `${explorer}/tx/${txHash}`
}
