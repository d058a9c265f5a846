import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedBlocks, recordedOracle, staleBranch } from '../../../../testing/coins/fixtures.ts'
import { digestIndex, logicalRows } from '../../../../testing/coins/index-digest.ts'
import { openMemoryKv } from '../../../../testing/coins/kv-memory.ts'
import { memorySource, randomScenario, simNetwork } from '../../../../testing/coins/random-chains.ts'
import { systemClock } from '../../lib/clock.ts'
import { bitcoinRegtest, bitcoinSignet } from '../networks/bitcoin.ts'
import { decodeAddress } from '../parse/address.ts'
import { type Block, hashHex, parseBlock } from '../parse/block.ts'
import { scriptKey } from '../parse/script.ts'
import {
  type CoinIndex,
  connectBlocks,
  disconnectBlocks,
  findBlockRow,
  findTip,
  openCoinIndex,
  openCoinIndexToRead,
} from './coin-index.ts'
import { follow } from './follow.ts'
import { readHistory, readTotals, scriptCoins } from './history.ts'
import { ForeignIndexError, NotNextBlockError, ReorgTooDeepError } from './index-errors.ts'
import { type KvReader, withSnapshot } from './kv.ts'
import { findTxLocation } from './tx-locations.ts'

const blocks = recordedBlocks().map((bytes) => parseBlock(bytes, { mweb: false }))
const oracle = recordedOracle()

/** Small limits, so that a chain of 516 blocks has sorted runs, recent entries and compactions. */
const small = { maxRecentEntries: 900, minRunEntries: 400, mergeWidth: 3, mergeBytes: 4_000 }

function freshIndex(limits = small): CoinIndex {
  return openCoinIndex(openMemoryKv(), bitcoinRegtest, 'memory', limits)
}

function feed(index: CoinIndex, chain: readonly Block[], atOnce: number): void {
  for (let at = 0; at < chain.length; at += atOnce) connectBlocks(index, chain.slice(at, at + atOnce))
}

function assertOracle(index: CoinIndex): void {
  withSnapshot(index.kv, (reader) => {
    const tip = findTip(reader)
    assert.equal(hashHex(tip?.hash ?? Buffer.alloc(0)), oracle.tipHash)
    const row = findBlockRow(reader, oracle.tip)
    assert.deepEqual([row?.coins, row?.amount], [oracle.utxoSet.txouts, oracle.utxoSet.total])
    for (const expected of oracle.addresses) {
      const script = scriptKey(decodeAddress(bitcoinRegtest, expected.address).script)
      const totals = readTotals(reader, script)
      const coins = Array.from(scriptCoins(reader, script), ({ value, txnum, vout }) => ({
        txid: hashHex(findTxLocation(reader, txnum)?.txid ?? Buffer.alloc(0)),
        vout,
        value,
      }))
      const name = (coin: { readonly txid: string; readonly vout: number; readonly value: number }): string =>
        `${coin.txid}:${coin.vout} ${coin.value}`
      assert.deepEqual(
        {
          balance: coins.reduce((sum, coin) => sum + coin.value, 0),
          totalReceived: Number(totals.received),
          totalSent: Number(totals.sent),
          txCount: totals.txCount,
          utxos: coins.map(name).sort(),
        },
        {
          balance: expected.balance,
          totalReceived: expected.totalReceived,
          totalSent: expected.totalSent,
          txCount: expected.txCount,
          utxos: expected.utxos.map(name).sort(),
        },
        expected.address,
      )
      assert.equal(readHistory(reader, script, { limit: 10_000 }).entries.length, expected.txCount)
    }
  })
}

for (const [name, atOnce, limits] of [
  ['block by block', 1, small],
  ['seven blocks at a time', 7, small],
  ['in one batch', 516, small],
  ['in one batch without runs', 516, { ...small, maxRecentEntries: 1e9, minRunEntries: 1e9 }],
] as const) {
  test(`the recorded chain, ${name}, gives the node's figures for all 2,015 addresses`, () => {
    const index = freshIndex(limits)
    feed(index, blocks, atOnce)
    assert.equal(oracle.addresses.length, 2015)
    assertOracle(index)
  })
}

test('any page of an address with hundreds of recent entries reads only a few rows', () => {
  const index = freshIndex({ ...small, maxRecentEntries: 1e9, minRunEntries: 1e9 })
  feed(index, blocks, 1)
  const busiest = oracle.addresses.toSorted((a, b) => b.txCount - a.txCount)[0]
  assert.ok(busiest !== undefined && busiest.txCount > 200)
  const script = scriptKey(decodeAddress(bitcoinRegtest, busiest.address).script)
  withSnapshot(index.kv, (snapshot) => {
    let rows = 0
    const counting: KvReader = {
      ...snapshot,
      *range(table, range) {
        for (const row of snapshot.range(table, range)) {
          rows++
          yield row
        }
      },
    }
    const all = readHistory(snapshot, script, { limit: busiest.txCount }).entries
    for (const [skip, limit] of [
      [0, 10],
      [150, 10],
      [busiest.txCount - 3, 10],
      [busiest.txCount, 10],
    ] as const) {
      rows = 0
      assert.deepEqual(readHistory(counting, script, { skip, limit }).entries, all.slice(skip, skip + limit))
      assert.ok(rows <= 60, `${rows} rows for the page after ${skip}`)
    }
    for (const at of [1, 100, busiest.txCount - 1]) {
      rows = 0
      const before = all[at]?.txnum ?? 0
      assert.deepEqual(readHistory(counting, script, { before, limit: 10 }).entries, all.slice(at + 1, at + 11))
      assert.ok(rows <= 60, `${rows} rows for the page before ${before}`)
    }
    rows = 0
    assert.equal(readTotals(counting, script).txCount, busiest.txCount)
    assert.equal(rows, 1)
  })
})

