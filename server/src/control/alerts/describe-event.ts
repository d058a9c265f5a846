/** Describes an event for alerts: its sentence, the values before and after, the queued calls, and what to do. Pure. */

import type { Category } from '../../../../vocabulary/categories.ts'
import { cutText } from '../../../../vocabulary/cut-text.ts'
import { eventText } from '../../../../vocabulary/event-sentence.ts'
import { EVENT_TEMPLATES, STATE_FIELD_NAMES } from '../../../../vocabulary/event-templates.ts'
import type { Token } from '../../../../vocabulary/tokens.ts'
import type { Hex } from '../../lib/hex.ts'
import { CONTROLLERS, DELAYS, IMPLEMENTATIONS, nextOf, previousOf, THRESHOLDS } from '../catalog/control-arguments.ts'
import type { EventArgs } from '../catalog/layout.ts'
import { type Phase, type QueuedOperation, queuedOperation } from '../catalog/queued-operations.ts'
import type { ScheduledCall } from '../catalog/scheduled-calls.ts'
import { DELEGATE_CHANGED, LAYOUT_CHANGED, POWERS_CHANGED, UNPUBLISHED, WEAKENED } from '../catalog/slot-events.ts'
import type { JsonValue } from '../catalog/value.ts'
import type { TokenLookup } from '../registry/tokens.ts'
import type { QueueingEvent } from './alert-contents.ts'
import type { AlertEvent } from './delivery-records.ts'

export type Change = { readonly what: string; readonly from: string | null; readonly to: string | null }

export type QueuedChange = {
  readonly phase: Phase
  /** Milliseconds since the epoch. */
  readonly earliestExecution: number | undefined
  readonly calls: readonly QueuedCall[]
}

/** `token`: the target, if the registry knows it as a token. */
export type QueuedCall = ScheduledCall & { readonly token?: Token | undefined }

export type Description = {
  /** The sentence of the event, as on the page. */
  readonly title: string
  readonly changes: readonly Change[]
  readonly queued: QueuedChange | undefined
  /** Arguments that are not part of the sentence. */
  readonly facts: readonly { readonly name: string; readonly value: string }[]
  /** What the reader can do. */
  readonly advice: string
}

/** The state before the event. */
export type Before = {
  readonly args: EventArgs | undefined
  readonly fields: Readonly<Record<string, string | null>> | undefined
  readonly queueingEvents: readonly QueueingEvent[]
}

type ChangeKind = { readonly what: string; readonly table: typeof CONTROLLERS; readonly field?: string }

const CHANGE_KINDS: readonly ChangeKind[] = [
  { what: 'Implementation', table: IMPLEMENTATIONS, field: 'implementation' },
  { what: 'Controller', table: CONTROLLERS },
  { what: 'Threshold', table: THRESHOLDS, field: 'safeThreshold' },
  { what: 'Delay in seconds', table: DELAYS, field: 'minDelay' },
]

/** The snapshot field of events whose argument has another name. */
const FIELDS: Readonly<Record<string, string>> = {
  'beacon.upgraded': 'implementation',
  'proxy.admin_changed': 'admin',
  'safe.master_copy': 'singleton',
}

export function describeEvent(event: AlertEvent, before: Before, tokenOf: TokenLookup): Description {
  const args = event.args as EventArgs
  const queued = withTokens(queuedChangeOf(event, before.queueingEvents), event.chainId, tokenOf)
  const title = eventText(event, tokenOf(event))
  const advice = adviceFor(event, queued)
  if (event.eventKey.startsWith('pending.')) return { title, changes: [], queued, facts: [], advice }
  if (event.isDerived) return { title, changes: [stateChange(args)], queued, facts: reasonOf(args), advice }
  const change = changeOf(event, args, before)
  const hasCalls = queued !== undefined && queued.calls.length > 0
  const facts = change !== undefined || hasCalls ? [] : factsOf(event, title)
  return { title, changes: change === undefined ? [] : [change], queued, facts, advice }
}

const withTokens = (queued: QueuedChange | undefined, chainId: number, tokenOf: TokenLookup) =>
  queued && {
    ...queued,
    calls: queued.calls.map((call) => ({ ...call, token: tokenOf({ chainId, address: call.target }) })),
  }

function changeOf(event: AlertEvent, args: EventArgs, before: Before): Change | undefined {
  const decoded = asDecoded(event, args)
  for (const kind of CHANGE_KINDS) {
    const to = nextOf(kind.table, decoded)
    if (to === undefined) continue
    return { what: kind.what, from: previousOf(kind.table, decoded) ?? valueBefore(event, kind, before) ?? null, to }
  }
  return undefined
}

const asDecoded = ({ eventKey, category, severity }: AlertEvent, args: EventArgs) =>
  ({
    key: eventKey,
    args,
    category,
    severity,
    decode: args.decode === 'mismatch' ? 'mismatch' : 'ok',
    signature: '',
  }) as const

/** Takes the value from the previous event of this kind, otherwise from the last snapshot. */
function valueBefore(event: AlertEvent, { table, field }: ChangeKind, { args, fields }: Before): string | undefined {
  const previous = args === undefined ? undefined : nextOf(table, asDecoded(event, args))
  const name = FIELDS[event.eventKey] ?? (event.category === 'ownership' ? 'owner' : field)
  return previous ?? (name === undefined ? undefined : (fields?.[name] ?? undefined))
}

