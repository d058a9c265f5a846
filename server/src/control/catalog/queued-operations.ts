/**
 * Finds the timelock or governor operation that an event opens or closes: its id, its phase and when it is ready.
 *
 * `scheduled-calls.ts` finds the calls of the operation.
 */
import type { Hex } from 'viem'
import { keccak256, stringToHex } from 'viem/utils'
import type { EventArgs } from './layout.ts'
import { type ScheduledCall, scheduledCalls } from './scheduled-calls.ts'

export type Phase = 'proposed' | 'queued' | 'executed' | 'canceled'

/** The phase of each event, and the arguments that identify the operation. A name with `#` identifies the only one of its contract. */
const OPERATIONS: Readonly<Record<string, readonly [phase: Phase, ...names: string[]]>> = {
  'timelock.scheduled': ['queued', 'id'],
  'timelock.proposed': ['queued', 'id'],
  'timelock.executed': ['executed', 'id'],
  'timelock.executed_solady': ['executed', 'id'],
  'timelock.cancelled': ['canceled', 'id'],
  'timelock.queued': ['queued', 'txHash'],
  'timelock.executed_tx': ['executed', 'txHash'],
  'timelock.cancelled_tx': ['canceled', 'txHash'],
  'aave2.action_queued': ['queued', 'actionHash'],
  'aave2.action_executed': ['executed', 'actionHash'],
  'aave2.action_cancelled': ['canceled', 'actionHash'],
  'aave2.proposal_created': ['proposed', 'id'],
  'aave2.proposal_queued': ['queued', 'id'],
  'aave2.proposal_executed': ['executed', 'id'],
  'aave3.proposal_created': ['proposed', 'proposalId'],
  'aave3.proposal_queued': ['queued', 'proposalId'],
  'aave3.proposal_executed': ['executed', 'proposalId'],
  'aave3.proposal_canceled': ['canceled', 'proposalId'],
  'aave3.payload_created': ['proposed', 'payloadId'],
  'aave3.payload_queued': ['queued', 'payloadId'],
  'aave3.payload_executed': ['executed', 'payloadId'],
  'aave3.payload_cancelled': ['canceled', 'payloadId'],
  'manager.op_scheduled': ['queued', 'operationId', 'nonce'],
  'manager.op_executed': ['executed', 'operationId', 'nonce'],
  'manager.op_canceled': ['canceled', 'operationId', 'nonce'],
  'zodiac.tx_added': ['queued', 'queueNonce'],
  'axelar.proposal_scheduled': ['queued', 'proposalHash'],
  'axelar.proposal_executed': ['executed', 'proposalHash'],
  'dspause.plotted': ['queued', 'usr', 'tag', 'fax', 'eta'],
  'dspause.executed': ['executed', 'usr', 'tag', 'fax', 'eta'],
  'dspause.dropped': ['canceled', 'usr', 'tag', 'fax', 'eta'],
  'access.default_admin_scheduled': ['queued', '#default_admin'],
  'access.default_admin_canceled': ['canceled', '#default_admin'],
  'access.default_admin_delay_scheduled': ['queued', '#default_admin_delay'],
  'access.default_admin_delay_canceled': ['canceled', '#default_admin_delay'],
  'morpho.timelock_submitted': ['queued', '#timelock'],
  'morpho.timelock_revoked': ['canceled', '#timelock'],
  'morpho.guardian_submitted': ['queued', '#guardian'],
  'morpho.guardian_revoked': ['canceled', '#guardian'],
  'morpho.cap_submitted': ['queued', '#cap', 'id'],
  'morpho.cap_revoked': ['canceled', '#cap', 'id'],
  'morpho.removal_submitted': ['queued', '#removal', 'id'],
  'morpho.removal_revoked': ['canceled', '#removal', 'id'],
  'morpho2.submitted': ['queued', 'data'],
  'morpho2.accepted': ['executed', 'data'],
  'morpho2.revoked': ['canceled', 'data'],
  'governor.proposal_created': ['proposed', 'proposalId'],
  'governor.proposal_queued': ['queued', 'proposalId'],
  'governor.proposal_executed': ['executed', 'proposalId'],
  'governor.proposal_canceled': ['canceled', 'proposalId'],
  'lido.proposal_submitted': ['proposed', 'id'],
  // Queued off the chain, by signatures.
  'safe.exec_ok': ['executed', 'txHash'],
  'safe.exec_fail': ['canceled', 'txHash'],
  'zk.handler_started': ['queued', '_id'],
  'zk.handler_executed': ['executed', '_id'],
}

/** The names of operations of which a contract has one at a time. */
const SINGLE: ReadonlySet<string> = new Set(
  Object.values(OPERATIONS).flatMap(([, name = '']) => (name.startsWith('#') ? name.slice(1) : [])),
)

/** Whether queueing the operation again replaces what was queued before: its execution has no event. */
export const isSingleOperation = (operation: string): boolean => SINGLE.has(operation.split(':')[0] ?? '')

/** The arguments with the time of the earliest execution, in seconds since the epoch. */
const READY_AT = [
  'eta',
  'readyTimestamp',
  'executionTime',
  'schedule',
  'executableAt',
  'acceptSchedule',
  'effectSchedule',
] as const

export type QueuedOperation = {
  /** The id of the operation, unique per emitter. */
  readonly operation: string
  readonly phase: Phase
  /** The calls it will make. Most closing events do not contain them. */
  readonly calls: readonly ScheduledCall[]
  /** Milliseconds since the epoch. Undefined unless the phase is `queued` and the event contains it. */
  readonly readyAt: number | undefined
}

type StoredEvent = {
  readonly key: string
  readonly args: EventArgs
  readonly address: Hex
  /** Milliseconds since the epoch. */
  readonly blockTime: number
}

export function queuedOperation({ key, args, address, blockTime }: StoredEvent): QueuedOperation | undefined {
  const [phase, ...names] = OPERATIONS[key] ?? []
  if (phase === undefined || args.decode === 'mismatch') return undefined
  const parts = names.map((name) => (name.startsWith('#') ? name.slice(1) : textOf(args[name])))
  const calls = scheduledCalls(
    { key, args, decode: 'ok', category: 'timelock', severity: 'info', signature: '' },
    address,
  )
  return { operation: shortened(parts.join(':')), phase, calls, readyAt: readyAtOf(phase, args, blockTime) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Long ids, which contain calldata, are replaced by their hash. */
const shortened = (name: string): string => (name.length <= 150 ? name : keccak256(stringToHex(name)))

function readyAtOf(phase: Phase, args: EventArgs, blockTime: number): number | undefined {
  if (phase !== 'queued') return undefined
  const delay = secondsOf(args.delay)
  if (delay !== undefined) return blockTime + delay * 1_000
  const instant = READY_AT.map((name) => secondsOf(args[name])).find((seconds) => seconds !== undefined)
  return instant === undefined || instant === 0 ? undefined : instant * 1_000
}

/** Larger numbers are not dates. */
const MAX_SECONDS = 8_000_000_000

function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isSafeInteger(seconds) && seconds >= 0 && seconds < MAX_SECONDS ? seconds : undefined
}
