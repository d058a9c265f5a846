/** Describes a call by its function: the name, the arguments, and whether it changes the control of a contract. */
import type { AbiFunction, Hex } from 'viem'
import { parseAbiItem, toFunctionSelector } from 'viem/utils'
import { type JsonValue, MISMATCH, readSequence, type ValueReader, valueReader } from './value.ts'

export type KnownCall = {
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

export function describeCall(target: Hex, data: Hex): KnownCall {
  if (data.length < 10) return { target, isControl: false, affects: [target] }
  const selector = data.slice(0, 10) as Hex
  const known = KNOWN_FUNCTIONS.get(selector)
  const call = { target, selector, isControl: known?.isControl ?? false }
  if (known === undefined) return { ...call, affects: [target] }
  const hex = data.slice(10)
  const subject = known.actsOn === undefined ? undefined : addressAt(hex, known.actsOn)
  const args = readSequence(known.readers, { hex, budget: hex.length }, 0)
  const affects = subject === undefined ? [target] : [target, subject]
  return { ...call, signature: known.signature, ...(args !== MISMATCH && { args }), affects }
}

/** Contracts compiled without checks ignore what precedes the address in its word, and so does this. */
function addressAt(argumentsHex: string, position: number): Hex | undefined {
  const word = argumentsHex.slice(64 * position, 64 * (position + 1))
  return word.length === 64 ? `0x${word.slice(24)}` : undefined
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
  'beginDefaultAdminTransfer(address)',
  'acceptDefaultAdminTransfer()',
  'changeDefaultAdminDelay(uint48)',
  'submitTimelock(uint256)',
  'submitGuardian(address)',
  'setImplementation(address)',
  'changeOwner(address)',
  'transferProxyOwnership(address)',
  'setRoleAdmin(uint64,uint64)',
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
  'disableModule(address,address)',
  'setGuard(address)',
  'setModuleGuard(address)',
  'setFallbackHandler(address)',
  'changeMasterCopy(address)',
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
  ['updateAuthority(address,address)', 0],
  ['setTargetFunctionRole(address,bytes4[],uint64)', 0],
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
