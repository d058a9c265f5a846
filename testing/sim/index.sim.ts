/**
 * Runs the coin index through a random series of chains, with a store that dies between any two operations. At the end its
 * rows must equal a fresh build, and its coins a simple model.
 */
import assert from 'node:assert/strict'
import { type CoinIndex, connectBlocks, findBlockRow, openCoinIndex } from '../../server/src/coins/index/coin-index.ts'
import { follow } from '../../server/src/coins/index/follow.ts'
import { entriesFrom, readHistory, readTotals, scriptCoins } from '../../server/src/coins/index/history.ts'
import { type Kv, withSnapshot } from '../../server/src/coins/index/kv.ts'
import { readRuns } from '../../server/src/coins/index/run-list.ts'
import { touchedScripts, touchingBlocks } from '../../server/src/coins/index/touched-scripts.ts'
import { findTxLocation } from '../../server/src/coins/index/tx-locations.ts'
import { hashHex, parseBlock } from '../../server/src/coins/parse/block.ts'
import { scriptKey } from '../../server/src/coins/parse/script.ts'
import { systemClock } from '../../server/src/lib/clock.ts'
import { outputScriptOf } from '../coins/block-builder.ts'
import { Crash, crashingKv } from '../coins/crashing-kv.ts'
import { digestIndex } from '../coins/index-digest.ts'
import { openMemoryKv } from '../coins/kv-memory.ts'
import { type ModelBlock, memorySource, randomScenario, simNetwork } from '../coins/random-chains.ts'
import { seededRandom } from '../support/random.ts'

const limits = { maxRecentEntries: 60, minRunEntries: 40, mergeWidth: 2, mergeBytes: 300 }
export const openSimIndex = (kv: Kv): CoinIndex => openCoinIndex(kv, simNetwork, 'sim', limits)

/** The digest of the last chain, built from scratch in batches of random length with other limits. */
function freshDigest(chain: readonly ModelBlock[], seed: number): string {
  const random = seededRandom(seed ^ 0x5eed)
  const index = openCoinIndex(openMemoryKv(), simNetwork, 'fresh', { ...limits, minRunEntries: 10 + random.below(200) })
  for (let at = 0; at < chain.length; ) {
    const count = 1 + random.below(10)
    const blocks = chain.slice(at, at + count).map(({ bytes }) => parseBlock(bytes, { mweb: false }))
    connectBlocks(index, blocks, random.chance(0.5) ? chain.length - 1 : 0)
    at += count
  }
  return withSnapshot(index.kv, digestIndex)
}

function assertModel(kv: Kv, block: ModelBlock, height: number, seed: number): void {
  withSnapshot(kv, (reader) => {
    const coins = [...block.coins.values()]
    const row = findBlockRow(reader, height)
    const amount = coins.reduce((sum, coin) => sum + coin.value, 0)
    assert.deepEqual([row?.coins, row?.amount], [coins.length, amount], `seed ${seed}`)
    const { runs } = readRuns(reader)
    const byScript = Map.groupBy(coins, (coin) => coin.script)
    for (const [script, expected] of byScript) {
      const key = scriptKey(Buffer.from(script, 'hex'))
      const found = Array.from(scriptCoins(reader, key), ({ txnum, vout, value }) => {
        const location = findTxLocation(reader, txnum)
        return `${location?.txid.toString('hex')}:${vout} ${value}`
      })
      const names = expected.map(({ txid, vout, value }) => `${txid.toString('hex')}:${vout} ${value}`)
      assert.deepEqual(found.sort(), names.sort(), `seed ${seed}, script ${script}`)
      const totals = readTotals(reader, key)
      const { entries } = readHistory(reader, key, { limit: 100_000 })
      assert.equal(entries.length, totals.txCount)
      const from = entries[Math.floor(entries.length / 2)]?.txnum ?? 0
      assert.deepEqual(
        entriesFrom(reader, key, from, runs),
        entries.filter(({ txnum }) => txnum >= from),
        `seed ${seed}, script ${script}`,
      )
    }
  })
}

/** Asserts that the last blocks yield the scripts that have entries since then, and no others. */
function assertTouched(kv: Kv, height: number, seed: number): void {
  withSnapshot(kv, (reader) => {
    const { runs } = readRuns(reader)
    for (const from of [height, Math.max(0, height - 4)]) {
      const blocks = touchingBlocks(reader, from, height) ?? []
      const touched = new Set<string>()
      for (const block of blocks)
        for (const keys of touchedScripts(reader, block)) for (const key of keys) touched.add(key.toString('hex'))
      for (let n = 0; n < 30; n++) {
        const key = scriptKey(outputScriptOf(n))
        const has = entriesFrom(reader, key, blocks[0]?.firstTxnum ?? 0, runs).length > 0
        assert.equal(touched.has(key.toString('hex')), has, `seed ${seed}, script ${n}, from ${from} to ${height}`)
      }
    }
  })
}

/** Asserts that the index holds the last chain of this seed. */
export function assertEnd(kv: Kv, seed: number): void {
  const last = randomScenario(seed).chains.at(-1) ?? []
  assertModel(kv, last.at(-1) as ModelBlock, last.length - 1, seed)
  assert.equal(withSnapshot(kv, digestIndex), freshDigest(last, seed), `seed ${seed}`)
}

export type IndexNews = {
  readonly seed: number
  readonly chains: number
  readonly blocks: number
  readonly deaths: number
}

export type IndexSimOptions = {
  /** The store; by default in memory. */
  readonly kv?: Kv
  /** Whether the store dies at random points. Otherwise every chain is compared. */
  readonly crashes?: boolean
}

export async function simulateIndex(
  seed: number,
  { kv = openMemoryKv(), crashes = true }: IndexSimOptions = {},
): Promise<IndexNews> {
  const random = seededRandom(seed ^ 0xdead)
  const { chains } = randomScenario(seed)
  const source = memorySource(chains[0] ?? [])
  let deaths = 0
  for (const chain of chains) {
    source.chain = chain
    for (;;) {
      try {
        const store = crashes && random.chance(0.5) ? crashingKv(kv, random.below(400)) : kv
        const { tip } = await follow({ index: openSimIndex(store), source, clock: systemClock })
        if (tip?.hash === hashHex(chain.at(-1)?.hash ?? Buffer.alloc(32))) break
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        deaths += 1
      }
    }
    if (crashes) continue
    assertModel(kv, chain.at(-1) as ModelBlock, chain.length - 1, seed)
    assertTouched(kv, chain.length - 1, seed)
  }
  assertEnd(kv, seed)
  return { seed, chains: chains.length, blocks: chains.reduce((sum, { length }) => sum + length, 0), deaths }
}
