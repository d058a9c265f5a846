import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashHex, parseBlock } from '../../server/src/coins/parse/block.ts'
import { HELD_BACK, openRecording, pauseAfter, RECORDED_RULES } from './recorded-bitcoin.ts'

test('every withheld block arrives, and the mempool is not empty after the last one', () => {
  const recording = openRecording(1_800_000_000)
  const first = recording.height()
  for (let pauses = 0; recording.pauseMs() !== undefined; pauses += 1) {
    assert.ok(pauses < HELD_BACK)
    assert.ok(recording.mempool().size > 0)
    recording.next(1_800_000_000 + pauses)
  }
  assert.equal(recording.height(), first + HELD_BACK)
  assert.ok(recording.mempool().size > 0)
})

test('headers are mined again with times of today, each on top of the one before', () => {
  const now = 1_800_000_000
  const recording = openRecording(now)
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
    assert.equal(time, height === recording.height() ? now + 20 : now - (recording.height() - 1 - height) * 600)
    parent = block?.hash
  }
})

test('the blocks last for a working day', () => {
  const total = Array.from({ length: HELD_BACK }, (_, came) => pauseAfter(came) ?? 0).reduce((sum, ms) => sum + ms, 0)
  assert.ok(total > 8 * 3_600_000, `${total} ms`)
})
