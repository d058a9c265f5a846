/** The content of an alert message, for every channel: its events, their contracts, and who controls them. */

import type { CoinEventContent } from '../../../../vocabulary/coin-events.ts'
import { labelText, type Tone } from '../../../../vocabulary/labels.ts'
import { SEVERITIES, type Severity } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import type { Queryable } from '../../platform/database.ts'
import { findChain } from '../chains/chains.ts'
import { getTokens } from '../registry/tokens.ts'
import {
  type ConcernedContract,
  getAlertEvents,
  getArgsBefore,
  getConcernedContracts,
  getFieldsBefore,
  getKnownContracts,
  getQueueingEvents,
  type KnownContract,
} from './alert-contents.ts'
import type { ClaimedMessage } from './alert-messages.ts'
import { coinItem, isCoinEvent } from './coin-alerts.ts'
import type { AlertEvent } from './delivery-records.ts'
import { type Description, describeEvent, queuedChangeOf } from './describe-event.ts'

export type Control = {
  readonly label: string
  readonly tone: Tone
  readonly text: string
  readonly reasons: readonly string[]
  /** Determined in or after the block of the event. */
  readonly isCurrent: boolean
  /** The last poll could not read everything, so this is the previous profile. */
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
  readonly event: AlertEvent
  /** The event's own severity, or the higher one of the event that queued its operation. */
  readonly severity: Severity
  readonly description: Description
  /** Subscribed contracts that the event concerns: the emitter, contracts it controls, or contracts it is about. */
  readonly contracts: readonly AlertContract[]
  /** Of an event about coins, which has no contracts. */
  readonly coin?: CoinEventContent
  readonly explorerUrl: string
}

export type Alert = {
  /** The id that recipients see, unique also among restored copies of the database. */
  readonly id: string
  /** The id of the message that this one retracts. */
  readonly retracts: string | null
  /** Whether it retracts every event of that message. */
  readonly retractsWhole: boolean
  /** It may report several transactions, because its channel collects them. */
  readonly isDigest: boolean
  readonly createdAt: Date
  readonly items: readonly AlertItem[]
  /** The delivery records that the message fulfills. */
  readonly deliveryIds: readonly number[]
}

type Deps = { readonly database: Queryable; readonly publicUrl: string }

/** The message of an alert, claimed or not. */
type AlertMessage = Pick<
  ClaimedMessage,
  'id' | 'uid' | 'retracts' | 'retractsUid' | 'retractsWhole' | 'createdAt' | 'collectsUntil' | 'events'
>

