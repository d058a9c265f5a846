/** The lines of an alert, the same in every channel. A channel passes its marks for bold and links, or builds its own structure. */
import { callAmount } from '../../../../vocabulary/call-sentence.ts'
import { type CoinEventContent, retractionText } from '../../../../vocabulary/coin-events.ts'
import { exactTime } from '../../../../vocabulary/time.ts'
import type { JsonValue } from '../catalog/value.ts'
import type { Alert, AlertContract, AlertItem } from './alert.ts'
import { type Change, type QueuedCall, type QueuedChange, shorten } from './describe-event.ts'

/** A part of a line. Its text is as a contract or an account wrote it: every channel escapes or structures it. */
export type Segment = {
  readonly style: 'plain' | 'bold' | 'code'
  readonly text: string
  /** Where the segment leads. */
  readonly url?: string
}
export type Line = readonly Segment[]

/** Formats text for a channel, within one line. Each function escapes its text. */
export type Marks = {
  readonly plain: (text: string) => string
  readonly bold: (text: string) => string
  readonly code: (text: string) => string
  readonly link: (text: string, url: string) => string
}

export const markLine = (line: Line, marks: Marks): string =>
  line.map(({ style, text, url }) => (url === undefined ? marks[style](text) : marks.link(text, url))).join('')

const plain = (text: string): Segment => ({ style: 'plain', text })
const bold = (text: string): Segment => ({ style: 'bold', text })
const code = (text: string): Segment => ({ style: 'code', text })
const link = (text: string, url: string): Segment => ({ style: 'plain', text, url })

/** Removes line breaks, which could fake a line of the message, and direction overrides, which could reverse it. */
export const oneLine = (text: string): string =>
  text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')

const MAX_CONTRACTS = 5
const MAX_CALLS = 10
const MAX_REASONS = 4

const nameOf = ({ name, address }: Pick<AlertContract, 'name' | 'address'>): string =>
  name === null ? address : shorten(name)

/** Addresses are cut, because the headline is also the subject of a mail. */
const shortAddresses = (text: string): string =>
  text.replaceAll(/\b0x[0-9a-f]{40}\b/gi, (address) => `${address.slice(0, 6)}…${address.slice(-4)}`)

export function headlineOf({ items, retracts }: Alert): string {
  const [first] = items
  if (first === undefined) return 'Gatewatch'
  const [contract] = first.contracts
  const where = contract === undefined ? '' : ` · ${nameOf(contract)} on ${contract.chainName}`
  const more = items.length > 1 ? ` (and ${items.length - 1} more)` : ''
  if (first.coin !== undefined)
    return `${retracts === null ? '' : 'Retracted: '}${first.description.title} · ${shortTarget(first.coin)}${more}`
  const severity = first.severity.toUpperCase()
  const prefix =
    retracts !== null ? 'Retracted' : first.event.confirmedAt === null ? `${severity} (unconfirmed)` : severity
  return shortAddresses(`${prefix}: ${first.description.title}${where}${more}`)
}

export function introOf({ items, retracts, isDigest }: Alert): string | undefined {
  if (retracts !== null && items[0]?.coin !== undefined) return retractionText(items[0].coin)
  if (retracts !== null)
    return 'A chain reorganization removed the block with this event, so it did not take effect. No action is needed. If the event happens again, you will get a new alert.'
  if (items.length === 1) return undefined
  const transactions = new Set(items.map(({ event }) => `${event.chainId} ${event.txHash}`)).size
  return isDigest && transactions > 1
    ? `Digest: ${items.length} events of ${transactions} transactions, the most severe first.`
    : `One transaction with ${items.length} events, the most severe first.`
}

/** The events that a message describes. A digest, or one transaction, may have any number of them. */
export const MAX_ITEMS = 30

/** Every event of an alert as lines, and a line for those that are left out. */
export function alertBlocks({ items, retracts }: Alert, maxItems = MAX_ITEMS): readonly (readonly Line[])[] {
  const shown = items.slice(0, maxItems)
  const left = items.length - shown.length
  return [
    ...shown.map((item) =>
      item.coin === undefined ? itemLines(item, { isRetracted: retracts !== null }) : coinLines(item, item.coin),
    ),
    ...(left === 0 ? [] : [[[plain(`and ${left} more events, which the deliveries page of your account lists`)]]]),
  ]
}

const UNCONFIRMED =
  'Unconfirmed: this block is new, and the chain can still replace it. If the event is not in the blocks that replace it, you will get a retraction.'

