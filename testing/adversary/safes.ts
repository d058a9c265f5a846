/** Safes of the cases: deployments with a chosen setup, and transactions that signers approve. */
import { concatHex, encodeFunctionData, type Hex, zeroAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { safeContract } from '../evm/compile.ts'
import type { Attack } from './attack.ts'
import { type Chain, callData } from './chain.ts'

const SINGLETON = safeContract('1.4.1', 'SafeL2')
const FACTORY = safeContract('1.4.1', 'proxies/SafeProxyFactory')

export type SafeSetup = {
  readonly owners: readonly Hex[]
  readonly threshold: number
  /** A delegatecall that the setup makes. */
  readonly to?: Hex
  readonly data?: Hex
  readonly fallbackHandler?: Hex
}

export const setupData = ({ owners, threshold, to, data, fallbackHandler }: SafeSetup): Hex =>
  encodeFunctionData({
    abi: SINGLETON.abi,
    functionName: 'setup',
    args: [
      owners,
      BigInt(threshold),
      to ?? zeroAddress,
      data ?? '0x',
      fallbackHandler ?? zeroAddress,
      zeroAddress,
      0n,
      zeroAddress,
    ],
  })

const once = (chain: Chain, key: string, make: () => Promise<Hex>): Promise<Hex> => {
  const made = chain.shared.get(key) ?? make()
  chain.shared.set(key, made)
  return made
}

export const safeSingleton = (chain: Chain): Promise<Hex> =>
  once(chain, 'safe singleton', () => chain.deployArtifact(SINGLETON))

/** Deploys a Safe through the official factory. */
export async function deploySafe(chain: Chain, setup: SafeSetup, singleton?: Hex): Promise<Hex> {
  const address = await once(chain, 'safe factory', () => chain.deployArtifact(FACTORY))
  const factory = { abi: FACTORY.abi, address }
  const salt = BigInt(chain.shared.size) * 1_000_000n + BigInt(await chain.evm.blockNumber())
  const args = [singleton ?? (await safeSingleton(chain)), setupData(setup), salt]
  const safe: Hex = `0x${(await chain.evm.read(factory, 'createProxyWithNonce', args)).slice(-40)}`
  await chain.evm.send(factory, 'createProxyWithNonce', args)
  return safe
}

const EXEC = 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)'

/** Executes a transaction of a Safe with given signatures. */
export async function execSafe(
  by: { readonly send: (to: Hex, signature: string, args: readonly unknown[]) => Promise<void> },
  safe: Hex,
  to: Hex,
  data: Hex,
  signatures: Hex,
): Promise<void> {
  await by.send(safe, EXEC, [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signatures])
}

/** Returns the hash of a Safe's next transaction, which its owners sign. */
export async function safeTransactionHash(
  call: (to: Hex, data: Hex) => Promise<Hex>,
  safe: Hex,
  to: Hex,
  data: Hex,
): Promise<Hex> {
  const nonce = BigInt(await call(safe, callData('nonce()')))
  const signature = 'getTransactionHash(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,uint256)'
  return call(safe, callData(signature, [to, 0n, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, nonce]))
}

/** Executes a transaction of a Safe that these accounts sign. */
export async function execSigned(
  attack: Attack,
  safe: Hex,
  to: Hex,
  data: Hex,
  signers: readonly PrivateKeyAccount[],
): Promise<void> {
  const call = (at: Hex, input: Hex): Promise<Hex> =>
    attack.chain.node.rpc<Hex>('eth_call', { to: at, data: input }, 'latest')
  const hash = await safeTransactionHash(call, safe, to, data)
  const sorted = [...signers].sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  await execSafe(attack, safe, to, data, concatHex(await Promise.all(sorted.map((signer) => signer.sign({ hash })))))
}

/** Returns the call of a ProxyAdmin that replaces the logic of a proxy. */
export const upgradeCall = (proxy: Hex, code: Hex): Hex =>
  callData('upgradeAndCall(address,address,bytes)', [proxy, code, '0x'])
