/**
 * Reads the calls that a timelock or governor event schedules.
 *
 * `severity.ts` decides how serious a call is.
 */

import { type Hex, keccak256, stringToHex } from 'viem'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import type { DecodedEvent } from './catalog.ts'
import { describeCall, type KnownCall } from './known-functions.ts'
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
    { target: args.to, value: args.value, data: args.data, delegated: args.operation === '1' },
  ],
  'axelar.proposal_scheduled': (args) => [{ target: args.target, value: args.nativeValue, data: args.callData }],
  'axelar.proposal_executed': (args) => [{ target: args.target, data: args.callData }],
  'dspause.plotted': (args) => [{ target: args.usr, data: args.fax }],
  'dspause.executed': (args) => [{ target: args.usr, data: args.fax }],
  'morpho2.submitted': (args, emitter) => [{ target: emitter, data: args.data }], // a vault schedules its own calls
  'governor.proposal_created': columnsOf,
  'aave2.proposal_created': columnsOf,
  'lido.proposal_submitted': (args) => membersOf(args.calls, 'payload'),
  'zk.handler_started': (args) => membersOf(recordOf(args._proposal).calls, 'data'),
}

/** Empty for events that schedule nothing, and for events that were not decoded. */
export function scheduledCalls(event: DecodedEvent, emitter: Hex): readonly ScheduledCall[] {
  return scheduledCalldata(event, emitter).map(({ target, data }) => describeCall(target, data))
}

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
