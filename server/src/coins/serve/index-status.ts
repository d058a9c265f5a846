/** Is it keeping up: each coin chain's index against its node, for the status page, `gatewatch status` and the metrics. */
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { reasonOf } from '../../lib/errors.ts'
import { openCoinIndexToRead } from '../index/coin-index.ts'
import { indexTip } from '../index/follow.ts'
import { indexPath, type WriterOptions } from '../index/index-writer.ts'
import { openLmdbKv } from '../index/kv-lmdb.ts'
import type { ChainId } from '../networks/network.ts'
import { connectSource, REQUEST_TIMEOUT_MS } from '../node/connect-source.ts'
import { ALLOWED_LAG, isSameChain, isSynced, type ServedChain } from './served-chain.ts'

export const INDEX_STATES = ['keeping_up', 'behind', 'not_indexed'] as const

export const indexStatus = z.object({
  chain: z.string(),
  network: z.string().nullable(),
  state: z.enum(INDEX_STATES).describe('not_indexed: there is no index to read from yet'),
  indexHeight: z.int().nullable(),
  nodeHeight: z.int().nullable(),
  lag: z.int().nullable(),
  source: z.string().nullable().describe('The node, or the block files, that answers rest on'),
})
export type IndexStatus = z.infer<typeof indexStatus>

const NOT_INDEXED = {
  network: null,
  state: 'not_indexed',
  indexHeight: null,
  nodeHeight: null,
  lag: null,
  source: null,
} as const

export function describeIndex(chain: ChainId, served: ServedChain | undefined): IndexStatus {
  if (served === undefined) return { ...NOT_INDEXED, chain }
  const [own, { tip }] = [indexTip(served.index), served.state()]
  return {
    chain,
    network: served.network.name,
    state: isSynced(served) ? 'keeping_up' : 'behind',
    ...heights(own?.height, tip?.height),
    source: served.sourceName,
  }
}

const heights = (own: number | undefined, theirs: number | undefined) => ({
  indexHeight: own ?? null,
  nodeHeight: theirs ?? null,
  lag: own === undefined || theirs === undefined ? null : Math.max(0, theirs - own),
})

/** Of a look from outside: where the node does not answer or the index cannot be opened, its state is not known. */
export type IndexCheck = Omit<IndexStatus, 'state'> & {
  readonly state: IndexStatus['state'] | 'unknown'
  readonly lastError: string | null
}

const otherChain = (chain: ChainId, source: string): string =>
  `${source} does not have the blocks of the index: a node that reads its own anew, or another chain. If this stays ` +
  `so, check that it is the right one, then stop Gatewatch and run gatewatch reindex ${chain}`

/** A look from outside, beside a running service or without one. */
export async function checkIndex(options: WriterOptions): Promise<IndexCheck> {
  const { chain, dataDir } = options
  try {
    const { network, source, name, close } = await connectSource({ timeoutMs: REQUEST_TIMEOUT_MS, ...options })
    try {
      const tip = await source.getTip()
      const path = indexPath(dataDir, network)
      const known = { chain, network: network.name, source: name, lastError: null }
      if (!existsSync(path)) return { ...NOT_INDEXED, ...known, ...heights(undefined, tip.height) }
      const kv = openLmdbKv({ path, readOnly: true })
      try {
        const index = openCoinIndexToRead(kv, network, path)
        const own = index === undefined ? undefined : indexTip(index)
        const seen = { ...known, ...heights(own?.height, tip.height) }
        if (index === undefined || own === undefined) return { ...seen, state: 'not_indexed' }
        if (!(await isSameChain(source, index))) return { ...seen, state: 'behind', lastError: otherChain(chain, name) }
        return { ...seen, state: tip.height - own.height > ALLOWED_LAG ? 'behind' : 'keeping_up' }
      } finally {
        await kv.close()
      }
    } finally {
      await close()
    }
  } catch (error) {
    return { ...NOT_INDEXED, chain, state: 'unknown', lastError: reasonOf(error) }
  }
}