/** One event: what happened, to which contracts, who controls them, and what to do. */
function itemLines(
  { event, severity, description, contracts, explorerUrl }: AlertItem,
  { isRetracted }: { readonly isRetracted: boolean },
): readonly Line[] {
  const shown = contracts.slice(0, MAX_CONTRACTS)
  const isForeign = !contracts.some(({ chainId, address }) => chainId === event.chainId && address === event.address)
  return [
    [bold(`${severity.toUpperCase()}: ${description.title}`)],
    ...shown.map(contractLine),
    ...(contracts.length > shown.length ? [[plain(`and ${contracts.length - shown.length} more contracts`)]] : []),
    ...(isForeign
      ? [
          [
            plain('Emitted by '),
            ...(event.contract.name === null ? [] : [plain(`${event.contract.name} `)]),
            code(event.address),
          ],
        ]
      : []),
    ...description.changes.flatMap((change) => previousLine(change, description.title)),
    ...queuedLines(description.queued),
    ...description.facts.map(({ name, value }) => [plain(`${name}: `), code(value)]),
    ...shown.flatMap((contract) => controlLines(contract, shown.length > 1)),
    ...(isRetracted ? [] : [[plain(`What to do: ${description.advice}`)]]),
    ...(isRetracted || event.confirmedAt !== null ? [] : [[plain(UNCONFIRMED)]]),
    [
      plain(`Block ${event.blockNumber}, ${exactTime(event.blockTime.getTime())} · `),
      link(event.isDerived ? 'View contract' : 'View transaction', explorerUrl),
    ],
  ]
}

/** Long texts are cut in the headline, which is also the subject of a mail. */
const shortTarget = ({ targetKind, target }: CoinEventContent): string =>
  `${targetKind} ${target.length > 20 ? `${target.slice(0, 8)}…${target.slice(-6)}` : target}`

const TOO_MANY = 'A subscription reports a limited number of events in an hour. · '

/** One event about coins: what happened, to which address, wallet or transaction. */
function coinLines({ description, explorerUrl }: AlertItem, coin: CoinEventContent): readonly Line[] {
  const { targetKind, target, txid, replacedBy, blockHeight } = coin
  const subscribed = [plain(`Subscribed ${targetKind}: `), code(target)]
  if (txid === null)
    return [[bold(description.title)], subscribed, [plain(TOO_MANY), link(`View ${targetKind}`, explorerUrl)]]
  return [
    [bold(description.title)],
    ...(targetKind === 'transaction' && target === txid ? [] : [subscribed]),
    [plain('Transaction: '), code(txid)],
    ...(replacedBy === null ? [] : [[plain('Replaced by: '), code(replacedBy)]]),
    [
      plain(blockHeight === null ? 'Not in a block · ' : `Block ${blockHeight} · `),
      link('View transaction', explorerUrl),
    ],
  ]
}

const contractLine = (contract: AlertContract): Line => [
  plain('Contract: '),
  link(nameOf(contract), contract.appUrl),
  ...(contract.protocol === null ? [] : [plain(` (${shorten(contract.protocol)})`)]),
  plain(` on ${contract.chainName} `),
  code(contract.address),
]

/** The title states the new value, and often the previous one too. */
const previousLine = ({ what, from }: Change, title: string): readonly Line[] =>
  from === null || title.includes(from) ? [] : [[plain(`Previous ${what.toLowerCase()}: `), code(shorten(from))]]

function queuedLines(queued: QueuedChange | undefined): readonly Line[] {
  if (queued === undefined) return []
  const { calls, earliestExecution } = queued
  // The calls that are left out are not those that change control.
  const isLong = calls.length > MAX_CALLS
  const ordered = isLong ? calls.toSorted((a, b) => Number(b.isControl) - Number(a.isControl)) : calls
  const shown = ordered.slice(0, MAX_CALLS)
  return [
    ...(earliestExecution === undefined ? [] : [[plain(`Earliest execution: ${exactTime(earliestExecution)}`)]]),
    ...shown.map(callLine),
    ...(calls.length > shown.length ? [[plain(`and ${calls.length - shown.length} more calls`)]] : []),
  ]
}

function callLine(call: QueuedCall): Line {
  const { target, signature, selector, args = [], affects } = call
  const called = signature ?? selector
  if (called === undefined) return [plain('Transfer to '), code(target), plain(', without a function call')]
  const amount = callAmount(call)
  const texts = args.map((value, position) => (position === amount?.position ? amount.text : argumentText(value)))
  return [
    plain('Call: '),
    code(called),
    plain(' on '),
    code(target),
    ...(args.length === 0 ? [] : [plain(' with '), code(texts.join(', '))]),
    ...(affects.length > 1 ? [plain(', which acts on '), code(affects.slice(1).join(', '))] : []),
  ]
}

const argumentText = (value: JsonValue): string => shorten(typeof value === 'string' ? value : JSON.stringify(value))

/** States when the label was determined: one from before the event may no longer hold. */
function controlLines(contract: AlertContract, isNamed: boolean): readonly Line[] {
  const { control } = contract
  const whose = isNamed ? ` of ${nameOf(contract)}` : ''
  if (control === null) return [[plain(`Control${whose}: not determined yet`)]]
  const when = control.isCurrent
    ? ''
    : control.isStale
      ? ' at the last complete check'
      : ` as of block ${control.asOfBlock}, before this event`
  const reasons = control.reasons.slice(0, MAX_REASONS).map((reason) => [plain(`  ${shorten(reason)}`)])
  return [[plain(`Control${whose}${when}: ${control.text}`)], ...reasons]
}
