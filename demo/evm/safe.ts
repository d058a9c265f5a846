/** The demo's Safes: created by Safe's factory, executing with real signatures. */
import { concatHex, encodeFunctionData, type Hex, hashTypedData, zeroAddress } from 'viem'
import type { Artifacts } from '../contracts/artifacts.ts'
import type { DemoAccount } from './accounts.ts'
import type { Contract, EvmChain } from './chain.ts'

export type Safe = Contract & {
  readonly threshold: () => number
  readonly owners: () => readonly DemoAccount[]
  /** Collects the transaction, signed by a threshold of owners. */
  readonly exec: (to: Contract, name: string, ...args: readonly unknown[]) => Promise<void>
  readonly addOwner: (owner: DemoAccount) => Promise<void>
  readonly removeOwner: (owner: DemoAccount) => Promise<void>
  readonly changeThreshold: (threshold: number) => Promise<void>
}

export type SafeMaker = (maker: Hex, owners: readonly DemoAccount[], threshold: number) => Promise<Safe>

const SENTINEL: Hex = '0x0000000000000000000000000000000000000001'
const SAFE_TX = [
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'data', type: 'bytes' },
  { name: 'operation', type: 'uint8' },
  { name: 'safeTxGas', type: 'uint256' },
  { name: 'baseGas', type: 'uint256' },
  { name: 'gasPrice', type: 'uint256' },
  { name: 'gasToken', type: 'address' },
  { name: 'refundReceiver', type: 'address' },
  { name: 'nonce', type: 'uint256' },
] as const

/** Deploys singleton and factory, which are mined before the first Safe is created. */
export async function safeMaker(
  chain: EvmChain,
  { SafeL2, SafeProxyFactory }: Artifacts,
  { deployer, time }: { readonly deployer: Hex; readonly time: number },
): Promise<SafeMaker> {
  const singleton = chain.deploy(deployer, SafeL2)
  const factory = chain.deploy(deployer, SafeProxyFactory)
  await chain.mine(time)
  let salt = 0n
  return async (maker, owners, threshold) => {
    const addresses = owners.map(({ address }) => address)
    const setup = encodeFunctionData({
      abi: SafeL2.abi,
      functionName: 'setup',
      args: [addresses, BigInt(threshold), zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress],
    })
    salt += 1n
    const args = [singleton.address, setup, salt]
    const data = encodeFunctionData({ abi: factory.abi, functionName: 'createProxyWithNonce', args })
    const result = await chain.rpc<Hex>('eth_call', { from: maker, to: factory.address, data }, 'latest')
    chain.send(maker, factory.address, data)
    return safeAt(chain, { address: `0x${result.slice(-40)}`, abi: SafeL2.abi }, owners, threshold)
  }
}

function safeAt(chain: EvmChain, self: Contract, first: readonly DemoAccount[], firstThreshold: number): Safe {
  let owners = [...first] // the contract's order: newest first
  let threshold = firstThreshold
  let nonce = 0n
  const exec: Safe['exec'] = async (to, functionName, ...args) => {
    const rest = { operation: 0, safeTxGas: 0n, baseGas: 0n, gasPrice: 0n } as const
    const data = encodeFunctionData({ abi: to.abi, functionName, args })
    const hash = hashTypedData({
      domain: { chainId: chain.chainId, verifyingContract: self.address },
      types: { SafeTx: SAFE_TX },
      primaryType: 'SafeTx',
      message: { to: to.address, value: 0n, data, ...rest, gasToken: zeroAddress, refundReceiver: zeroAddress, nonce },
    })
    nonce += 1n
    const signers = owners.slice(0, threshold).toSorted((a, b) => (a.address < b.address ? -1 : 1))
    const signatures = concatHex(await Promise.all(signers.map(({ sign }) => sign(hash))))
    const sender = signers[0]?.address ?? zeroAddress
    const call = [to.address, 0n, data, ...Object.values(rest), zeroAddress, zeroAddress, signatures]
    chain.call(sender, self, 'execTransaction', ...call)
  }
  return {
    ...self,
    threshold: () => threshold,
    owners: () => owners,
    exec,
    addOwner: async (owner) => {
      await exec(self, 'addOwnerWithThreshold', owner.address, BigInt(threshold))
      owners = [owner, ...owners]
    },
    removeOwner: async (owner) => {
      const at = owners.indexOf(owner)
      await exec(self, 'removeOwner', owners[at - 1]?.address ?? SENTINEL, owner.address, BigInt(threshold))
      owners = owners.toSpliced(at, 1)
    },
    changeThreshold: async (next) => {
      await exec(self, 'changeThreshold', BigInt(next))
      threshold = next
    },
  }
}
