/**
 * The steps of an operation, and what follows from them. Pure.
 *
 * A step is one event: it proposes, queues, executes or cancels the operation. A batch has one event for each of its calls.
 */
import { concatHex, keccak256, numberToHex } from 'viem/utils'
import type { PendingFamily } from '../../../../vocabulary/pending.ts'
import { SEVERITIES, type Severity, severityRank } from '../../../../vocabulary/severities.ts'
import type { Hex } from '../../lib/hex.ts'
import { type CallProblem, callsIn, type DecodedCall, decodeCall } from '../catalog/inner-calls.ts'
import type { EventArgs } from '../catalog/layout.ts'
import { type Phase, queuedOperation } from '../catalog/queued-operations.ts'
import { type Calldata, scheduledCalldata } from '../catalog/scheduled-calls.ts'
import type { JsonValue } from '../catalog/value.ts'

export type Step = {
  readonly phase: Phase
  readonly severity: Severity
  readonly blockNumber: number
  /** Milliseconds since the epoch. */
  readonly blockTime: number
  readonly logIndex: number
  readonly txHash: Hex
  /** The account that the event names as the one that proposed or queued it. */
  readonly queuedBy: Hex | undefined
  /** Milliseconds since the epoch. */
  readonly readyAt: number | undefined
  readonly calls: readonly PendingCall[]
  readonly callCount: number
  /** One hash for each call, of all that it contains. */
  readonly digests: readonly Hex[]
}

export type PendingCall = Pick<DecodedCall, 'target' | 'selector' | 'signature' | 'args' | 'isControl'> & {
  /** `unread`: its calls are on a chain that could not be read. */
  readonly problem?: CallProblem | 'unread'
  /** Missing if it is the chain of the operation. */
  readonly chainId?: number
  readonly isDelegated?: true
  /** Wei, in decimal digits; missing for none. */
  readonly value?: string
  /** Calls that this call makes, as far as they are encoded in its arguments. */
  readonly calls?: readonly PendingCall[]
}

export type OperationStep = {
  readonly family: PendingFamily
  readonly operation: string
  readonly step: Step
  readonly targets: readonly Target[]
}

export type Target = {
  readonly address: Hex
  readonly isAffected: boolean
  /** Code that is delegated to, the target of a control function or an address in its arguments. */
  readonly isSerious: boolean
}

type StoredEvent = {
  readonly key: string
  readonly args: EventArgs
  readonly address: Hex
  readonly severity: Severity
  readonly blockNumber: number
  readonly blockTime: number
  readonly logIndex: number
  readonly txHash: Hex
}

/** The family of the contract, by the key of its event. The longest prefix decides. */
const FAMILIES: readonly (readonly [prefix: string, family: PendingFamily])[] = [
  ['timelock.proposed', 'solady_timelock'],
  ['timelock.executed_solady', 'solady_timelock'],
  ['timelock.queued', 'compound_timelock'],
  ['timelock.executed_tx', 'compound_timelock'],
  ['timelock.cancelled_tx', 'compound_timelock'],
  ['timelock.', 'oz_timelock'],
  ['aave2.action_', 'aave_executor'],
  ['aave2.', 'aave_governance'],
  ['aave3.proposal_', 'aave_governance'],
  ['aave3.', 'aave_payloads'],
  ['access.default_admin_', 'default_admin'],
  ['manager.', 'access_manager'],
  ['zodiac.', 'zodiac_delay'],
  ['axelar.', 'axelar_governance'],
  ['dspause.', 'maker_pause'],
  ['morpho.', 'morpho_vault'],
  ['morpho2.', 'morpho_vault'],
  ['governor.', 'governor'],
  ['lido.', 'lido_governance'],
  ['zk.', 'zksync_governance'],
]

/** The arguments that name the account behind a step. */
const QUEUED_BY = ['proposer', 'creator', 'caller', 'initiatorQueueing'] as const

