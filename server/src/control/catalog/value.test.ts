import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AbiParameter, decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from 'viem'
import { jsonOf, sampleValue } from '../../../../testing/evm/sample-log.ts'
import { seededRandom } from '../../../../testing/support/random.ts'
import {
  type JsonValue,
  MISMATCH,
  type Mismatch,
  readSequence,
  UnsupportedTypeError,
  valueReader,
  wordReader,
} from './value.ts'

const TYPES = [
  'int8',
  'int24',
  'int48',
  'int56',
  'int256',
  'uint8',
  'uint48',
  'uint56',
  'uint256',
  'bytes1',
  'bytes32',
  'string',
  'uint64[3]',
  'bytes[]',
  'string[2]',
  'bool[][]',
  'int16[2][]',
  '(address who, bool[] flags)',
  '(uint8 level, (string text, bytes4[] selectors)[] parts)[]',
  '(int32 a, (uint128 b, bytes2 c) d)[2]',
]

function read(parameter: AbiParameter, hex: string): JsonValue | Mismatch {
  const values = readSequence([valueReader(parameter)], { hex, budget: hex.length }, 0)
  return values === MISMATCH ? MISMATCH : (values[0] ?? MISMATCH)
}

test('every type is decoded as by viem', () => {
  const random = seededRandom(3)
  for (const type of TYPES) {
    const [parameter] = parseAbiParameters(`${type} value`) as [AbiParameter]
    for (let round = 0; round < 60; round += 1) {
      const data = encodeAbiParameters([parameter], [sampleValue(parameter, random)])
      const [expected] = decodeAbiParameters([parameter], data) as [unknown]
      assert.deepEqual(read(parameter, data.slice(2)), jsonOf(expected), `${type} ${data}`)
    }
  }
})

test('integers are decoded within their range only', () => {
  const word = (value: bigint): string => BigInt.asUintN(256, value).toString(16).padStart(64, '0')
  const cases: [string, bigint, JsonValue | Mismatch][] = [
    ['uint8', 255n, 255],
    ['uint8', 256n, MISMATCH],
    ['int8', -128n, -128],
    ['int8', -129n, MISMATCH],
    ['int8', 127n, 127],
    ['int8', 128n, MISMATCH],
    ['uint48', 2n ** 48n - 1n, 281_474_976_710_655],
    ['uint56', 2n ** 48n, '281474976710656'],
    ['int256', -(2n ** 255n), `-${2n ** 255n}`],
    ['uint256', 2n ** 256n - 1n, String(2n ** 256n - 1n)],
  ]
  for (const [type, value, expected] of cases)
    assert.equal(wordReader(type)?.(word(value)), expected, `${type} ${value}`)
})

test('dirty padding is a mismatch', () => {
  assert.equal(wordReader('bytes4')?.(`12345678${'0'.repeat(55)}1`), MISMATCH)
  assert.equal(wordReader('address')?.(`1${'0'.repeat(63)}`), MISMATCH)
  assert.equal(wordReader('bool')?.(`1${'0'.repeat(62)}1`), MISMATCH)
})

test('bytes at the end of the data may be unpadded but must be complete', () => {
  const bytes = (size: number, content: string): string =>
    `${'20'.padStart(64, '0')}${size.toString(16).padStart(64, '0')}${content}`
  assert.equal(read({ type: 'bytes' }, bytes(3, 'abcdef')), '0xabcdef')
  assert.equal(read({ type: 'bytes' }, bytes(4, 'abcdef')), MISMATCH)
  assert.equal(read({ type: 'bytes' }, bytes(0, '')), '0x')
})

test('lengths and offsets beyond the data are a mismatch', () => {
  const word = (value: bigint): string => value.toString(16).padStart(64, '0')
  for (const huge of [64n, 2n ** 31n, 2n ** 48n, 2n ** 64n, 2n ** 255n]) {
    for (const type of ['bytes', 'string', 'uint256[]', 'bytes[]']) {
      assert.equal(read({ type }, word(32n) + word(huge)), MISMATCH, `${type} of ${huge}`)
      assert.equal(read({ type }, word(huge) + word(0n)), MISMATCH, `${type} at ${huge}`)
    }
  }
})

test('types of size zero and unknown types are rejected when the reader is built', () => {
  for (const type of ['uint256[0]', 'tuple', 'function', 'fixed128x18']) {
    assert.throws(() => valueReader({ type }), UnsupportedTypeError, type)
  }
})
