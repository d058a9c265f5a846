/** The functions that are recognized in scheduled calls, and which of them change control. */

import { type AbiFunction, type Hex, parseAbiItem, toFunctionSelector } from 'viem'
import { type ValueReader, valueReader } from './value.ts'

export type KnownFunction = {
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
