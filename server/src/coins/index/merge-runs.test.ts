import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { digestIndex } from '../../../../testing/coins/index-digest.ts'
import { openMemoryKv } from '../../../../testing/coins/kv-memory.ts'
import { randomScenario, simNetwork } from '../../../../testing/coins/random-chains.ts'
import { hashHex, parseBlock } from '../parse/block.ts'
import { type CoinIndex, connectBlocks, mergeIndexStep, openCoinIndex } from './coin-index.ts'
import { readHistory, readTotals, scriptCoins } from './history.ts'
import { type KvReader, withSnapshot } from './kv.ts'
import { openLmdbKv } from './kv-lmdb.ts'
import { findTx } from './lookup.ts'
import { chooseMerge } from './merge-runs.ts'
import { startMerger } from './merger.ts'
import { type ListedRun, readRuns, type SortedRun } from './run-list.ts'

const limits = { maxRecentEntries: 20, minRunEntries: 10, mergeWidth: 4, mergeBytes: 150 }
const chain = randomScenario(41, 25).chains.at(-1) ?? []
const blocks = chain.map(({ bytes }) => parseBlock(bytes, { mweb: false }))

function connectAll(index: CoinIndex): void {
  for (let at = 0; at < blocks.length; at += 2) connectBlocks(index, blocks.slice(at, at + 2), blocks.length - 1)
}

/** Every answer that depends on runs. */
function answers(reader: KvReader): string {
  const scripts = new Set(Array.from(reader.range('scriptCoins', {}), ({ key }) => key.toString('hex', 0, 10)))
  const ofScripts = [...scripts].map((hex) => {
    const script = Buffer.from(hex, 'hex')
    const { txCount, received, sent } = readTotals(reader, script)
    const pages = [0, 1, 5].map((skip) => readHistory(reader, script, { limit: 3, skip }))
    return [hex, txCount, String(received), String(sent), pages, [...scriptCoins(reader, script)].length]
  })
  const ofTxids = blocks.flatMap(({ txids, txs }) =>
    Array.from({ length: txs.count }, (_, i) => {
      const txid = txids.subarray(i * 32, (i + 1) * 32)
      return [hashHex(txid), findTx(reader, txid)?.height]
    }),
  )
  return JSON.stringify([ofScripts, ofTxids])
}

test('every answer is the same after each step of every merge', () => {
  const index = openCoinIndex(openMemoryKv(), simNetwork, 'memory', limits)
  connectAll(index)
  const before = withSnapshot(index.kv, answers)
  const digest = withSnapshot(index.kv, digestIndex)
  const count = withSnapshot(index.kv, readRuns).runs.length
  let steps = 0
  let merging = 0
  while (mergeIndexStep(index)) {
    steps++
    withSnapshot(index.kv, (reader) => {
      merging += readRuns(reader).runs.filter(({ merge }) => merge !== undefined).length
      assert.equal(answers(reader), before)
      assert.equal(digestIndex(reader), digest)
    })
  }
  assert.ok(count > 16 && steps > 30 && merging > 30, `${count} runs, ${steps} steps, ${merging} of merges`)
  const { runs } = withSnapshot(index.kv, readRuns)
  assert.ok(runs.length < count && runs.some(({ level }) => level > 1))
  assert.ok(runs.every(({ merge }) => merge === undefined))
})

test('a merge thread merges what a writer commits, and stops in between', async () => {
  const path = mkdtempSync(join(tmpdir(), 'gatewatch-merge-'))
  const kv = openLmdbKv({ path, noSync: true })
  try {
    const index = openCoinIndex(kv, simNetwork, path, limits)
    const errors: string[] = []
    const first = startMerger(index, path, (fault) => fault && errors.push(fault.reason))
    connectAll(index)
    await first.onCommit()
    await first.stop()
    const digest = withSnapshot(kv, digestIndex)
    // Continues where the thread stopped.
    while (mergeIndexStep(index)) continue
    assert.equal(withSnapshot(kv, digestIndex), digest)
    assert.deepEqual(errors, [])
    const fresh = openCoinIndex(openMemoryKv(), simNetwork, 'memory', limits)
    connectAll(fresh)
    assert.equal(withSnapshot(fresh.kv, digestIndex), digest)
  } finally {
    await kv.close()
    rmSync(path, { recursive: true, force: true })
  }
})

test('8,000 batches of blocks take at most 3 rewrites per entry and 64 runs', () => {
  const width = 16
  let runs: readonly ListedRun[] = []
  let rewritten = 0
  let most = 0
  for (let id = 0; id < 8_000; id++) {
    runs = [...runs, { id, level: 1, firstTxnum: id, endTxnum: id + 1, entries: 1 }]
    for (let chosen = chooseMerge(runs, width); chosen !== undefined; chosen = chooseMerge(runs, width)) {
      const first: readonly SortedRun[] = chosen
      const entries = first.reduce((sum, run) => sum + run.entries, 0)
      rewritten += entries
      const start = runs.findIndex((run) => run.id === first[0]?.id)
      const merged = { id: 10_000 + id, level: (first[0]?.level ?? 0) + 1, firstTxnum: 0, endTxnum: 0, entries }
      runs = [...runs.slice(0, start), merged, ...runs.slice(start + width)]
    }
    most = Math.max(most, runs.length)
  }
  assert.ok(rewritten / 8_000 <= 3, `${rewritten / 8_000} rewrites`)
  assert.ok(most <= 64, `${most} runs`)
})

test('a small run between large ones is merged with them, and a running merge is left alone', () => {
  const run = (id: number, level: number): ListedRun => ({ id, level, firstTxnum: id, endTxnum: id + 1, entries: 1 })
  const merging: ListedRun = {
    ...run(9, 2),
    merge: { sources: [], scripts: Buffer.alloc(10), txids: Buffer.alloc(6) },
  }
  const ids = (runs: readonly ListedRun[]): unknown => chooseMerge(runs, 3)?.map(({ id }) => id)
  assert.equal(ids([run(1, 1), run(2, 1), run(3, 0), run(4, 0)]), undefined)
  assert.deepEqual(ids([run(1, 1), run(2, 0), run(3, 1), run(4, 0)]), [1, 2, 3])
  assert.deepEqual(ids([run(1, 1), run(2, 1), run(3, 1), run(4, 0), run(5, 0), run(6, 0)]), [4, 5, 6])
  assert.equal(ids([run(1, 1), merging, run(2, 1), run(3, 1)]), undefined)
  assert.deepEqual(ids([merging, run(1, 1), run(2, 1), run(3, 1)]), [1, 2, 3])
})