test('connecting and disconnecting the stale branch leaves the index unchanged', () => {
  const index = freshIndex()
  const { forksAfter, blocks: stale } = staleBranch()
  feed(index, blocks.slice(0, forksAfter + 1), 40)
  // Undo data that was pruned while the branch was connected is not restored. Everything else is.
  const rows = (): string[] =>
    withSnapshot(index.kv, (reader) => [...logicalRows(reader)].filter((row) => !row.startsWith('undo')))
  const before = rows()
  feed(
    index,
    stale.map(({ hex }) => parseBlock(Buffer.from(hex, 'hex'), { mweb: false })),
    1,
  )
  assert.notDeepEqual(rows(), before)
  disconnectBlocks(index, forksAfter)
  assert.deepEqual(rows(), before)
  feed(index, blocks.slice(forksAfter + 1), 1)
  assertOracle(index)
})

test('connecting and disconnecting in any order ends in the same rows', () => {
  const digests = new Set<string>()
  for (const [atOnce, depth] of [
    [1, 0],
    [13, 200],
    [516, 299],
    [100, 7],
  ] as const) {
    const index = freshIndex()
    feed(index, blocks, atOnce)
    disconnectBlocks(index, 515 - depth)
    feed(index, blocks.slice(516 - depth), atOnce)
    digests.add(withSnapshot(index.kv, digestIndex))
  }
  assert.equal(digests.size, 1)
})

test('a block that does not extend the tip is refused, and nothing changes', () => {
  const index = freshIndex()
  feed(index, blocks.slice(0, 10), 10)
  const before = withSnapshot(index.kv, digestIndex)
  assert.throws(() => connectBlocks(index, blocks.slice(11, 12)), NotNextBlockError)
  assert.throws(() => connectBlocks(index, [...blocks.slice(10, 12), ...blocks.slice(13, 14)]), NotNextBlockError)
  assert.equal(withSnapshot(index.kv, digestIndex), before)
  assert.throws(() => connectBlocks(freshIndex(), blocks.slice(1, 2)), NotNextBlockError)
})

test('blocks without undo data cannot be disconnected', () => {
  const index = freshIndex()
  feed(index, blocks, 50)
  assert.throws(() => disconnectBlocks(index, 515 - bitcoinRegtest.undoDepth - 1), ReorgTooDeepError)
  assert.equal(withSnapshot(index.kv, findTip)?.height, 515)
  disconnectBlocks(index, 515 - bitcoinRegtest.undoDepth)
  assert.equal(withSnapshot(index.kv, findTip)?.height, 215)
})

test('an index of another network or format is refused', () => {
  const index = freshIndex()
  assert.throws(() => openCoinIndex(index.kv, bitcoinSignet, 'somewhere'), ForeignIndexError)
  assert.throws(() => openCoinIndexToRead(index.kv, bitcoinSignet, 'somewhere'), ForeignIndexError)
  index.kv.write((writer) => {
    const identity = Buffer.from(writer.get('meta', Buffer.from('identity')) ?? Buffer.alloc(33))
    identity[0] = 99
    writer.put('meta', Buffer.from('identity'), identity)
  })
  assert.throws(() => openCoinIndex(index.kv, bitcoinRegtest, 'somewhere'), /format 99/)
  assert.equal(openCoinIndexToRead(openMemoryKv(), bitcoinRegtest, 'nowhere'), undefined)
})

test('pages by offset and by cursor give the same history', () => {
  const index = freshIndex()
  feed(index, blocks, 20)
  const [busiest] = oracle.addresses.toSorted((a, b) => b.txCount - a.txCount)
  assert.ok(busiest !== undefined && busiest.txCount > 50)
  const script = scriptKey(decodeAddress(bitcoinRegtest, busiest.address).script)
  withSnapshot(index.kv, (reader) => {
    const all = readHistory(reader, script, { limit: 10_000 }).entries.map(({ txnum }) => txnum)
    assert.deepEqual(
      all,
      all.toSorted((a, b) => b - a),
    )
    for (const limit of [1, 7, 25]) {
      const byPage: number[] = []
      for (let skip = 0; skip < all.length; skip += limit) {
        byPage.push(...readHistory(reader, script, { limit, skip }).entries.map(({ txnum }) => txnum))
      }
      assert.deepEqual(byPage, all)
      const byCursor: number[] = []
      for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
        const page: ReturnType<typeof readHistory> = readHistory(reader, script, { limit, before })
        byCursor.push(...page.entries.map(({ txnum }) => txnum))
        before = page.next
      }
      assert.deepEqual(byCursor, all)
    }
  })
})

test('a reorganization deeper than the undo data is refused with advice, and nothing changes', async () => {
  const { chains } = randomScenario(4, 30)
  const chain = chains.at(-1) ?? []
  assert.ok(chain.length > 2 * simNetwork.undoDepth)
  const index = openCoinIndex(openMemoryKv(), simNetwork, 'memory')
  await follow({ index, source: memorySource(chain), clock: systemClock })
  const before = withSnapshot(index.kv, digestIndex)
  const other = randomScenario(5, 30).chains.at(-1) ?? []
  await assert.rejects(
    follow({ index, source: memorySource(other), clock: systemClock }),
    (error) =>
      error instanceof ReorgTooDeepError &&
      /deeper than the 8 blocks that can be disconnected; .* run gatewatch reindex btc$/.test(error.message),
  )
  assert.equal(withSnapshot(index.kv, digestIndex), before)
})
