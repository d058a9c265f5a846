/** Inscription envelopes and runestones, also malformed ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../testing/support/random.ts'
import { findInscriptions } from './inscription.ts'
import { readRunestone } from './runestone.ts'

const push = (bytes: Buffer | string): Buffer => {
  const data = Buffer.from(bytes)
  if (data.length < 0x4c) return Buffer.concat([Buffer.from([data.length]), data])
  const size = Buffer.from([0x4d, 0, 0])
  size.writeUInt16LE(data.length, 1)
  return Buffer.concat([size, data])
}
const [FALSE, IF, ENDIF, CHECKSIG] = [Buffer.from([0]), Buffer.from([0x63]), Buffer.from([0x68]), Buffer.from([0xac])]
const envelope = (...fields: Buffer[]): Buffer => Buffer.concat([FALSE, IF, push('ord'), ...fields, ENDIF])
const TYPE = Buffer.concat([push(Buffer.from([1])), push('text/plain;charset=utf-8')])
const BODY = Buffer.concat([FALSE, push('Hello')])
const control = Buffer.concat([Buffer.from([0xc0]), Buffer.alloc(32, 5)])
const inputOf = (...witness: Buffer[]) => ({
  prevout: { txid: 'aa', vout: 0 },
  script: Buffer.alloc(0),
  sequence: 0,
  witness,
})
const reveal = (...parts: Buffer[]) =>
  inputOf(Buffer.alloc(64), Buffer.concat([push(Buffer.alloc(32, 7)), CHECKSIG, ...parts]), control)
const found = (...inputs: ReturnType<typeof inputOf>[]) => findInscriptions({ inputs })

test('an envelope is an inscription, with its content type and pointer', () => {
  const plain = { input: 0, pointer: undefined, contentType: 'text/plain;charset=utf-8' }
  assert.deepEqual(found(reveal(envelope(TYPE, BODY))), [plain])
  const pointer = Buffer.concat([push(Buffer.from([2])), push(Buffer.from([0xff, 0x01]))])
  assert.deepEqual(found(reveal(envelope(TYPE, pointer, BODY))), [{ ...plain, pointer: 511 }])
  const byOpcode = Buffer.concat([Buffer.from([0x51]), push('image/png')])
  assert.deepEqual(found(reveal(envelope(byOpcode, BODY))), [{ ...plain, contentType: 'image/png' }], 'OP_1 as tag')
  assert.deepEqual(
    found(inputOf(Buffer.alloc(64)), reveal(envelope(TYPE), envelope(TYPE))).map(({ input }) => input),
    [1, 1],
  )
  const { witness } = reveal(envelope(TYPE))
  assert.equal(found(inputOf(...witness, Buffer.from([0x50, 1]))).length, 1, 'an annex comes after the control block')
  const huge = Buffer.concat([push(Buffer.from([2])), push(Buffer.alloc(9, 0xff))])
  assert.equal(found(reveal(envelope(huge)))[0]?.pointer, undefined)
})

test('envelopes are found where the ord client finds them', () => {
  const inner = envelope(TYPE, BODY)
  const nested = Buffer.concat([FALSE, IF, push('xyz'), inner, ENDIF])
  assert.equal(found(reveal(nested)).length, 1, 'inside an envelope of another protocol')
  assert.equal(found(reveal(Buffer.concat([FALSE, inner]))).length, 1, 'after a second OP_FALSE')
  assert.equal(found(reveal(Buffer.concat([FALSE, IF, inner, ENDIF]))).length, 1, 'as the name of a protocol')
  const negative = Buffer.concat([push(Buffer.from([7])), Buffer.from([0x4f])])
  assert.equal(found(reveal(envelope(TYPE, negative, BODY))).length, 1, 'OP_1NEGATE is a push')
  assert.equal(found(reveal(envelope(TYPE, BODY, inner))).length, 0, 'an envelope inside one ends both')
  assert.equal(found(reveal(inner, inner, inner)).length, 3)
  const { witness } = reveal(CHECKSIG)
  assert.deepEqual(found(inputOf(...witness, Buffer.concat([Buffer.from([0x50]), inner]))), [], 'an annex has none')
  assert.deepEqual(found(inputOf(Buffer.alloc(64), Buffer.concat([Buffer.from([0x50]), inner]))), [])
})

test('other scripts, key path spends and cut envelopes are none', () => {
  const other = Buffer.concat([FALSE, IF, push('xyz'), TYPE, ENDIF])
  assert.deepEqual(found(reveal(other)), [])
  assert.deepEqual(found(inputOf(Buffer.alloc(64))), [])
  assert.deepEqual(found(inputOf(Buffer.alloc(72), envelope(TYPE))), [], 'a witness script is not a tapscript')
  assert.deepEqual(found(reveal(Buffer.concat([FALSE, IF, push('ord'), TYPE]))), [], 'no end')
  assert.deepEqual(found(reveal(Buffer.concat([FALSE, IF, push('ord'), CHECKSIG, ENDIF]))), [], 'an opcode inside')
  assert.deepEqual(found(reveal(Buffer.concat([IF, push('ord'), ENDIF]))), [], 'not after OP_FALSE')
})

const varint = (value: bigint): Buffer => {
  const bytes: number[] = []
  for (let rest = value; ; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0))
    if (rest <= 0x7fn) return Buffer.from(bytes)
  }
}
const stoneScript = (payload: Buffer): Buffer => Buffer.concat([Buffer.from([0x6a, 0x5d]), push(payload)])
const pay = { value: 546, script: Buffer.from([0x51]) }
const withStone = (...numbers: bigint[]) => ({
  outputs: [{ value: 0, script: stoneScript(Buffer.concat(numbers.map(varint))) }, pay, pay, pay],
})

test('a runestone assigns to outputs, and the rest to its pointer or the first output without data', () => {
  assert.equal(readRunestone({ outputs: [pay] }), undefined)
  assert.deepEqual(readRunestone(withStone()), { edicts: [], assignsToAll: false, rest: 1 })
  assert.deepEqual(readRunestone(withStone(20n, 840_000n, 20n, 1n)), { edicts: [], assignsToAll: false, rest: 1 })
  assert.deepEqual(readRunestone(withStone(22n, 3n)), { edicts: [], assignsToAll: false, rest: 3 })
  const edicts = withStone(22n, 1n, 0n, 840_000n, 1n, 1_000n, 2n, 0n, 0n, 5n, 3n)
  assert.deepEqual(readRunestone(edicts), { edicts: [2, 3], assignsToAll: false, rest: 1 })
  assert.deepEqual(readRunestone(withStone(0n, 1n, 1n, 5n, 4n)), { edicts: [], assignsToAll: true, rest: 1 })
})

test('a malformed stone destroys runes', () => {
  const script = (...parts: Buffer[]) => ({
    outputs: [{ value: 0, script: Buffer.concat([Buffer.from([0x6a, 0x5d]), ...parts]) }, pay],
  })
  for (const stone of [
    withStone(22n, 4n),
    withStone(22n),
    withStone(0n, 1n, 1n, 5n),
    withStone(0n, 1n, 1n, 5n, 9n),
    withStone(2n ** 128n, 1n),
    script(Buffer.from([0x51])),
    script(push(Buffer.from([0x80]))),
    script(Buffer.from([5, 1])),
    script(push(Buffer.alloc(40, 0x80))),
  ])
    assert.equal(readRunestone(stone), 'cenotaph')
})

test('random bytes give a result and no error', () => {
  const random = seededRandom(91)
  for (let i = 0; i < 5_000; i++) {
    const bytes = Buffer.from(Array.from({ length: random.below(60) }, () => random.below(256)))
    readRunestone({ outputs: [{ value: 0, script: Buffer.concat([Buffer.from([0x6a, 0x5d]), bytes]) }, pay] })
    found(reveal(envelope(bytes)), reveal(bytes), inputOf(bytes, bytes, control))
  }
})
