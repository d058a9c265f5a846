/** The lines of an alert, the same in mail and in Telegram. Each channel passes its own marks for bold and links. */
import { exactTime } from '../../../../vocabulary/time.ts'
import type { JsonValue } from '../catalog/value.ts'
import type { Alert, AlertContract, AlertItem } from './alert.ts'
import { type Change, type QueuedChange, shorten } from './describe-event.ts'

/** Formats text for a channel, within one line. Each function escapes its text. */
export type Marks = {
  readonly plain: (text: string) => string
  readonly bold: (text: string) => string
  readonly code: (text: string) => string
  readonly link: (text: string, url: string) => string
}

type QueuedCall = QueuedChange['calls'][number]

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
  const prefix = retracts === null ? first.severity.toUpperCase() : 'Retracted'
  return shortAddresses(`${prefix}: ${first.description.title}${where}${more}`)
}

export function introOf({ items, retracts }: Alert): string | undefined {
  if (retracts !== null)
    return 'A chain reorganization removed the block with this event, so it did not take effect. No action is needed. If the event happens again, you will get a new alert.'
  return items.length > 1 ? `One transaction with ${items.length} events, the most severe first.` : undefined
}

/** One event: what happened, to which contracts, who controls them, and what to do. */
export function itemLines(
  { event, severity, description, contracts, explorerUrl }: AlertItem,
  { isRetracted, marks }: { readonly isRetracted: boolean; readonly marks: Marks },
): readonly string[] {
  const { plain, bold, code, link } = marks
  const shown = contracts.slice(0, MAX_CONTRACTS)
  const isForeign = !contracts.some(({ chainId, address }) => chainId === event.chainId && address === event.address)
  return [
    bold(`${severity.toUpperCase()}: ${description.title}`),
    ...shown.flatMap((contract) => contractLines(contract, marks)),
    ...(contracts.length > shown.length ? [plain(`and ${contracts.length - shown.length} more contracts`)] : []),
    ...(isForeign
      ? [
          `${plain('Emitted by ')}${event.contract.name === null ? '' : plain(`${event.contract.name} `)}${code(event.address)}`,
        ]
      : []),
    ...description.changes.flatMap((change) => previousLine(change, description.title, marks)),
    ...queuedLines(description.queued, marks),
    ...description.facts.map(({ name, value }) => `${plain(`${name}: `)}${code(value)}`),
    ...shown.flatMap((contract) => controlLines(contract, shown.length > 1, marks)),
    ...(isRetracted ? [] : [plain(`What to do: ${description.advice}`)]),
    `${plain(`Block ${event.blockNumber}, ${exactTime(event.blockTime.getTime())} · `)}${link(event.isDerived ? 'View contract' : 'View transaction', explorerUrl)}`,
  ]
}

const contractLines = (contract: AlertContract, { plain, code, link }: Marks): readonly string[] => [
  `${plain('Contract: ')}${link(nameOf(contract), contract.appUrl)}${contract.protocol === null ? '' : plain(` (${shorten(contract.protocol)})`)}${plain(` on ${contract.chainName} `)}${code(contract.address)}`,
]

/** The title states the new value, and often the previous one too. */
const previousLine = ({ what, from }: Change, title: string, { plain, code }: Marks): readonly string[] =>
  from === null || title.includes(from) ? [] : [`${plain(`Previous ${what.toLowerCase()}: `)}${code(shorten(from))}`]

function queuedLines(queued: QueuedChange | undefined, marks: Marks): readonly string[] {
  if (queued === undefined) return []
  const { plain } = marks
  const { calls, earliestExecution } = queued
  const shown = calls.slice(0, MAX_CALLS)
  return [
    ...(earliestExecution === undefined ? [] : [plain(`Earliest execution: ${exactTime(earliestExecution)}`)]),
    ...shown.map((call) => callLine(call, marks)),
    ...(calls.length > shown.length ? [plain(`and ${calls.length - shown.length} more calls`)] : []),
  ]
}

function callLine({ target, signature, selector, args = [], affects }: QueuedCall, { plain, code }: Marks): string {
  const called = signature ?? selector
  if (called === undefined) return `${plain('Transfer to ')}${code(target)}${plain(', without a function call')}`
  const given = args.length === 0 ? '' : `${plain(' with ')}${code(args.map(argumentText).join(', '))}`
  const affected = affects.length > 1 ? `${plain(', which acts on ')}${code(affects.slice(1).join(', '))}` : ''
  return `${plain('Call: ')}${code(called)}${plain(' on ')}${code(target)}${given}${affected}`
}

const argumentText = (value: JsonValue): string => shorten(typeof value === 'string' ? value : JSON.stringify(value))

/** States when the label was determined: one from before the event may no longer hold. */
function controlLines(contract: AlertContract, isNamed: boolean, { plain }: Marks): readonly string[] {
  const { control } = contract
  const whose = isNamed ? ` of ${nameOf(contract)}` : ''
  if (control === null) return [plain(`Control${whose}: not determined yet`)]
  const when = control.isCurrent
    ? ''
    : control.isStale
      ? ' at the last complete check'
      : ` as of block ${control.asOfBlock}, before this event`
  const reasons = control.reasons.slice(0, MAX_REASONS).map((reason) => plain(`  ${shorten(reason)}`))
  return [plain(`Control${whose}${when}: ${control.text}`), ...reasons]
}
