import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BuiltTx,
  buildBlock,
  buildCoinbase,
  buildTx,
  outputScriptOf,
  regtestGenesis,
} from '../../../../testing/coins/block-builder.ts'
import { Crash, crashingKv } from '../../../../testing/coins/crashing-kv.ts'
import { digestIndex, logicalRows } from '../../../../testing/coins/index-digest.ts'
import { openMemoryKv } from '../../../../testing/coins/kv-memory.ts'
import { memorySource, randomScenario, simNetwork } from '../../../../testing/coins/random-chains.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import { systemClock } from '../../lib/clock.ts'
import { type Block, parseBlock } from '../parse/block.ts'
import { beginBatch, type CoinIndex, commitBatch, connectBlocks, findTip, openCoinIndex } from './coin-index.ts'
import { CoinLog, hasCoinLog } from './coin-log.ts'
import { CoinPageReader, CoinPageWriter, type CoinRecord, compareCoins } from './coin-page.ts'
import { follow } from './follow.ts'
import { MissingCoinError } from './index-errors.ts'
import { type SyncProgress, syncIndex } from './initial-sync.ts'
import { type Kv, withSnapshot } from './kv.ts'
import { isLoadingCoins, loadCoins } from './load-coins.ts'

const limits = { maxRecentEntries: 60, minRunEntries: 40, mergeWidth: 2, mergeBytes: 400 }
const openIndex = (kv: Kv): CoinIndex => openCoinIndex(kv, simNetwork, 'memory', limits)
const parse = (bytes: Buffer): Block => parseBlock(bytes, { mweb: false })

test('pages of coins give back every record, in order', () => {
  const random = seededRandom(3)
  const pick = (values: readonly number[]): number => values[random.below(values.length)] as number
  const records = Array.from({ length: 2_000 }, (): CoinRecord => {
    const isTombstone = random.chance(0.3)
    return {
      high: pick([0, 1, 0x7fff_ffff, 0xffff_ff00, 0xffff_ffff]),
      low: pick([0, 255, 0x8000_0000, 0xffff_ffff]),
      vout: pick([0, 1, 255, 256, 0xff_ffff]),
      txnum: pick([0, 0xffff, 0x1_0000, 0xffff_ffff, 2 ** 39]) + random.below(100),
      isTombstone,
      bytes: Buffer.from(Array.from({ length: 10 }, () => random.below(256))),
      scriptAt: 0,
      value: isTombstone ? 0 : pick([0, 127, 128, 2 ** 31, Number.MAX_SAFE_INTEGER]),
    }
  }).sort(compareCoins)
  const plain = ({ high, low, vout, txnum, isTombstone, bytes, scriptAt, value }: CoinRecord): unknown =>
    isTombstone
      ? [high, low, vout, txnum]
      : [high, low, vout, txnum, bytes.toString('hex', scriptAt, scriptAt + 10), value]
  const writer = new CoinPageWriter()
  const pages: Buffer[] = []
  for (const record of records) {
    writer.add(record)
    if (writer.isFull) pages.push(writer.take())
  }
  pages.push(writer.take())
  const reader = new CoinPageReader()
  const found: unknown[] = []
  for (const page of pages) {
    assert.ok(page.length <= 4_064)
    reader.open(page)
    while (reader.next()) found.push(plain(reader))
  }
  assert.deepEqual(found, records.map(plain))
})

test('an initial sync that is killed at any point ends in the rows of a fresh build', async () => {
  let deaths = 0
  let diedWithLog = 0
  for (let seed = 501; seed <= 516; seed++) {
    const chain = randomScenario(seed, 14).chains.at(-1) ?? []
    const random = seededRandom(seed ^ 0x10c)
    const kv = openMemoryKv()
    const source = memorySource(chain)
    for (;;) {
      try {
        const store = random.chance(0.8) ? crashingKv(kv, random.below(300)) : kv
        const tip = await syncIndex(
          { index: openIndex(store), source, clock: systemClock },
          { batchBytes: 900, coinsPerPass: 20 },
        )
        if (tip?.height === chain.length - 1) break
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        deaths++
        if (withSnapshot(kv, hasCoinLog)) diedWithLog++
      }
    }
    const fresh = openIndex(openMemoryKv())
    connectBlocks(
      fresh,
      chain.map(({ bytes }) => parse(bytes)),
    )
    assert.equal(withSnapshot(kv, digestIndex), withSnapshot(fresh.kv, digestIndex), `seed ${seed}`)
    assert.deepEqual(
      withSnapshot(kv, (reader) => [...reader.range('coinRuns', {})]),
      [],
    )
  }
  assert.ok(deaths > 15 && diedWithLog > 8, `${deaths} deaths, ${diedWithLog} with a log`)
})

