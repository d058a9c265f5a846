import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexToBytes } from '@noble/hashes/utils.js'
import { assemble } from '../../../../testing/adversary/assemble.ts'
import { followCode } from './dataflow.ts'
import { type Effect, effectsOf } from './effects.ts'
import { word } from './terms.ts'

const effectsIn = (source: string): readonly Effect[] =>
  effectsOf(followCode(hexToBytes(assemble(source).slice(2)))).effects
const storeOf = (value: string): Pick<Effect, 'takes' | 'takesOther'> => {
  const { takes, takesOther } = effectsIn(`${value} 0x07 SSTORE STOP`).find(({ kind }) => kind === 'store') ?? {}
  return { ...(takes && { takes }), ...(takesOther && { takesOther }) }
}
/** Opcodes as bytes, which the assembler has no names for. */
const [ORIGIN, GASPRICE, SELFBALANCE, LOG2] = ['data:0x32', 'data:0x3a', 'data:0x47', 'data:0xa2']
const OF_INPUT = ['data:0x31', 'data:0x3f'].map((op) => `0x04 CALLDATALOAD ${op}`) // BALANCE, EXTCODEHASH
const slot = (number: bigint) => ({ type: 'slot', slot: word(number) })

test('a stored value takes what it is computed from, without its own slot and the input', () => {
  assert.deepEqual(storeOf('0x05'), {})
  assert.deepEqual(storeOf('0x04 CALLDATALOAD'), {})
  assert.deepEqual(storeOf('CALLER'), {})
  assert.deepEqual(storeOf('0x01 0x07 SLOAD ADD'), {})
  assert.deepEqual(storeOf('0x03 SLOAD'), { takes: [slot(3n)] })
  assert.deepEqual(storeOf('0x04 CALLDATALOAD 0x03 SLOAD XOR'), { takes: [slot(3n)] })
})

test('a value that others decide in another way takes something else', () => {
  for (const source of [ORIGIN, GASPRICE, SELFBALANCE, ...OF_INPUT])
    assert.deepEqual(storeOf(source), { takesOther: true }, source)
})

test('a created contract takes what its code is made of', () => {
  const create = (size: string): string => `${size} 0x00 0x00 data:0xf0`
  assert.deepEqual(storeOf(`0x05 0x00 MSTORE ${create('0x20')}`), {})
  assert.deepEqual(storeOf(`0x20 0x04 0x00 CALLDATACOPY 0x24 CALLDATALOAD 0x00 0x00 data:0xf0`), {})
  assert.deepEqual(storeOf(`0x3000 0x00 0x00 CODECOPY 0x04 CALLDATALOAD 0x3000 MSTORE ${create('0x3020')}`), {})
  const others = { takesOther: true }
  assert.deepEqual(storeOf(`0x03 SLOAD 0x00 MSTORE ${create('0x20')}`), others)
  assert.deepEqual(storeOf(`0x3000 0x00 0x00 CODECOPY 0x03 SLOAD 0x20 MSTORE ${create('0x3000')}`), others)
  assert.deepEqual(storeOf(`0x20 0x00 0x00 CALLER data:0x3c ${create('0x20')}`), others)
})

test('a created contract takes all that its function reads if its code is not followed', () => {
  const called = (body: string): string =>
    `0x00 CALLDATALOAD 0xe0 data:0x1c 0x11223344 EQ @f JUMPI STOP :f ${body} 0x05 0x04 CALLDATALOAD MSTORE
     0x24 CALLDATALOAD 0x00 0x00 data:0xf0`
  const slot = { type: 'slot', slot: word(3n) }
  assert.deepEqual(storeOf(called('')), {})
  assert.deepEqual(storeOf(called('0x03 SLOAD 0x20 MSTORE')), { takes: [slot] })
  assert.deepEqual(storeOf(called('0x20 0x00 0x00 CALLER data:0x3c')), { takesOther: true })
})

test('a store into a pointer to code is reported by a log that names the value', () => {
  const reported = (log: string): boolean =>
    effectsIn(`0x04 CALLDATALOAD ${word(1n << 200n)} SSTORE ${log} STOP`)[0]?.reportedBy === word(9n)
  assert.equal(reported(`0x04 CALLDATALOAD 0x09 0x00 0x00 ${LOG2}`), true)
  assert.equal(reported(`0x24 CALLDATALOAD 0x09 0x00 0x00 ${LOG2}`), false, 'another value')
  assert.equal(
    reported(`CALLVALUE @end JUMPI 0x04 CALLDATALOAD 0x09 0x00 0x00 ${LOG2} :end`),
    false,
    'on one path only',
  )
})

test('a delegatecall is reported by a log before it that names the code', () => {
  const run = '0x00 0x00 0x00 0x00 0x04 CALLDATALOAD GAS DELEGATECALL POP'
  const log = `0x04 CALLDATALOAD 0x09 0x00 0x00 ${LOG2}`
  const reported = (source: string): boolean => effectsIn(`${source} STOP`)[0]?.reportedBy === word(9n)
  assert.equal(reported(`${log} ${run}`), true)
  assert.equal(reported(`${run} ${log}`), false)
  assert.equal(reported(`0x24 CALLDATALOAD 0x09 0x00 0x00 ${LOG2} ${run}`), false)
})
