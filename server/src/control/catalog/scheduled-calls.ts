/**
 * Reads the calls that a timelock or governor event schedules.
 *
 * `severity.ts` decides how serious a call is.
 */

import type { Hex } from 'viem'
import { keccak256, parseAbiItem, stringToHex } from 'viem/utils'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import type { DecodedEvent } from './catalog.ts'
import { callsIn, type DecodedCall, decodeCall, isCut } from './inner-calls.ts'
import type { KnownCall } from './known-functions.ts'
import { type JsonValue, MISMATCH, readSequence, valueReader } from './value.ts'

/** A call that an event schedules, with the contract that it calls. */
export type ScheduledCall = KnownCall

/** A call as logged. Governors of the Compound family log the signature apart from the arguments. */
type LoggedCall = { readonly [part in 'target' | 'value' | 'signature' | 'data' | 'delegated']?: JsonValue | undefined }
type Args = DecodedEvent['args']

const single = (args: Args): LoggedCall[] => [
  {
    target: args.target,
    value: args.value,
    signature: args.signature,
    data: args.data,
    delegated: args.withDelegatecall,
  },
]

/** The calls of each event, by key. */
const READERS: Readonly<Record<string, (args: Args, emitter: Hex) => readonly LoggedCall[]>> = {
  'timelock.scheduled': single,
  'timelock.executed': single,
  'timelock.queued': single,
  'timelock.executed_tx': single,
  'timelock.cancelled_tx': single,
  'timelock.proposed': (args, emitter) => batchOf(args.executionData, emitter),
  'timelock.executed_solady': (args, emitter) => batchOf(args.executionData, emitter),
  'aave2.action_queued': single,
  'aave2.action_executed': single,
  'aave2.action_cancelled': single,
  'aave3.action_executed': single,
  'aave3.payload_created': (args) => membersOf(args.actions, 'callData'),
  'manager.op_scheduled': single,
  'zodiac.tx_added': (args) => [
    { target: args.to, value: args.value, data: args.data, delegated: args.operation === 1 },
  ],
  'axelar.proposal_scheduled': (args) => [{ target: args.target, value: args.value, data: args.callData }],
  'axelar.proposal_executed': (args) => [{ target: args.target, value: args.value, data: args.callData }],
  // The proxy of the pause delegates to the spell.
  'dspause.plotted': (args) => [{ target: args.usr, data: args.fax, delegated: true }],
  'dspause.executed': (args) => [{ target: args.usr, data: args.fax, delegated: true }],
  // Contracts that schedule their own changes: the call that would make the change at once.
  'access.default_admin_scheduled': (args, emitter) => [
    { target: emitter, signature: 'grantRole(bytes32,address)', data: wordsOf(0, args.newAdmin) },
  ],
  'access.default_admin_delay_scheduled': (args, emitter) => [
    { target: emitter, signature: 'changeDefaultAdminDelay(uint48)', data: wordsOf(args.newDelay) },
  ],
  'morpho.timelock_submitted': (args, emitter) => [
    { target: emitter, signature: 'submitTimelock(uint256)', data: wordsOf(args.newTimelock) },
  ],
  'morpho.guardian_submitted': (args, emitter) => [
    { target: emitter, signature: 'submitGuardian(address)', data: wordsOf(args.newGuardian) },
  ],
  'morpho2.submitted': (args, emitter) => [{ target: emitter, data: args.data }], // a vault schedules its own calls
  'governor.proposal_created': columnsOf,
  'aave2.proposal_created': columnsOf,
  'lido.proposal_submitted': (args) => membersOf(args.calls, 'payload'),
  'zk.handler_started': (args) => membersOf(recordOf(args._proposal).calls, 'data'),
}

const wordOf = (value: JsonValue | undefined): bigint =>
  typeof value === 'string' || typeof value === 'number' ? BigInt(value) : 0n

const wordsOf = (...values: readonly (JsonValue | undefined)[]): Hex =>
  `0x${values.map((value) => wordOf(value).toString(16).padStart(64, '0')).join('')}`

/**
 * The calls and those inside them, at any depth; not what they only queue in turn. Empty for events that schedule nothing,
 * and for events that were not decoded.
 */
export function scheduledCalls(event: DecodedEvent, emitter: Hex): readonly ScheduledCall[] {
  return scheduledCalldata(event, emitter).flatMap((call) => callsOf(call, emitter))
}

/** The code that scheduled calls run with the rights of the account behind the queue. */
export function delegatedTargets(event: DecodedEvent, emitter: Hex): readonly Hex[] {
  const calls = scheduledCalldata(event, emitter).flatMap((call) => [...callsIn(decoded(call, emitter))])
  return [
    ...new Set(
      calls.flatMap(({ from, operation, target }) => (from === emitter && operation === 'delegatecall' ? target : [])),
    ),
  ]
}

