/** A process to be killed: lives through a story on disk and tells its parent of every commit. */
import { openCoinIndex } from '../../server/src/coins/index/coin-index.ts'
import { follow, ownTip } from '../../server/src/coins/index/follow.ts'
import type { Kv } from '../../server/src/coins/index/kv.ts'
import { openLmdbKv } from '../../server/src/coins/index/kv-lmdb.ts'
import { hashHex } from '../../server/src/coins/parse/block.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { randomStory, simNetwork, storySource } from './random-chains.ts'

const [, , path = '', seed = '0'] = process.argv
const disk = openLmdbKv({ path })
const kv: Kv = {
  ...disk,
  write: (change) => {
    const result = disk.write(change)
    process.send?.('commit')
    return result
  },
}
const index = openCoinIndex(kv, simNetwork, path, { recentRows: 60, runRows: 40, mostRuns: 3, mergeAtOnce: 2 })
const { chains } = randomStory(Number(seed))

// Go on with the chain that was the best one when the process died.
const reached = ownTip(index)
const from = chains.findLastIndex((chain) => chain.some(({ hash }) => hashHex(hash) === reached?.hash))
for (const chain of chains.slice(Math.max(0, from))) {
  await follow({ index, source: storySource(chain), clock: systemClock })
}
await disk.close()
process.disconnect()