/** Calls of one operation that are stored. The others are counted. */
export const MAX_CALLS = 100
/** Addresses of one operation whose code is watched, and of those the serious ones. */
export const MAX_TARGETS = 50
export const MAX_SERIOUS_TARGETS = 200

/** Undefined for an event that is not a step of an operation. */
export function stepOf(event: StoredEvent): OperationStep | undefined {
  const queued = queuedOperation(event)
  const family = FAMILIES.find(([prefix]) => event.key.startsWith(prefix))?.[1]
  if (queued === undefined || family === undefined) return undefined
  const by = QUEUED_BY.map((name) => event.args[name]).find(isAddress)
  const { operation, phase, readyAt } = queued
  const isOpening = phase === 'proposed' || phase === 'queued'
  const calldata = isOpening ? scheduledCalldata({ key: event.key, args: event.args, decode: 'ok' }, event.address) : []
  const calls = calldata.map((call) => decodedOf(call, event.address))
  const { severity, blockNumber, blockTime, logIndex, txHash } = event
  return {
    family,
    operation,
    targets: targetsOf(calls),
    step: {
      phase,
      severity,
      blockNumber,
      blockTime,
      logIndex,
      txHash,
      queuedBy: isOpening ? by : undefined,
      readyAt,
      calls: storedCalls(calls),
      callCount: calls.length,
      digests: calldata.length > MAX_DIGESTS ? [] : calldata.map(digestOf),
    },
  }
}

export const decodedOf = ({ target, value, data, isDelegated }: Calldata, from: Hex): DecodedCall =>
  decodeCall({ from, to: target, value, data, operation: isDelegated ? 'delegatecall' : 'call' })

/** Operations with more calls are not compared with others. */
const MAX_DIGESTS = 1_000

const digestOf = ({ target, value, data, isDelegated }: Calldata): Hex =>
  keccak256(concatHex([target, numberToHex(value, { size: 32 }), isDelegated ? '0x01' : '0x00', data]))

const isAddress = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value)

/**
 * The contracts that the calls affect, and the addresses in the arguments of control functions, such as new code. Code that is
 * delegated to and the targets of control functions come first, so that other calls of the operation do not displace them.
 */
export function targetsOf(outer: readonly DecodedCall[]): readonly Target[] {
  const calls = outer.flatMap((call) => [...callsIn(call)])
  const control = calls.filter(({ isControl }) => isControl)
  const affected = new Set(calls.flatMap(({ affects }) => affects))
  const delegated = calls.flatMap(({ operation, target }) => (operation === 'delegatecall' ? target : []))
  const first = control.flatMap(({ affects, args = [] }) => [...affects, ...args.filter(isAddress)])
  const serious = new Set([...delegated, ...first])
  return [...new Set([...serious, ...affected])]
    .slice(0, MAX_TARGETS)
    .map((address) => ({ address, isAffected: affected.has(address), isSerious: serious.has(address) }))
}

const MAX_TEXT = 300

/** An argument can be as long as a transaction. Long ones are cut. */
function shortened(value: JsonValue): JsonValue {
  if (typeof value === 'string' && value.length > MAX_TEXT)
    return `${value.slice(0, MAX_TEXT)}… (${value.length} characters)`
  if (typeof value !== 'object') return value
  const text = JSON.stringify(value)
  return text.length <= 10 * MAX_TEXT ? value : `${text.slice(0, MAX_TEXT)}… (${text.length} characters)`
}

type Weighed = Pick<PendingCall, 'isControl' | 'isDelegated'> & {
  readonly operation?: DecodedCall['operation']
  readonly calls?: readonly Weighed[]
}

/** Whether a call, or one inside it, changes control or runs code with the rights of the queue. */
const isSerious = ({ isControl, isDelegated, operation, calls = [] }: Weighed): boolean =>
  isControl || isDelegated === true || operation === 'delegatecall' || calls.some(isSerious)

