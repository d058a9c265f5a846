/** Contracts and who controls them, deployed on a test node: Safes, timelocks, proxies of every family. */
import { encodeFunctionData, type Hex, multicall3Abi, zeroAddress } from 'viem'
import { MULTICALL3 } from '../../server/src/control/chains/chains.ts'
import type { Anvil } from './anvil.ts'
import {
  type Artifact,
  compileContracts,
  openZeppelin4,
  openZeppelin5,
  type SafeVersion,
  safeContract,
} from './compile.ts'
import type { Deployed, Evm } from './evm.ts'

/** viem carries it and exports it to nobody. */
const MULTICALL_CODE = new URL('../../node_modules/viem/_esm/constants/contracts.js', import.meta.url)

/** For a node that lets anyone send from any account and asks for no gas. */
export const FREE = ['--auto-impersonate', '--base-fee', '0', '--gas-price', '0', '--hardfork', 'prague']

/** Our own Solidity, by name. */
export const own = (name: string): Artifact => {
  const artifact = compileContracts()[name]
  if (artifact === undefined) throw new Error(`no contract ${name}`)
  return artifact
}

export const person = (n: number): Hex => `0x${(0xabc000 + n).toString(16).padStart(40, '0')}`
export const people = (count: number, from = 0): readonly Hex[] =>
  Array.from({ length: count }, (_, n) => person(from + n))
export const wordOf = (value: Hex | number): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`
export const dataOf = ({ abi }: Pick<Deployed, 'abi'>, functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args })

export type ControlContracts = {
  readonly plain: () => Promise<Hex>
  readonly safe: (threshold: number, owners: readonly Hex[], version?: SafeVersion) => Promise<Deployed>
  /** A transparent proxy of OpenZeppelin 5 with its ProxyAdmin owned by `owner`. */
  readonly behind: (owner: Hex) => Promise<Deployed>
  /** One of OpenZeppelin 4, whose admin is whoever is named. */
  readonly behind4: (admin: Hex) => Promise<Deployed>
  readonly uups: (name: string, ...args: readonly unknown[]) => Promise<Deployed>
  readonly timelock: (
    delay: bigint,
    proposers: readonly Hex[],
    executors?: readonly Hex[],
    admin?: Hex,
    from?: typeof openZeppelin5,
  ) => Promise<Deployed>
  /** As that account, whether it is a contract or a person. */
  readonly as: (
    from: Hex,
    to: Pick<Deployed, 'address' | 'abi'>,
    name: string,
    ...args: readonly unknown[]
  ) => Promise<Hex>
  /** Past every rule: a word of storage, without a log. */
  readonly write: (address: Hex, slot: Hex, word: Hex) => Promise<void>
  readonly putCode: (address: Hex, code: Hex) => Promise<void>
  readonly putMulticall: () => Promise<void>
}

/** A proxy of OpenZeppelin wants to be initialised in the transaction that makes it. */
const START = (): Hex => dataOf(own('Plain'), 'set', [1n])

export function controlContracts(node: Anvil, evm: Evm): ControlContracts {
  const safes = new Map<SafeVersion, { readonly singleton: Deployed; readonly factory: Deployed }>()
  let salt = 0n
  const plain = async (): Promise<Hex> => (await evm.deploy(own('Plain'))).address
  return {
    plain,
    safe: async (threshold, owners, version = '1.4.1') => {
      const name = version === '1.3.0' ? 'GnosisSafe' : 'Safe'
      const { singleton, factory } = safes.get(version) ?? {
        singleton: await evm.deploy(safeContract(version, `${name}L2`)),
        factory: await evm.deploy(safeContract(version, `proxies/${name}ProxyFactory`)),
      }
      safes.set(version, { singleton, factory })
      const none = [zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress]
      const setup = dataOf(singleton, 'setup', [owners, BigInt(threshold), ...none])
      salt += 1n
      const args = [singleton.address, setup, salt]
      const address: Hex = `0x${(await evm.read(factory, 'createProxyWithNonce', args)).slice(-40)}`
      await evm.send(factory, 'createProxyWithNonce', args)
      return { ...singleton, address }
    },
    behind: async (owner) => evm.deploy(openZeppelin5('TransparentUpgradeableProxy'), await plain(), owner, START()),
    behind4: async (admin) => evm.deploy(openZeppelin4('TransparentUpgradeableProxy'), await plain(), admin, '0x'),
    uups: async (name, ...args) => {
      const logic = await evm.deploy(own(name))
      const proxy = await evm.deploy(openZeppelin5('ERC1967Proxy'), logic.address, dataOf(logic, 'initialize', args))
      return { ...proxy, abi: logic.abi }
    },
    timelock: (delay, proposers, executors = proposers, admin = zeroAddress, from = openZeppelin5) =>
      evm.deploy(from('TimelockController'), delay, proposers, executors, admin),
    as: async (from, to, name, ...args) => {
      await node.rpc('anvil_setBalance', from, '0xde0b6b3a7640000')
      return await evm.send(to, name, args, from)
    },
    write: async (address, slot, word) => {
      await node.rpc('anvil_setStorageAt', address, slot, word)
      await evm.mine()
    },
    putCode: async (address, code) => {
      await node.rpc('anvil_setCode', address, code)
      await evm.mine()
    },
    putMulticall: async () => {
      const { multicall3Bytecode } = (await import(MULTICALL_CODE.href)) as { multicall3Bytecode: Hex }
      const deployed = await evm.deploy({ abi: multicall3Abi, bytecode: multicall3Bytecode })
      await node.rpc('anvil_setCode', MULTICALL3, await node.rpc('eth_getCode', deployed.address, 'latest'))
    },
  }
}