/** Loads the alerts of messages, in order. An alert without items has nothing left to send. */
export async function loadAlerts(
  { database, publicUrl }: Deps,
  messages: readonly AlertMessage[],
): Promise<readonly Alert[]> {
  const events = await getAlertEvents(database, [...new Set(messages.flatMap((message) => message.events))])
  // A retraction concerns the same subscriptions as the message it retracts.
  const concerned = await getConcernedContracts(
    database,
    messages.map(({ id, retracts }) => retracts ?? id),
  )
  const concernedOf = Map.groupBy(concerned, ({ messageId }) => messageId)
  const ids = [...events.keys()]
  const operations = [...events.values()].flatMap(({ id, operation }) => (operation === null ? [] : [id]))
  const [args, fields, queueingEvents, known] = await Promise.all([
    getArgsBefore(database, ids),
    getFieldsBefore(database, ids),
    getQueueingEvents(database, operations),
    getKnownContracts(database, [...events.values(), ...concerned]),
  ])
  const queueingEventsOf = Map.groupBy(queueingEvents, ({ eventId }) => eventId)
  const targets = [...events.values()].flatMap((event) =>
    (queuedChangeOf(event, queueingEventsOf.get(event.id) ?? [])?.calls ?? []).map(({ target }) => ({
      chainId: event.chainId,
      address: target,
    })),
  )
  const tokenOf = await getTokens(database, [...events.values(), ...targets])

  const itemOf = (event: AlertEvent, about: readonly ConcernedContract[]): AlertItem => ({
    event,
    severity: worstOf([event, ...(queueingEventsOf.get(event.id) ?? [])]),
    description: describeEvent(
      event,
      {
        args: args.get(event.id),
        fields: fields.get(event.id),
        queueingEvents: queueingEventsOf.get(event.id) ?? [],
      },
      tokenOf,
    ),
    contracts: contractsOf(event, about, known, publicUrl),
    explorerUrl: explorerUrlOf(event),
  })
  return messages.map((message) => {
    const { id, uid, retracts, retractsUid, retractsWhole, createdAt, collectsUntil, events: eventIds } = message
    const concernedHere = concernedOf.get(retracts ?? id) ?? []
    const about = Map.groupBy(concernedHere, ({ eventId }) => eventId)
    const items = eventIds.flatMap((eventId) => {
      const event = events.get(eventId)
      const wanted = about.get(eventId) ?? []
      if (event === undefined) return []
      // A replayed message leaves out events that were retracted since.
      const isValid = wanted.length > 0 && event.retractedAt === null
      if (retracts === null && !isValid) return []
      return isCoinEvent(event) ? [coinItem(event, publicUrl)] : [itemOf(event, wanted)]
    })
    const sentEvents = new Set(items.map(({ event }) => event.id))
    const deliveryIds =
      retracts === null ? concernedHere.flatMap((each) => (sentEvents.has(each.eventId) ? each.deliveryId : [])) : []
    return {
      id: uid,
      retracts: retractsUid,
      retractsWhole,
      isDigest: collectsUntil !== null,
      createdAt,
      items: items.toSorted(worstFirst),
      deliveryIds,
    }
  })
}

const worstOf = (events: readonly { readonly severity: Severity }[]): Severity =>
  SEVERITIES.findLast((severity) => events.some((event) => event.severity === severity)) ?? 'info'

const worstFirst = (a: AlertItem, b: AlertItem): number =>
  SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || a.event.id - b.event.id

function contractsOf(
  event: AlertEvent,
  about: readonly ConcernedContract[],
  known: ReadonlyMap<string, KnownContract>,
  publicUrl: string,
): readonly AlertContract[] {
  type Row = Pick<ConcernedContract, 'chainId' | 'address'> & { readonly subscriptionId: number | undefined }
  const emitter: Row = { chainId: event.chainId, address: event.address, subscriptionId: undefined }
  const grouped = Map.groupBy<string, Row>(
    about.length === 0 ? [emitter] : about,
    ({ chainId, address }) => `${chainId}:${address}`,
  )
  return [...grouped].flatMap(([key, rows]) => {
    const [first] = rows
    if (first === undefined) return []
    const chain = findChain(first.chainId)
    const contract = known.get(key)
    const slug = chain?.slug ?? String(first.chainId)
    return {
      chainId: first.chainId,
      chainSlug: slug,
      chainName: chain?.name ?? slug,
      address: first.address,
      name: contract?.name ?? null,
      protocol: contract?.protocol ?? null,
      control: controlOf(contract, event),
      subscriptionIds: rows.flatMap(({ subscriptionId }) => subscriptionId ?? []),
      appUrl: `${publicUrl}/contracts/${slug}/${first.address}`,
    }
  })
}

function controlOf(contract: KnownContract | undefined, event: AlertEvent): Control | null {
  const control = contract?.control ?? undefined
  if (contract === undefined || control === undefined) return null
  return {
    label: control.label,
    tone: control.tone,
    text: labelText(control.label, control.leader),
    reasons: control.reasons,
    isCurrent: contract.chainId === event.chainId && control.blockNumber >= event.blockNumber && !control.stale,
    isStale: control.stale,
    asOfBlock: control.blockNumber,
  }
}

/** A derived event has no transaction. */
function explorerUrlOf({ chainId, txHash, address, isDerived }: AlertEvent): string {
  const explorer = findChain(chainId)?.explorer ?? ''
  return isDerived ? `${explorer}/address/${address}` : `${explorer}/tx/${txHash}`
}