/** Of more calls than are stored, the serious ones come first: the others must not displace them. */
function seriousFirst<T extends Weighed>(calls: readonly T[], count: number): readonly T[] {
  if (count <= MAX_CALLS) return calls
  return [...calls.filter(isSerious), ...calls.filter((call) => !isSerious(call))]
}

/** The calls with the calls inside them, `MAX_CALLS` in all. */
export function storedCalls(calls: readonly DecodedCall[]): readonly PendingCall[] {
  let left = MAX_CALLS
  const count = calls.reduce((sum, call) => sum + [...callsIn(call)].length, 0)
  const store = (call: DecodedCall): readonly PendingCall[] => {
    if (left <= 0) return []
    left -= 1
    const { target, selector, signature, isControl, args, problem, operation, value } = call
    const inner = seriousFirst(call.calls, count).flatMap(store)
    return [
      {
        target,
        isControl,
        ...(selector !== undefined && { selector }),
        ...(signature !== undefined && { signature }),
        ...(args !== undefined && { args: args.map(shortened) }),
        ...(value !== '0' && { value }),
        ...(problem !== undefined && { problem }),
        ...(operation === 'delegatecall' && { isDelegated: true as const }),
        ...(inner.length > 0 && { calls: inner }),
      },
    ]
  }
  return seriousFirst(calls, count).flatMap(store)
}

export type OperationState = 'proposed' | 'queued' | 'executed' | 'canceled'

export type Operation = {
  readonly state: OperationState
  readonly severity: Severity
  readonly queuedAt: number
  readonly queuedBlock: number
  readonly queuedTx: Hex
  readonly queuedBy: Hex | undefined
  readonly earliestAt: number | undefined
  readonly closedAt: number | undefined
  readonly closedTx: Hex | undefined
  readonly calls: readonly PendingCall[]
  readonly callCount: number
  readonly digests: readonly Hex[]
}

const isOpen = (phase: Phase): boolean => phase === 'proposed' || phase === 'queued'

/**
 * Computes an operation from its steps. An operation that was closed can be queued again under the same id: only the
 * steps since then count. Undefined without steps.
 *
 * `isSingle`: of several that were queued, only the last counts.
 */
export function operationOf(steps: readonly Step[], isSingle = false): Operation | undefined {
  const ordered = steps.toSorted((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  const last = ordered.at(-1)
  if (last === undefined) return undefined
  const lastOpen = ordered.findLastIndex(({ phase }) => isOpen(phase))
  const closedBefore = ordered.findLastIndex(({ phase }, at) => at < lastOpen && !isOpen(phase))
  const current = ordered.slice(isSingle ? Math.max(closedBefore + 1, lastOpen) : closedBefore + 1)
  const opening = current.filter(({ phase }) => isOpen(phase))
  const first = opening.find(({ phase }) => phase === 'queued') ?? opening[0] ?? last
  const calls = opening.flatMap((step) => step.calls)
  const readyTimes = opening.flatMap(({ readyAt }) => readyAt ?? [])
  const isClosed = !isOpen(last.phase)
  return {
    state: last.phase === 'proposed' && opening.some(({ phase }) => phase === 'queued') ? 'queued' : last.phase,
    severity: SEVERITIES[Math.max(0, ...opening.map(({ severity }) => severityRank(severity)))] ?? 'info',
    queuedAt: first.blockTime,
    queuedBlock: first.blockNumber,
    queuedTx: first.txHash,
    queuedBy: opening.find(({ queuedBy }) => queuedBy !== undefined)?.queuedBy,
    earliestAt: readyTimes.length === 0 ? undefined : readyTimes.reduce((a, b) => Math.max(a, b)),
    closedAt: isClosed ? last.blockTime : undefined,
    closedTx: isClosed ? last.txHash : undefined,
    calls: seriousFirst(calls, calls.length).slice(0, MAX_CALLS),
    callCount: opening.reduce((sum, { callCount }) => sum + callCount, 0),
    digests: opening.flatMap(({ digests }) => digests),
  }
}
