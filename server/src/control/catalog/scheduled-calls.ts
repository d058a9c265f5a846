/**
 * Reads the calls that a timelock or governor event schedules.
 *
 * `severity.ts` decides how serious a call is.
 */

import { type AbiFunction, type Hex, keccak256, parseAbiItem, stringToHex, toFunctionSelector } from 'viem'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import type { DecodedEvent } from './catalog.ts'
import { type JsonValue, MISMATCH, readSequence, type ValueReader, valueReader, wordReader } from './value.ts'

export type ScheduledCall = {
  readonly target: Hex
  /** Undefined for a transfer without a function call. */
  readonly selector?: Hex
  /** The signature, if the function is known. */
  readonly signature?: string
  /** The arguments, if they can be decoded. */
  readonly args?: readonly JsonValue[]
  readonly isControl: boolean
  /** The target, and the contract in the arguments of an admin function. */
  readonly affects: readonly Hex[]
}

/** A call as logged. Governors of the Compound family log the signature apart from the arguments. */
type LoggedCall = { readonly [part in 'target' | 'signature' | 'data']?: JsonValue | undefined }
type Args = DecodedEvent['args']

const single = (args: Args): LoggedCall[] => [{ target: args.target, signature: args.signature, data: args.data }]

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
  'zodiac.tx_added': (args) => [{ target: args.to, data: args.data }],
  'axelar.proposal_scheduled': (args) => [{ target: args.target, data: args.callData }],
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
  const read = event.decode === 'ok' ? READERS[event.key] : undefined
  return read === undefined ? [] : read(event.args, emitter).flatMap(describe)
}

function recordOf(value: JsonValue | undefined): { readonly [name: string]: JsonValue } {
  return typeof value === 'object' && !Array.isArray(value) ? (value as { readonly [name: string]: JsonValue }) : {}
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}

function membersOf(calls: JsonValue | undefined, dataName: string): LoggedCall[] {
  return listOf(calls).map((call) => {
    const { target, signature, [dataName]: data } = recordOf(call)
    return { target, signature, data }
  })
}

/** For events with targets, signatures and calldatas in separate lists. */
function columnsOf(args: Args): LoggedCall[] {
  const [signatures, calldatas] = [listOf(args.signatures), listOf(args.calldatas)]
  return listOf(args.targets).map((target, index) => ({ target, signature: signatures[index], data: calldatas[index] }))
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
    const { arg0: to, arg2: data } = recordOf(call)
    return { target: to === ZERO_ADDRESS ? emitter : to, data }
  })
}

const readAddress = wordReader('address')

function describe({ target, signature, data }: LoggedCall): ScheduledCall[] {
  if (typeof target !== 'string' || typeof data !== 'string') return []
  const isNamed = typeof signature === 'string' && signature !== ''
  const selector = isNamed ? keccak256(stringToHex(signature)).slice(0, 10) : data.slice(0, 10)
  const address = target as Hex
  if (selector.length < 10) return [{ target: address, isControl: false, affects: [address] }]
  const known = KNOWN_FUNCTIONS.get(selector as Hex)
  const call = { target: address, selector: selector as Hex, isControl: known?.isControl ?? false }
  if (known === undefined) return [{ ...call, affects: [address] }]
  const argumentsHex = data.slice(isNamed ? 2 : 10)
  const subject = known.actsOn === undefined ? undefined : addressAt(argumentsHex, known.actsOn)
  const args = readSequence(known.readers, { hex: argumentsHex, budget: argumentsHex.length }, 0)
  const affects = subject === undefined ? [address] : [address, subject]
  return [{ ...call, signature: known.signature, ...(args !== MISMATCH && { args }), affects }]
}

function addressAt(argumentsHex: string, position: number): Hex | undefined {
  const word = argumentsHex.slice(64 * position, 64 * (position + 1))
  const value = word.length === 64 ? readAddress?.(word) : undefined
  return typeof value === 'string' ? (value as Hex) : undefined
}

type KnownFunction = {
  readonly signature: string
  /** Whether it changes the controller of a contract or the code it runs. */
  readonly isControl: boolean
  /** The index of the argument with the affected contract, for admin contracts that act on proxies. */
  readonly actsOn?: number
  /** The readers of its arguments, in order. */
  readonly readers: readonly ValueReader[]
}

const CONTROL = [
  'upgradeTo(address)',
  'upgradeToAndCall(address,bytes)',
  'changeAdmin(address)',
  'transferOwnership(address)',
  'renounceOwnership()',
  'setOwner(address)',
  'grantRole(bytes32,address)',
  'grantRole(uint64,address,uint32)',
  'setAuthority(address)',
  'setAdmin(address)',
  'setPendingAdmin(address)',
  '_setPendingAdmin(address)',
  '_setImplementation(address)',
  '_setImplementation(address,bool,bytes)',
  '_setPendingImplementation(address)',
  'diamondCut((address,uint8,bytes4[])[],address,bytes)',
  'updateDelay(uint256)',
  'setDelay(uint256)',
  'rely(address)',
  'deny(address)',
  'file(bytes32,address)',
  'file(bytes32,uint256)',
  'file(bytes32,bytes32,address)',
  'file(bytes32,bytes32,uint256)',
  'updateTimelock(address)',
  'enableModule(address)',
  'setGuard(address)',
  'addOwnerWithThreshold(address,uint256)',
  'removeOwner(address,address,uint256)',
  'swapOwner(address,address,address)',
  'changeThreshold(uint256)',
] as const

/** Functions of admin contracts that change the proxy in their arguments. */
const CONTROL_OF_ARGUMENT: readonly (readonly [signature: string, actsOn: number])[] = [
  ['upgrade(address,address)', 0],
  ['upgradeAndCall(address,address,bytes)', 0],
  ['changeProxyAdmin(address,address)', 0],
  ['deployAndUpgradeTo(address,address)', 1],
]

const OTHER = [
  'acceptAdmin()',
  'acceptOwnership()',
  'revokeRole(bytes32,address)',
  'pause()',
  'unpause()',
  'execute()',
  'transfer(address,uint256)',
  'approve(address,uint256)',
  'mint(address,uint256)',
] as const

/** By selector. */
export const KNOWN_FUNCTIONS: ReadonlyMap<Hex, KnownFunction> = new Map(
  [
    ...CONTROL.map((signature) => ({ signature, isControl: true })),
    ...CONTROL_OF_ARGUMENT.map(([signature, actsOn]) => ({ signature, isControl: true, actsOn })),
    ...OTHER.map((signature) => ({ signature, isControl: false })),
  ].map((known) => [toFunctionSelector(known.signature), { ...known, readers: readersOf(known.signature) }]),
)

function readersOf(signature: string): readonly ValueReader[] {
  const { inputs } = parseAbiItem(`function ${signature}`) as AbiFunction
  return inputs.map(valueReader)
}
