/** When logs happened, where neither our window nor the logs themselves say so: one header for each such block. */
import type { Hex } from '../../lib/hex.ts'
import type { Log } from '../rpc/parse.ts'
import type { RpcPool } from '../rpc/pool.ts'
import { getBlockHeader } from '../rpc/requests.ts'
import { BlockMissingError } from '../rpc/rpc-error.ts'
import type { BlockContext } from './interpret.ts'
import type { StoredBlock } from './watch-store.ts'

export async function readBlockTimes(
  { pool }: { readonly pool: RpcPool },
  logs: readonly Log[],
  blocks: ReadonlyMap<number, StoredBlock>,
): Promise<(log: Log) => BlockContext> {
  const timeless = logs.filter((log) => log.blockTime === undefined && !blocks.has(log.blockNumber))
  const times = new Map<number, number>()
  await Promise.all(
    [...new Set(timeless.map((log) => log.blockNumber))].map(async (number) => {
      const { value } = await pool.request(getBlockHeader(number), { priority: 'bulk' })
      if (value === undefined) throw new BlockMissingError(pool.chain, number)
      times.set(number, value.time)
    }),
  )
  const parentOf = (log: Log): Hex | undefined => blocks.get(log.blockNumber - 1)?.hash
  return (log) => ({
    time: blocks.get(log.blockNumber)?.time ?? times.get(log.blockNumber) ?? log.blockTime ?? 0,
    parentHash: parentOf(log),
  })
}