const decoded = ({ target, value, data, isDelegated }: Calldata, from: Hex): DecodedCall =>
  decodeCall({ from, to: target, value, data, operation: isDelegated ? 'delegatecall' : 'call' })

function callsOf(call: Calldata, emitter: Hex): readonly ScheduledCall[] {
  const root = decoded(call, emitter)
  const all = [...callsIn(root)].filter(({ isDeferred }) => !isDeferred)
  const calls = [...all.filter(({ isControl }) => isControl), ...all.filter(({ isControl }) => !isControl)]
  // What is not decoded may be anything.
  const more = isCut(root) ? { isControl: true } : {}
  return calls.slice(0, MAX_SCHEDULED).map((one) => ({ ...knownCall(one), ...more }))
}

/** Calls inside one scheduled call that are returned, those that change control before the others. */
const MAX_SCHEDULED = 200

const knownCall = ({ target, selector, signature, args, isControl, affects }: DecodedCall): ScheduledCall => ({
  target,
  ...(selector !== undefined && { selector }),
  ...(signature !== undefined && { signature }),
  ...(args !== undefined && { args }),
  isControl,
  affects,
})

/** A call as a contract receives it. */
export type Calldata = {
  readonly target: Hex
  readonly value: bigint
  readonly data: Hex
  /** The target runs with the storage and the rights of the queue. */
  readonly isDelegated: boolean
}

/** The same calls as contracts receive them. */
export function scheduledCalldata(
  { key, args, decode }: Pick<DecodedEvent, 'key' | 'args' | 'decode'>,
  emitter: Hex,
): readonly Calldata[] {
  const read = decode === 'ok' ? READERS[key] : undefined
  return read === undefined ? [] : read(args, emitter).flatMap(calldataOf)
}

const PAYLOAD = valueReader(
  parseAbiItem(
    'function payload((address creator, uint8 level, uint8 state, uint40 createdAt, uint40 queuedAt, uint40 executedAt, uint40 cancelledAt, uint40 expirationTime, uint40 delay, uint40 gracePeriod, (address target, bool withDelegateCall, uint8 accessLevel, uint256 value, string signature, bytes callData)[] actions))',
  ).inputs[0],
)

/** The calls of an Aave payload, as `getPayloadById` of its controller returns it. Undefined for another result. */
export function payloadCalldata(result: Hex): readonly Calldata[] | undefined {
  const hex = result.slice(2)
  const values = readSequence([PAYLOAD], { hex, budget: 4 * hex.length }, 0)
  if (values === MISMATCH) return undefined
  return membersOf(recordOf(values[0]).actions, 'callData').flatMap(calldataOf)
}

/** The same calls and those inside them. */
export const payloadCalls = (result: Hex, emitter: Hex): readonly ScheduledCall[] =>
  (payloadCalldata(result) ?? []).flatMap((call) => callsOf(call, emitter))

function recordOf(value: JsonValue | undefined): { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && !Array.isArray(value) ? (value as { readonly [name: string]: JsonValue }) : {}
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}

function membersOf(calls: JsonValue | undefined, dataName: string): LoggedCall[] {
  return listOf(calls).map((call) => {
    const { target, value, signature, [dataName]: data, withDelegateCall: delegated } = recordOf(call)
    return { target, value, signature, data, delegated }
  })
}

/** For events with targets, signatures and calldatas in separate lists. */
function columnsOf(args: Args): LoggedCall[] {
  const [values, signatures, calldatas, delegated] = [
    listOf(args.values),
    listOf(args.signatures),
    listOf(args.calldatas),
    listOf(args.withDelegatecalls),
  ]
  return listOf(args.targets).map((target, index) => ({
    target,
    value: values[index],
    signature: signatures[index],
    data: calldatas[index],
    delegated: delegated[index],
  }))
}

const batch = [
  valueReader({ type: 'tuple[]', components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }] }),
]

/** ERC-7821: the calls are the first encoded value, others may follow. The zero address means the account itself. */
function batchOf(executionData: JsonValue | undefined, emitter: Hex): LoggedCall[] {
  const hex = typeof executionData === 'string' ? executionData.slice(2) : ''
  const values = readSequence(batch, { hex, budget: hex.length }, 0)
  if (values === MISMATCH) return []
  return listOf(values[0]).map((call) => {
    const { arg0: to, arg1: value, arg2: data } = recordOf(call)
    return { target: to === ZERO_ADDRESS ? emitter : to, value, data }
  })
}

function calldataOf({ target, value, signature, data, delegated }: LoggedCall): Calldata[] {
  if (typeof target !== 'string' || typeof data !== 'string') return []
  const isNamed = typeof signature === 'string' && signature !== ''
  const calldata = isNamed ? `${keccak256(stringToHex(signature)).slice(0, 10)}${data.slice(2)}` : data
  const amount = typeof value === 'string' && /^\d{1,78}$/.test(value) ? BigInt(value) : 0n
  return [{ target: target as Hex, value: amount, data: calldata as Hex, isDelegated: delegated === true }]
}
