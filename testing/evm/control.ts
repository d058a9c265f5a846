/** Deploys contracts and their controllers on a test node: Safes, timelocks, proxies of every family. */
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

/** viem contains this bytecode but does not export it. */
const MULTICALL_CODE = new URL('../../node_modules/viem/_esm/constants/contracts.js', import.meta.url)

/** Options of a node that accepts transactions from any account without gas fees. */
export const FREE = ['--auto-impersonate', '--base-fee', '0', '--gas-price', '0', '--hardfork', 'prague']

/** Returns a contract of `testing/contracts` by name. */
export const own = (name: string): Artifact => {
  const artifact = compileContracts()[name]
  if (artifact === undefined) throw new Error(`no contract ${name}`)
  return artifact
}

export const eoa = (n: number): Hex => `0x${(0xabc000 + n).toString(16).padStart(40, '0')}`
export const signers = (count: number, from = 0): readonly Hex[] =>
  Array.from({ length: count }, (_, n) => eoa(from + n))
export const wordOf = (value: Hex | number): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`
export const dataOf = ({ abi }: Pick<Deployed, 'abi'>, functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args })

export type ControlContracts = {
  readonly plain: () => Promise<Hex>
  /** Deploys a Safe. The L2 variant, which is the default, logs what it executes. */
  readonly safe: (
    threshold: number,
    owners: readonly Hex[],
    version?: SafeVersion,
    variant?: 'L1' | 'L2',
  ) => Promise<Deployed>
  /** Deploys a transparent proxy of OpenZeppelin 5 whose ProxyAdmin has this owner. */
  readonly transparent5: (owner: Hex) => Promise<Deployed>
  /** Deploys a transparent proxy of OpenZeppelin 4 with this admin. */
  readonly transparent4: (admin: Hex) => Promise<Deployed>
  readonly uups: (name: string, ...args: readonly unknown[]) => Promise<Deployed>
  readonly timelock: (
    delay: bigint,
    proposers: readonly Hex[],
    executors?: readonly Hex[],
    admin?: Hex,
    from?: typeof openZeppelin5,
  ) => Promise<Deployed>
  /** Sends a transaction from any account, also from a contract. */
  readonly as: (
    from: Hex,
    to: Pick<Deployed, 'address' | 'abi'>,
    name: string,
    ...args: readonly unknown[]
  ) => Promise<Hex>
  /** Writes a word of storage directly, without a transaction or log. */
  readonly write: (address: Hex, slot: Hex, word: Hex) => Promise<void>
  readonly setCode: (address: Hex, code: Hex) => Promise<void>
  readonly deployMulticall: () => Promise<void>
}

/** An OpenZeppelin proxy must be initialized in the transaction that deploys it. */
const START = (): Hex => dataOf(own('Plain'), 'set', [1n])

export function controlContracts(node: Anvil, evm: Evm): ControlContracts {
  const safes = new Map<string, { readonly singleton: Deployed; readonly factory: Deployed }>()
  let salt = 0n
  const plain = async (): Promise<Hex> => (await evm.deploy(own('Plain'))).address
  return {
    plain,
    safe: async (threshold, owners, version = '1.4.1', variant = 'L2') => {
      const name = version === '1.3.0' ? 'GnosisSafe' : 'Safe'
      const { singleton, factory } = safes.get(`${version} ${variant}`) ?? {
        singleton: await evm.deploy(safeContract(version, variant === 'L2' ? `${name}L2` : name)),
        factory: await evm.deploy(safeContract(version, `proxies/${name}ProxyFactory`)),
      }
      safes.set(`${version} ${variant}`, { singleton, factory })
      const none = [zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress]
      const setup = dataOf(singleton, 'setup', [owners, BigInt(threshold), ...none])
      salt += 1n
      const args = [singleton.address, setup, salt]
      const address: Hex = `0x${(await evm.read(factory, 'createProxyWithNonce', args)).slice(-40)}`
      await evm.send(factory, 'createProxyWithNonce', args)
      return { ...singleton, address }
    },
    transparent5: async (owner) =>
      evm.deploy(openZeppelin5('TransparentUpgradeableProxy'), await plain(), owner, START()),
    transparent4: async (admin) => evm.deploy(openZeppelin4('TransparentUpgradeableProxy'), await plain(), admin, '0x'),
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
    setCode: async (address, code) => {
      await node.rpc('anvil_setCode', address, code)
      await evm.mine()
    },
    deployMulticall: async () => {
      const { multicall3Bytecode } = (await import(MULTICALL_CODE.href)) as { multicall3Bytecode: Hex }
      const deployed = await evm.deploy({ abi: multicall3Abi, bytecode: multicall3Bytecode })
      await node.rpc('anvil_setCode', MULTICALL3, await node.rpc('eth_getCode', deployed.address, 'latest'))
    },
  }
}
