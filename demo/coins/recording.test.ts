import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashHex, parseBlock } from '../../server/src/coins/parse/block.ts'
import { parseTransaction } from '../../server/src/coins/parse/transaction.ts'
import { BITCOIN, LITECOIN } from './recorded-chains.ts'
import { HELD_BACK, openRecording, pauseAfter, RECORDED_RULES } from './recording.ts'

const CHAINS = [BITCOIN, LITECOIN]

test('every withheld block arrives, and the mempool is not empty after the last one', () => {
  for (const chain of CHAINS) {
    const recording = openRecording(chain, 1_800_000_000)
    const first = recording.height()
    for (let pauses = 0; recording.pauseMs() !== undefined; pauses += 1) {
      assert.ok(pauses < HELD_BACK)
      assert.ok(recording.mempool().size > 0)
      recording.next(1_800_000_000 + pauses)
    }
    assert.equal(recording.height(), first + HELD_BACK)
    assert.ok(recording.mempool().size > 0)
  }
})

for (const chain of CHAINS)
  test(`headers of ${chain.network.chain} are mined again with times of today, each on top of the one before`, () => {
    const now = 1_800_000_000
    const recording = openRecording(chain, now)
    recording.next(now + 20)
    let parent = recording.block(0)?.hash
    for (let height = 1; height <= recording.height(); height += 1) {
      const block = recording.block(height)
      const { hash, bytes, prevHash, txs } = parseBlock(block?.bytes ?? Buffer.alloc(0), RECORDED_RULES)
      assert.equal(hashHex(hash), block?.hash)
      assert.equal(recording.find(hashHex(hash)), block)
      assert.equal(hashHex(prevHash), parent)
      assert.ok((hash.at(-1) ?? 0xff) < 0x80, 'its hash is not below the target of regtest')
      assert.equal(txs.count, block?.txs.length)
      const time = bytes.readUInt32LE(68)
      assert.equal(
        time,
        height === recording.height()
          ? now + 20
          : now - (recording.height() - 1 - height) * chain.network.blockInterval,
      )
      parent = block?.hash
    }
  })

test('the mempool fills several blocks at several fee levels, before and after blocks arrive', () => {
  const recording = openRecording(BITCOIN, 1_800_000_000)
  const assertWide = () => {
    const waiting = [...recording.mempool().values()]
    const rates = waiting.map(({ fee, vsize }) => fee / vsize)
    assert.ok(waiting.reduce((sum, { vsize }) => sum + vsize, 0) > 3_000_000)
    for (const level of [1, 5, 20])
      assert.ok(
        rates.some((rate) => rate > level && rate < 3 * level),
        `${level} sat/vB`,
      )
  }
  assertWide()
  for (let n = 1; n <= 30; n += 1) {
    recording.next(1_800_000_000 + n)
    const tip = recording.block(recording.height())
    assert.ok((tip?.bytes.length ?? 0) > 900_000, 'the block is nearly full')
    assert.ok((tip?.bytes.length ?? 0) < 2_000_000)
  }
  assertWide()
})

for (const chain of CHAINS)
  test(`no coin of ${chain.network.chain} is spent twice`, () => {
    const recording = openRecording(chain, 1_800_000_000)
    for (let n = 1; n <= 30; n += 1) recording.next(1_800_000_000 + n)
    const coins = new Set<string>()
    for (let height = 1; height <= recording.height(); height += 1)
      for (const { bytes } of recording.block(height)?.txs ?? []) {
        const { txid, inputs, outputs } = parseTransaction(bytes, RECORDED_RULES)
        for (const { prevout } of inputs)
          if (prevout !== undefined) assert.ok(coins.delete(`${prevout.txid}:${prevout.vout}`), `${txid} spends a coin`)
        for (const vout of outputs.keys()) coins.add(`${txid}:${vout}`)
      }
  })

test('the mempool of Litecoin has several fee levels, before and after blocks arrive', () => {
  const recording = openRecording(LITECOIN, 1_800_000_000)
  for (let n = 0; n <= 30; n += 1) {
    const rates = [...recording.mempool().values()].map(({ fee, vsize }) => fee / vsize)
    for (const level of [1, 5, 20])
      assert.ok(
        rates.some((rate) => rate > level && rate < 3 * level),
        `${level} litoshi/vB`,
      )
    recording.next(1_800_000_001 + n)
  }
})

test('the blocks last for a working day', () => {
  const total = Array.from({ length: HELD_BACK }, (_, came) => pauseAfter(came) ?? 0).reduce((sum, ms) => sum + ms, 0)
  assert.ok(total > 8 * 3_600_000, `${total} ms`)
})
