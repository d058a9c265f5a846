/** What a person reads, line by line, the same in a mail and in a chat; each brings its own marks for bold and links. */
import type { JsonValue } from '../catalog/value.ts'
import type { Alert, AlertContract, AlertItem } from './alert.ts'
import { type QueuedChange, shortened } from './describe-event.ts'

/** How text becomes the text of a medium, within one line; plain parts are escaped by it too. */
export type Marks = {
  readonly plain: (text: string) => string
  readonly bold: (text: string) => string
  readonly code: (text: string) => string
  readonly link: (text: string, url: string) => string
}

const MOST_CONTRACTS = 5
const MOST_CALLS = 10
const MOST_REASONS = 4

export const nameOf = ({ name, address }: Pick<AlertContract, 'name' | 'address'>): string =>
  name === null ? address : shortened(name)

export function headlineOf({ items, retracts }: Alert): string {
  const [first] = items
  if (first === undefined) return 'Gatewatch'
  const [contract] = first.contracts
  const where = contract === undefined ? '' : ` · ${nameOf(contract)} on ${contract.chainName}`
  const more = items.length > 1 ? ` (and ${items.length - 1} more)` : ''
  return retracts === null
    ? `${first.severity.toUpperCase()}: ${first.description.title}${where}${more}`
    : `Taken back: ${first.description.title}${where}${more}`
}

export function introOf({ items, retracts }: Alert): string | undefined {
  if (retracts !== null)
    return 'The block that held this left the chain: as far as the chain is concerned, it has not happened. If it happens again, you will be told again.'
  return items.length > 1 ? `One transaction, ${items.length} events, the worst first.` : undefined
}

/** One event: what changed, for which contracts, who controls them. */
export function itemLines(
  { event, severity, description, contracts, explorerUrl }: AlertItem,
  marks: Marks,
): readonly string[] {
  const { plain, bold, code, link } = marks
  const shown = contracts.slice(0, MOST_CONTRACTS)
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
    ...description.changes.map(
      ({ what, from, to }) =>
        `${plain(`${what}: `)}${from === null ? plain('(not known)') : code(shortened(from))}${plain(' → ')}${to === null ? plain('(none)') : code(shortened(to))}`,
    ),
    ...queuedLines(description.queued, marks),
    ...description.facts.map(({ name, value }) => `${plain(`${name}: `)}${code(value)}`),
    ...shown.flatMap((contract) => controlLines(contract, shown.length > 1, marks)),
    `${plain(`Block ${event.blockNumber}, ${event.blockTime.toISOString()} · `)}${link('Explorer', explorerUrl)}`,
  ]
}

const contractLines = (contract: AlertContract, { plain, code, link }: Marks): readonly string[] => [
  `${link(nameOf(contract), contract.appUrl)}${contract.protocol === null ? '' : plain(` (${shortened(contract.protocol)})`)}${plain(` on ${contract.chainName} `)}${code(contract.address)}`,
]

function queuedLines(queued: QueuedChange | undefined, { plain, code }: Marks): readonly string[] {
  if (queued === undefined) return []
  const { calls, earliestExecution } = queued
  const shown = calls.slice(0, MOST_CALLS)
  return [
    ...(earliestExecution === undefined
      ? []
      : [plain(`Earliest execution: ${new Date(earliestExecution).toISOString()}`)]),
    ...shown.map(
      ({ target, signature, selector, args = [], affects }) =>
        `${plain('Calls ')}${code(signature ?? selector ?? 'a transfer of value')}${plain(' of ')}${code(target)}${args.length > 0 ? `${plain(' with ')}${code(args.map(shownArgument).join(', '))}` : ''}${affects.length > 1 ? `${plain(', which acts on ')}${code(affects.slice(1).join(', '))}` : ''}`,
    ),
    ...(calls.length > shown.length ? [plain(`and ${calls.length - shown.length} more calls`)] : []),
  ]
}

const shownArgument = (value: JsonValue): string => shortened(typeof value === 'string' ? value : JSON.stringify(value))

/** A label from before the event must not pass for what holds now. */
function controlLines(contract: AlertContract, isNamed: boolean, { plain }: Marks): readonly string[] {
  const { control } = contract
  const whose = isNamed ? ` of ${nameOf(contract)}` : ''
  if (control === null) return [plain(`Control${whose}: not looked at yet`)]
  const when = control.isCurrent
    ? 'now'
    : control.isStale
      ? 'as it was before; not all of it can be read at present'
      : `as of block ${control.asOfBlock}, before this; it is looked at again`
  const reasons = control.reasons.slice(0, MOST_REASONS).map((reason) => plain(`  ${shortened(reason)}`))
  return [plain(`Control${whose} (${when}): ${control.text}`), ...reasons]
}