test('an initial sync that is interrupted while its node moves on or reorganizes ends in the rows of a fresh build', async () => {
  let loading = 0
  let reorgs = 0
  for (let seed = 601; seed <= 660; seed++) {
    const { chains } = randomScenario(seed, 14)
    const random = seededRandom(seed ^ 0x10c)
    const kv = openMemoryKv()
    const at = chains.findIndex((chain) => chain.length > 2 * simNetwork.undoDepth)
    const source = memorySource(chains[at] ?? [])
    const stopping = new AbortController()
    const { signal } = stopping
    const onProgress = ({ height, target }: SyncProgress): void => {
      if (height >= target - random.below(6)) stopping.abort()
    }
    const deps = { index: openIndex(kv), source, clock: systemClock }
    await syncIndex({ ...deps, onProgress }, { batchBytes: 900, signal })
    for (const chain of chains.slice(at)) {
      source.chain = chain
      const tip = withSnapshot(kv, findTip)
      if (withSnapshot(kv, hasCoinLog) && tip !== undefined && chain[tip.height]?.hash.equals(tip.hash) !== true)
        reorgs++
      if (withSnapshot(kv, isLoadingCoins)) loading++
      try {
        await follow({ ...deps, index: openIndex(crashingKv(kv, random.below(400))) })
      } catch (error) {
        if (!(error instanceof Crash)) throw error
      }
    }
    await follow(deps)
    const fresh = openIndex(openMemoryKv())
    connectBlocks(
      fresh,
      source.chain.map(({ bytes }) => parse(bytes)),
    )
    assert.equal(withSnapshot(kv, digestIndex), withSnapshot(fresh.kv, digestIndex), `seed ${seed}`)
  }
  assert.ok(loading > 10 && reorgs > 10, `${loading} interrupted loads, ${reorgs} reorgs with a log`)
})

test('a sync that is stopped while it loads the coins continues', async () => {
  const chain = randomScenario(77, 14).chains.at(-1) ?? []
  const index = openIndex(openMemoryKv())
  const stopping = new AbortController()
  const log = new CoinLog(index.kv, 2)
  connectWithLog(
    index,
    chain.slice(0, -8).map(({ bytes }) => parse(bytes)),
    log,
  )
  stopping.abort()
  await loadCoins(index, { signal: stopping.signal })
  assert.ok(withSnapshot(index.kv, hasCoinLog))
  assert.throws(
    () =>
      connectBlocks(
        index,
        chain.slice(-8, -7).map(({ bytes }) => parse(bytes)),
      ),
    /in its log/,
  )
  await syncIndex({ index, source: memorySource(chain), clock: systemClock })
  const fresh = openIndex(openMemoryKv())
  connectBlocks(
    fresh,
    chain.map(({ bytes }) => parse(bytes)),
  )
  assert.equal(withSnapshot(index.kv, digestIndex), withSnapshot(fresh.kv, digestIndex))
})

/** Connects blocks one by one, with the coins in the log. */
function connectWithLog(index: CoinIndex, blocks: readonly Block[], log: CoinLog): void {
  for (const block of blocks) {
    const snapshot = index.kv.snapshot()
    try {
      const batch = beginBatch(index, snapshot, 1_000, log)
      batch.add(block)
      commitBatch(index, batch, log)
    } finally {
      snapshot.close()
    }
  }
}

test('txids that share a prefix keep their coins separate in the log', async () => {
  const collidingTxid = (last: number): Buffer => Buffer.concat([Buffer.alloc(31, 0xab), Buffer.from([last])])
  /** Such txids are infeasible to compute here, so they are set in parsed blocks. */
  const withTxid = (block: Block, last: number): Block => ({
    ...block,
    txids: Buffer.concat([collidingTxid(last), block.txids.subarray(32)]),
  })
  const coinbase = (height: number, value: number): BuiltTx =>
    buildCoinbase(height, [{ value, script: outputScriptOf(height) }])
  const genesis = regtestGenesis(simNetwork)
  const one = buildBlock(genesis.hash, 1, [coinbase(1, 111)])
  const two = buildBlock(one.hash, 2, [coinbase(2, 222)])
  const three = buildBlock(two.hash, 3, [coinbase(3, 333)])
  const spend = buildTx([{ txid: collidingTxid(2), vout: 0 }], [{ value: 100, script: outputScriptOf(9) }])
  const four = buildBlock(three.hash, 4, [coinbase(4, 444), spend])
  const again = buildTx([{ txid: collidingTxid(2), vout: 0 }], [{ value: 90, script: outputScriptOf(9) }])
  const five = buildBlock(four.hash, 5, [coinbase(5, 555), again])
  const blocks = [
    parse(genesis.bytes),
    withTxid(parse(one.bytes), 1),
    withTxid(parse(two.bytes), 2),
    withTxid(parse(three.bytes), 3),
    parse(four.bytes),
  ]
  const rows = (index: CoinIndex): string[] =>
    withSnapshot(index.kv, (reader) => [...logicalRows(reader)].filter((row) => !row.startsWith('undo')))
  for (const width of [2, 16]) {
    const index = openIndex(openMemoryKv())
    const log = new CoinLog(index.kv, width)
    connectWithLog(index, blocks, log)
    assert.throws(() => connectWithLog(index, [parse(five.bytes)], log), MissingCoinError)
    await loadCoins(index)
    const plain = openIndex(openMemoryKv())
    for (const block of blocks) connectBlocks(plain, [block])
    assert.deepEqual(rows(index), rows(plain))
  }
})