/** The change that a poll found in the state. */
function stateChange({ field, previous, current }: EventArgs): Change {
  const name = textOrNull(field) ?? 'state'
  return { what: STATE_FIELD_NAMES[name] ?? name, from: textOrNull(previous), to: textOrNull(current) }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const reasonOf = ({ reason }: EventArgs): Description['facts'] =>
  typeof reason === 'string' ? [{ name: 'Reason', value: reason }] : []

/** The queued operation that an event is about. */
export function queuedChangeOf(event: AlertEvent, queueingEvents: readonly QueueingEvent[]): QueuedChange | undefined {
  const own = queuedOperation({
    key: event.eventKey,
    args: event.args as EventArgs,
    address: event.address,
    blockTime: event.blockTime.getTime(),
  })
  const operations = queueingEvents.flatMap((queueing) => queuedOperation(queueing) ?? [])
  if (event.eventKey === 'pending.queued' || event.eventKey === 'pending.ready')
    return { phase: 'queued', calls: reportedCalls(event.args as EventArgs), earliestExecution: undefined }
  if (own === undefined && event.isDerived && operations.length > 0) return queuedChange('queued', operations)
  if (own === undefined) return undefined
  const calls = own.calls.length > 0 ? own.calls : operations.flatMap((operation) => operation.calls)
  const earliest = [own, ...operations].map(({ readyAt }) => readyAt).find((readyAt) => readyAt !== undefined)
  const isOpen = own.phase === 'queued' || own.phase === 'proposed'
  return { phase: own.phase, calls, earliestExecution: isOpen ? earliest : undefined }
}

/** The calls of a Safe transaction, from the warning about it: no event of the Safe contains them yet. */
function reportedCalls({ calls }: EventArgs): readonly ScheduledCall[] {
  if (!Array.isArray(calls)) return []
  return (calls as readonly Readonly<Record<string, JsonValue>>[]).flatMap(
    ({ to, function: name, arguments: args }): readonly ScheduledCall[] => {
      if (typeof to !== 'string') return []
      const isNamed = typeof name === 'string' && name.includes('(')
      return [
        {
          target: to as Hex,
          isControl: false,
          affects: [],
          ...(isNamed ? { signature: name } : typeof name === 'string' ? { selector: name as Hex } : {}),
          ...(Array.isArray(args) && { args: args as readonly JsonValue[] }),
        },
      ]
    },
  )
}

/** The change that a warning about a queue refers to. */
function queuedChange(phase: Phase, operations: readonly QueuedOperation[]): QueuedChange {
  const earliestExecution = operations.map(({ readyAt }) => readyAt).find((readyAt) => readyAt !== undefined)
  return { phase, calls: operations.flatMap(({ calls }) => calls), earliestExecution }
}

const CATEGORY_ADVICE: Readonly<Record<Category, string>> = {
  upgrade: 'Check that the project announced this upgrade and published the source of the new code.',
  ownership: 'Check that the project announced this change of control.',
  access: 'Check that the account is meant to have this permission.',
  pause: 'Check the announcements of the project for the reason.',
  multisig: 'Check that the project announced this change of the multisig.',
  timelock: 'Check that the project announced this operation.',
  governance: 'Read the proposal and check that it is expected.',
  token_admin: 'Check that the project announced this change of the token.',
}

const PHASE_ADVICE: Readonly<Record<Phase, string>> = {
  proposed: 'Review the calls before the proposal passes.',
  queued: 'Review the calls before they can be executed. Until then they can still be canceled.',
  executed: 'Check that the calls did what the project announced.',
  canceled: 'No action is needed: the calls will not be executed.',
}

function adviceFor({ eventKey, category, isDerived }: AlertEvent, queued: QueuedChange | undefined): string {
  if (eventKey === UNPUBLISHED.key) return 'Treat the new code as unverified until its source is published.'
  if (eventKey === LAYOUT_CHANGED.key)
    return 'Check that the upgrade converts what the old code stored: otherwise the new code reads it as something else.'
  if (eventKey === POWERS_CHANGED.key || eventKey === WEAKENED.key)
    return 'Check who holds the power now, and that the project announced it.'
  if (eventKey === DELEGATE_CHANGED.key)
    return 'Ask the owner of the account whether this was intended: the code can act as the account, and its key may be stolen.'
  if (eventKey === 'pending.queued')
    return 'Review the calls before enough owners sign. A transaction with the same nonce can still replace it.'
  if (eventKey === 'pending.ready')
    return 'Review the calls: any account can execute them now. A transaction with the same nonce can still replace it.'
  if (eventKey === 'pending.target_changed')
    return 'Review the new code before the queued change is executed: it may do something else than what was reviewed.'
  if (isDerived && queued === undefined) return 'Ask the project why this changed without an event.'
  return queued === undefined ? CATEGORY_ADVICE[category] : PHASE_ADVICE[queued.phase]
}

const MAX_FACTS = 12
const MAX_CHARACTERS = 200

/** A template names what matters of an event. Without one, the arguments that the sentence leaves out are listed. */
const factsOf = ({ eventKey, args }: AlertEvent, title: string): Description['facts'] =>
  EVENT_TEMPLATES[eventKey] !== undefined
    ? []
    : Object.entries(args)
        .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) }))
        .filter(({ value }) => !title.includes(value))
        .slice(0, MAX_FACTS)
        .map(({ name, value }) => ({ name, value: shorten(value) }))

export const shorten = (text: string): string =>
  text.length <= MAX_CHARACTERS ? text : `${cutText(text, MAX_CHARACTERS)}…`
