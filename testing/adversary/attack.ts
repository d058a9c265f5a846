/** What an exploit may use: transactions of the attacker's accounts, contracts of the attacker, and patience. */
import { type Hex, numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type Chain, callData, creationCode, creationCodeOf } from './chain.ts'

type Options = {
  readonly value?: bigint
  readonly gas?: bigint
  readonly gasPrice?: bigint
  readonly accessList?: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]
  readonly as?: PrivateKeyAccount
}
type Receipt = { readonly status: Hex; readonly contractAddress: Hex | null }

export type Attack = {
  readonly account: PrivateKeyAccount
  /** Another account of the attacker, for a system that hides several. */
  readonly hidden: (n: number) => PrivateKeyAccount
  /** Logic of the attacker, which answers `taken()`. */
  readonly code: Hex
  readonly send: (to: Hex, signature: string, args?: readonly unknown[], options?: Options) => Promise<void>
  readonly sendRaw: (to: Hex, data: Hex, options?: Options) => Promise<void>
  readonly deploy: (name: string, ...args: readonly unknown[]) => Promise<Hex>
  readonly deployAs: (account: PrivateKeyAccount, name: string, ...args: readonly unknown[]) => Promise<Hex>
  readonly deployWithValue: (value: bigint, name: string, ...args: readonly unknown[]) => Promise<Hex>
  readonly deployRuntime: (runtime: Hex) => Promise<Hex>
  readonly sendSigned: (transaction: Hex) => Promise<void>
  readonly read: (to: Hex, signature: string, args?: readonly unknown[], from?: Hex) => Promise<Hex>
  readonly newAccount: () => PrivateKeyAccount
  readonly wait: (seconds: number) => Promise<void>
  readonly mine: (blocks?: number) => Promise<void>
  readonly chain: Pick<Chain, 'own' | 'storage' | 'settings' | 'node' | 'evm' | 'council'>
}

const GAS = 12_000_000n

export async function attackOn(chain: Chain, by: 'anyone' | 'one key' | 'the signers', code: Hex): Promise<Attack> {
  const { rpc } = chain.node
  const account = by === 'one key' ? chain.hidden() : privateKeyToAccount(generatePrivateKey())
  const receiptOf = async (hash: Hex): Promise<Receipt> => {
    for (;;) {
      const receipt = await rpc<Receipt | null>('eth_getTransactionReceipt', hash)
      if (receipt !== null) return receipt
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const succeeded = async (hash: Hex): Promise<Receipt> => {
    const receipt = await receiptOf(hash)
    if (receipt.status !== '0x1') throw new Error(`transaction ${hash} of the attacker reverted`)
    return receipt
  }
  const submit = async (to: Hex | undefined, data: Hex, options: Options = {}): Promise<Receipt> => {
    const { value = 0n, gas = GAS, gasPrice, accessList, as = account } = options
    await rpc('anvil_setBalance', as.address, '0x8ac7230489e80000')
    const tx = {
      from: as.address,
      data,
      value: numberToHex(value),
      gas: numberToHex(gas),
      ...(to === undefined ? {} : { to }),
      ...(gasPrice === undefined ? {} : { gasPrice: numberToHex(gasPrice) }),
      ...(accessList === undefined ? {} : { accessList }),
    }
    return await succeeded(await rpc<Hex>('eth_sendTransaction', tx))
  }
  const deployWith = async (options: Options, name: string, args: readonly unknown[]): Promise<Hex> => {
    const { contractAddress } = await submit(undefined, creationCodeOf(chain.own(name), ...args), options)
    return contractAddress as Hex
  }
  return {
    account,
    hidden: chain.hidden,
    code,
    send: async (to, signature, args = [], options = {}) => {
      await submit(to, callData(signature, args), options)
    },
    sendRaw: async (to, data, options) => {
      await submit(to, data, options)
    },
    deploy: (name, ...args) => deployWith({}, name, args),
    deployAs: (as, name, ...args) => deployWith({ as }, name, args),
    deployWithValue: (value, name, ...args) => deployWith({ value }, name, args),
    deployRuntime: async (runtime) => (await submit(undefined, creationCode(runtime))).contractAddress as Hex,
    sendSigned: async (transaction) => {
      await succeeded(await rpc<Hex>('eth_sendRawTransaction', transaction))
    },
    read: (to, signature, args = [], from = account.address) =>
      rpc<Hex>('eth_call', { from, to, data: callData(signature, args) }, 'latest'),
    newAccount: () => privateKeyToAccount(generatePrivateKey()),
    wait: async (seconds) => {
      await chain.evm.pass(seconds)
      await chain.evm.mine()
    },
    mine: chain.evm.mine,
    chain,
  }
}
