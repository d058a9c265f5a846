/** Reads the times of blocks that neither the window nor the logs provide, one header per block. */
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
  const withoutTime = logs.filter((log) => log.blockTime === undefined && !blocks.has(log.blockNumber))
  const times = new Map<number, number>()
  await Promise.all(
    [...new Set(withoutTime.map((log) => log.blockNumber))].map(async (number) => {
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
