/** A process to be killed: follows the chains of a scenario on disk and reports every commit to its parent. */
import { openCoinIndex } from '../../server/src/coins/index/coin-index.ts'
import { follow, indexTip } from '../../server/src/coins/index/follow.ts'
import type { Kv } from '../../server/src/coins/index/kv.ts'
import { openLmdbKv } from '../../server/src/coins/index/kv-lmdb.ts'
import { hashHex } from '../../server/src/coins/parse/block.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { memorySource, randomScenario, simNetwork } from './random-chains.ts'

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
const index = openCoinIndex(kv, simNetwork, path, {
  maxRecentEntries: 60,
  minRunEntries: 40,
  mergeWidth: 2,
  mergeBytes: 1_000,
})
const { chains } = randomScenario(Number(seed))

// Continue with the chain that was the best one when the process was killed.
const reached = indexTip(index)
const from = chains.findLastIndex((chain) => chain.some(({ hash }) => hashHex(hash) === reached?.hash))
for (const chain of chains.slice(Math.max(0, from))) {
  await follow({ index, source: memorySource(chain), clock: systemClock })
}
await disk.close()
process.disconnect()
