/**
 * An event in words: what happened, from what to what, and what is waiting to happen.
 *
 * Pure. Owns the words; each channel brings them into its own form.
 */
import { CONTROLLERS, DELAYS, IMPLEMENTATIONS, nextOf, previousOf, THRESHOLDS } from '../catalog/control-arguments.ts'
import type { EventArgs } from '../catalog/layout.ts'
import { type Phase, queuedOperation } from '../catalog/queued-operations.ts'
import type { ScheduledCall } from '../catalog/scheduled-calls.ts'
import { UNPUBLISHED } from '../catalog/slot-events.ts'
import type { Opening } from './alert-contents.ts'
import type { AlertedEvent } from './delivery-records.ts'

export type Change = { readonly what: string; readonly from: string | null; readonly to: string | null }

export type QueuedChange = {
  readonly phase: Phase
  /** Milliseconds since the epoch. */
  readonly earliestExecution: number | undefined
  readonly calls: readonly ScheduledCall[]
}

export type Description = {
  readonly title: string
  readonly changes: readonly Change[]
  readonly queued: QueuedChange | undefined
  /** Arguments that no sentence above tells. */
  readonly facts: readonly { readonly name: string; readonly value: string }[]
}

/** What is known beside the event itself. */
export type Before = {
  readonly args: EventArgs | undefined
  readonly fields: Readonly<Record<string, string | null>> | undefined
  readonly openings: readonly Opening[]
}

type Told = {
  readonly title: string
  readonly what: string
  readonly table: typeof CONTROLLERS
  readonly field?: string
}

const TOLD: readonly Told[] = [
  { title: 'New code', what: 'Implementation', table: IMPLEMENTATIONS, field: 'implementation' },
  { title: 'Control moved', what: 'Controller', table: CONTROLLERS },
  { title: 'Signature threshold changed', what: 'Threshold', table: THRESHOLDS, field: 'safeThreshold' },
  { title: 'Delay changed', what: 'Delay in seconds', table: DELAYS, field: 'minDelay' },
]

/** Where a snapshot keeps what an event calls by another name. */
const FIELDS: Readonly<Record<string, string>> = {
  'beacon.upgraded': 'implementation',
  'proxy.admin_changed': 'admin',
  'safe.master_copy': 'singleton',
}

export function describeEvent(event: AlertedEvent, before: Before): Description {
  const args = event.args as EventArgs
  const queued = queuedChangeOf(event, before.openings)
  if (event.eventKey === UNPUBLISHED.key) return { ...unpublished(args), queued }
  if (event.isDerived) return { ...silent(args), queued, facts: [] }
  for (const told of TOLD) {
    const decoded = asDecoded(event, args)
    const to = nextOf(told.table, decoded)
    if (to === undefined) continue
    const from = previousOf(told.table, decoded) ?? valueBefore(event, told, before)
    return {
      title: `${told.title}: ${wordsOf(event.eventKey)}`,
      changes: [{ what: told.what, from: from ?? null, to }],
      queued,
      facts: [],
    }
  }
  const title =
    queued === undefined ? wordsOf(event.eventKey) : `${QUEUED_TITLES[queued.phase]}: ${wordsOf(event.eventKey)}`
  const isTold = queued !== undefined && queued.calls.length > 0
  return { title, changes: [], queued, facts: isTold ? [] : factsOf(args) }
}

const QUEUED_TITLES: Readonly<Record<Phase, string>> = {
  proposed: 'A change is proposed',
  queued: 'A change is waiting',
  executed: 'A waiting change was executed',
  cancelled: 'A waiting change was cancelled',
}

const asDecoded = ({ eventKey, category, severity }: AlertedEvent, args: EventArgs) =>
  ({
    key: eventKey,
    args,
    category,
    severity,
    decode: args.decode === 'mismatch' ? 'mismatch' : 'ok',
    signature: '',
  }) as const

/** The event before it says what was in force; else the last look at the contract does. */
function valueBefore(event: AlertedEvent, { table, field }: Told, { args, fields }: Before): string | undefined {
  const said = args === undefined ? undefined : nextOf(table, asDecoded(event, args))
  const kept = FIELDS[event.eventKey] ?? (event.category === 'ownership' ? 'owner' : field)
  return said ?? (kept === undefined ? undefined : (fields?.[kept] ?? undefined))
}

function silent(args: EventArgs): Pick<Description, 'title' | 'changes'> {
  const change = lookedChange(args)
  return { title: `Silent change: ${change.what}, announced by no event`, changes: [change] }
}

function unpublished(args: EventArgs): Omit<Description, 'queued'> {
  const { reason } = args
  return {
    title: 'New code without published source',
    changes: [lookedChange(args)],
    facts: typeof reason === 'string' ? [{ name: 'reason', value: reason }] : [],
  }
}

/** As looking at state found it. */
const lookedChange = ({ field, previous, current }: EventArgs): Change => ({
  what: spaced(textOrNull(field) ?? 'state'),
  from: textOrNull(previous),
  to: textOrNull(current),
})

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function queuedChangeOf(event: AlertedEvent, openings: readonly Opening[]): QueuedChange | undefined {
  const own = queuedOperation({
    key: event.eventKey,
    args: event.args as EventArgs,
    address: event.address,
    blockTime: event.blockTime.getTime(),
  })
  if (own === undefined) return undefined
  const opened = openings.flatMap((opening) => queuedOperation(opening) ?? [])
  const calls = own.calls.length > 0 ? own.calls : opened.flatMap((operation) => operation.calls)
  const earliest = [own, ...opened].map(({ readyAt }) => readyAt).find((readyAt) => readyAt !== undefined)
  const isOpen = own.phase === 'queued' || own.phase === 'proposed'
  return { phase: own.phase, calls, earliestExecution: isOpen ? earliest : undefined }
}

/** `safe.changed_threshold` → `safe changed threshold`. */
const wordsOf = (key: string): string => key.replaceAll(/[._]/g, ' ')

/** `pendingOwner` → `pending owner`. */
const spaced = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const MOST_FACTS = 12
const MOST_CHARACTERS = 200

const factsOf = (args: EventArgs): Description['facts'] =>
  Object.entries(args)
    .slice(0, MOST_FACTS)
    .map(([name, value]) => ({ name, value: shortened(typeof value === 'string' ? value : JSON.stringify(value)) }))

export const shortened = (text: string): string =>
  text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`
