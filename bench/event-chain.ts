/** A chain made on the spot by a contract that logs 50 catalogued events a transaction, one transaction a block. */
import { encodeFunctionData, type Hex, numberToHex } from 'viem'
import type { Anvil } from '../server/test/chain/anvil.ts'
import { compileContracts } from '../server/test/chain/compile.ts'
import { evmOf } from '../server/test/chain/evm.ts'

export const EVENTS_A_TX = 50
/** History is final below this depth; the follower reads the rest block by block. */
export const FINAL_BLOCKS = 160

export async function makeEventChain(node: Anvil, blocks: number): Promise<{ address: Hex; seconds: number }> {
  const startedAt = performance.now()
  const evm = await evmOf(node)
  const { Spammer } = compileContracts()
  if (Spammer === undefined) throw new Error('no contract Spammer')
  const { address } = await evm.deploy(Spammer)
  const from = evm.accounts[0]
  // Transactions are handed in many at a time; the node mines each into a block of its own.
  const width = 16
  for (let first = 0; first < blocks; first += width)
    await Promise.all(
      Array.from({ length: Math.min(width, blocks - first) }, (_, n) =>
        node.rpc('eth_sendTransaction', {
          from,
          to: address,
          nonce: numberToHex(first + n + 1),
          gas: numberToHex(5_000_000),
          data: encodeFunctionData({
            abi: Spammer.abi,
            functionName: 'spam',
            args: [BigInt(EVENTS_A_TX), BigInt(first + n)],
          }),
        }),
      ),
    )
  while (Number(await node.rpc<Hex>('eth_getTransactionCount', from, 'latest')) < blocks + 1) await turn()
  await evm.mine(FINAL_BLOCKS)
  return { address, seconds: (performance.now() - startedAt) / 1_000 }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
