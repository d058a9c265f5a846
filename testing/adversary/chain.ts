/** What a case needs to build its system: contracts of this folder, honest controllers, and accounts of the attacker. */
import {
  type Abi,
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseAbi,
  size,
  stringToHex,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Anvil } from '../evm/anvil.ts'
import { type Artifact, openZeppelin4, openZeppelin5 } from '../evm/compile.ts'
import { type ControlContracts, controlContracts, FREE, signers } from '../evm/control.ts'
import { type Evm, evmOf } from '../evm/evm.ts'
import { artifactWith, type Settings } from './compile.ts'

/** A system: the address that gets the label, and other addresses that the exploit needs. */
export type Built = { readonly address: Hex; readonly parts: Readonly<Record<string, Hex>> }

export const TWO_DAYS = 172_800n
export const LOGIC_SLOT: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
export const ADMIN_SLOT: Hex = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103'
export const BEACON_SLOT: Hex = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50'
const TAKEN = keccak256(stringToHex('taken'))

/** Hard forks that systems of the suite need, each on a node of its own. */
export const HARDFORKS = ['prague', 'shanghai', 'osaka'] as const
export type Hardfork = (typeof HARDFORKS)[number]
/** The options of a node with a hard fork. */
export const optionsOf = (hardfork: Hardfork): readonly string[] =>
  FREE.map((option) => (option === 'prague' ? hardfork : option))

/** The parts that all systems of one chain share. */
export type Environment = {
  readonly node: Anvil
  readonly evm: Evm
  readonly controllers: ControlContracts
  readonly shared: Map<string, Promise<Hex>>
}

export type Chain = Environment & {
  readonly settings: Settings
  /** Returns an account of the attacker, known to no other system. */
  readonly hidden: (n?: number) => PrivateKeyAccount
  readonly own: (name: string) => Artifact
  readonly deploy: (name: string, ...args: readonly unknown[]) => Promise<Hex>
  readonly deployArtifact: (artifact: Artifact, ...args: readonly unknown[]) => Promise<Hex>
  /** Deploys hand-written runtime code. */
  readonly deployRuntime: (runtime: Hex) => Promise<Hex>
  readonly send: (to: Hex, signature: string, args: readonly unknown[], from?: Hex) => Promise<void>
  readonly storage: (address: Hex, slot: Hex) => Promise<Hex>
  /** A Safe with three of five signers. */
  readonly council: () => Promise<Hex>
  /** OpenZeppelin's timelock with a delay of two days, whose only proposer is the council. */
  readonly timelock: () => Promise<Hex>
  /** Deploys an ERC-1967 proxy of OpenZeppelin. */
  readonly proxy: (logic: Hex, data?: Hex) => Promise<Hex>
  /** Deploys logic behind an ERC-1967 proxy and initializes it with an owner. */
  readonly uups: (name: string, owner: Hex, ...args: readonly unknown[]) => Promise<Hex>
  /** Deploys a transparent proxy whose ProxyAdmin has this owner. */
  readonly transparent: (owner: Hex) => Promise<Hex>
}

/** Encodes a call from a signature such as `transfer(address,uint256)`. */
export const callData = (signature: string, args: readonly unknown[] = []): Hex => {
  const declarations: readonly string[] = [`function ${signature}`]
  const abi: Abi = parseAbi(declarations)
  return encodeFunctionData({ abi, functionName: signature.slice(0, signature.indexOf('(')), args })
}

export async function environmentOf(node: Anvil): Promise<Environment> {
  const evm = await evmOf(node)
  return { node, evm, controllers: controlContracts(node, evm), shared: new Map() }
}

export function chainFor(environment: Environment, caseName: string, settings: Settings): Chain {
  const { node, evm, controllers, shared } = environment
  const own = (name: string): Artifact => {
    const artifact = artifactWith(settings, name)
    if (artifact === undefined) throw new Error(`no contract ${name} with the settings ${settings}`)
    return artifact
  }
  const once = (key: string, make: () => Promise<Hex>): Promise<Hex> => {
    const made = shared.get(key) ?? make()
    shared.set(key, made)
    return made
  }
  const deployArtifact: Chain['deployArtifact'] = async (artifact, ...args) =>
    (await evm.deploy(artifact, ...args)).address
  const deploy: Chain['deploy'] = (name, ...args) => deployArtifact(own(name), ...args)
  const council = (): Promise<Hex> => once('council', async () => (await controllers.safe(3, signers(5))).address)
  const proxy: Chain['proxy'] = (logic, data = '0x') =>
    deployArtifact((data === '0x' ? openZeppelin4 : openZeppelin5)('ERC1967Proxy'), logic, data)
  return {
    ...environment,
    settings,
    hidden: (n = 0) => privateKeyToAccount(keccak256(stringToHex(`${caseName} ${settings} ${n}`))),
    own,
    deploy,
    deployArtifact,
    deployRuntime: async (runtime) => deployArtifact({ abi: [], bytecode: creationCode(runtime) }),
    send: async (to, signature, args, from = evm.accounts[0]) => {
      if (from !== undefined && from !== evm.accounts[0])
        await node.rpc('anvil_setBalance', from, numberToHex(10n ** 18n))
      await evm.sendRaw(to, callData(signature, args), from)
    },
    storage: (address, slot) => node.rpc<Hex>('eth_getStorageAt', address, slot, 'latest'),
    council,
    timelock: () => once('timelock', async () => (await controllers.timelock(TWO_DAYS, [await council()])).address),
    proxy,
    uups: async (name, owner, ...args) => proxy(await deploy(name, ...args), callData('initialize(address)', [owner])),
    transparent: async (owner) => (await controllers.transparent5(owner)).address,
  }
}

/** Returns creation code that deploys this runtime code. */
export const creationCode = (runtime: Hex): Hex =>
  // PUSH2 size DUP1 PUSH1 12 PUSH0 CODECOPY PUSH0 RETURN
  concatHex(['0x61', numberToHex(size(runtime), { size: 2 }), '0x80600c6000396000f3', runtime])

export const creationCodeOf = ({ abi, bytecode }: Artifact, ...args: readonly unknown[]): Hex =>
  encodeDeployData({ abi, bytecode, args })

export const system = (address: Hex, parts: Readonly<Record<string, Hex>> = {}): Built => ({ address, parts })

/** Returns whether code of the attacker answers at an address. */
export async function isTaken({ node }: Pick<Environment, 'node'>, address: Hex): Promise<boolean> {
  const call = { to: address, data: toFunctionSelector('taken()'), from: '0x00000000000000000000000000000000000ca11e' }
  return (await node.rpc<Hex>('eth_call', call, 'latest').catch(() => '0x')) === TAKEN
}

export async function codeOf({ node }: Pick<Environment, 'node'>, address: Hex): Promise<Hex> {
  return node.rpc<Hex>('eth_getCode', address, 'latest')
}

export const NO_OWNER: Hex = zeroAddress
