/** Deploys and calls contracts on an anvil node from one of its unlocked accounts. */
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, numberToHex } from 'viem'
import type { Anvil } from './anvil.ts'
import type { Artifact } from './compile.ts'

export type Deployed = { readonly address: Hex; readonly abi: Abi; readonly txHash: Hex }

export type Evm = {
  readonly accounts: readonly Hex[]
  readonly deploy: (artifact: Artifact, ...args: readonly unknown[]) => Promise<Deployed>
  readonly send: (
    to: Pick<Deployed, 'address' | 'abi'>,
    name: string,
    args?: readonly unknown[],
    from?: Hex,
  ) => Promise<Hex>
  readonly sendRaw: (to: Hex, data: Hex, from?: Hex) => Promise<Hex>
  /** Returns the result of a call. */
  readonly read: (to: Pick<Deployed, 'address' | 'abi'>, name: string, args?: readonly unknown[]) => Promise<Hex>
  readonly inOneBlock: (
    ...calls: readonly { to: Deployed; name: string; args: readonly unknown[] }[]
  ) => Promise<readonly Hex[]>
  readonly blockNumber: () => Promise<number>
  readonly mine: (blocks?: number) => Promise<void>
  /** Advances the clock of the next block. */
  readonly pass: (seconds: number) => Promise<void>
}

type Receipt = { readonly status: Hex; readonly contractAddress: Hex | null; readonly transactionHash: Hex }

export async function evmOf({ rpc }: Anvil): Promise<Evm> {
  const accounts = await rpc<readonly Hex[]>('eth_accounts')
  const first = accounts[0] as Hex

  /** Polls for the receipt: the node responds before the block is mined. */
  const receiptOf = async (hash: Hex): Promise<Receipt> => {
    for (;;) {
      const receipt = await rpc<Receipt | null>('eth_getTransactionReceipt', hash)
      if (receipt !== null) return receipt
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }

  let last: Promise<unknown> = Promise.resolve()
  /** Sends one after the other: the node may give two at once the same nonce. */
  const sendInTurn = (tx: { from: Hex; to?: Hex; data: Hex }): Promise<Hex> => {
    const sent = last.then(() => rpc<Hex>('eth_sendTransaction', { gas: numberToHex(12_000_000), ...tx }))
    last = sent.catch(() => undefined)
    return sent
  }

  const submit = async (tx: { from: Hex; to?: Hex; data: Hex }): Promise<Receipt> => {
    const hash = await sendInTurn(tx)
    const receipt = await receiptOf(hash)
    if (receipt.status !== '0x1') throw new Error(`transaction ${hash} reverted`)
    return receipt
  }

  return {
    accounts,
    deploy: async ({ abi, bytecode }, ...args) => {
      const data = encodeDeployData({ abi, bytecode, args })
      const receipt = await submit({ from: first, data })
      return { abi, address: (receipt.contractAddress as Hex).toLowerCase() as Hex, txHash: receipt.transactionHash }
    },
    send: async ({ address, abi }, functionName, args = [], from = first) => {
      const data = encodeFunctionData({ abi, functionName, args })
      return (await submit({ from, to: address, data })).transactionHash
    },
    sendRaw: async (to, data, from = first) => (await submit({ from, to, data })).transactionHash,
    read: async ({ address, abi }, functionName, args = []) =>
      await rpc<Hex>('eth_call', { from: first, to: address, data: encodeFunctionData({ abi, functionName, args }) }),
    inOneBlock: async (...calls) => {
      await rpc('evm_setAutomine', false)
      const hashes: Hex[] = []
      for (const { to, name, args } of calls) {
        const data = encodeFunctionData({ abi: to.abi, functionName: name, args })
        hashes.push(await sendInTurn({ from: first, to: to.address, data }))
      }
      await rpc('evm_mine')
      await Promise.all(hashes.map(receiptOf))
      await rpc('evm_setAutomine', true)
      return hashes
    },
    blockNumber: async () => Number(await rpc<Hex>('eth_blockNumber')),
    pass: async (seconds) => {
      await rpc('evm_increaseTime', numberToHex(seconds))
    },
    mine: async (blocks = 1) => {
      await rpc('anvil_mine', numberToHex(blocks))
    },
  }
}
