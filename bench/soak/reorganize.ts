/** Causes a reorg that keeps all transactions, each one block later. */
import { type Hex, numberToHex } from 'viem'
import type { EvmChain } from '../../demo/evm/chain.ts'

type Tx = { readonly from: Hex; readonly to: Hex | null; readonly input: Hex; readonly gas: Hex }
type Block = { readonly timestamp: Hex; readonly transactions: readonly Tx[] }

export async function reorganize({ rpc }: Pick<EvmChain, 'rpc'>, depth: number): Promise<void> {
  const head = Number(await rpc<Hex>('eth_blockNumber'))
  const removed: Block[] = []
  for (let number = head - depth + 1; number <= head; number += 1)
    removed.push(await rpc<Block>('eth_getBlockByNumber', numberToHex(number), true))
  await rpc('anvil_rollback', depth)
  const times = removed.map(({ timestamp }) => Number(timestamp))
  for (const [at, time] of [...times, (times.at(-1) ?? 0) + 1].entries()) {
    for (const { from, to, input, gas } of removed[at - 1]?.transactions ?? [])
      await rpc('eth_sendTransaction', { from, ...(to !== null && { to }), data: input, gas, gasPrice: '0x0' })
    await rpc('evm_mine', time)
  }
}
