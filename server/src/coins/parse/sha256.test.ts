import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sha256, sha256d, sha256dInto } from './sha256.ts'

const native = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

test('every length agrees with createHash', () => {
  const bytes = randomBytes(2_500)
  for (let length = 0; length <= bytes.length; length += length < 300 ? 1 : 97) {
    const part = bytes.subarray(0, length)
    assert.deepEqual(sha256(part), native(part), `length ${length}`)
    assert.deepEqual(sha256d(part), native(native(part)), `length ${length}`)
  }
})

test('a range of a buffer may be hashed into that buffer', () => {
  const bytes = randomBytes(128)
  const expected = native(native(bytes.subarray(64, 128)))
  sha256dInto(bytes, 64, 128, bytes, 32)
  assert.deepEqual(bytes.subarray(32, 64), expected)
})
