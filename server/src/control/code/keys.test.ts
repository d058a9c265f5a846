/** Which keys of mappings count as the same, which are new, and which stores every call makes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexToBytes } from '@noble/hashes/utils.js'
import { assemble } from '../../../../testing/adversary/assemble.ts'
import { followCode } from './dataflow.ts'
import { type Effect, effectsOf } from './effects.ts'
import { type Key, positionIn } from './positions.ts'
import { word } from './terms.ts'

function storesOf(source: string): readonly Effect[] {
  const { effects, settled } = effectsOf(followCode(hexToBytes(assemble(source).slice(2))))
  assert.equal(settled, true)
  return effects.filter(({ kind }) => kind === 'store')
}

/** Stores one in the element of the mapping in slot 5 with this key. */
const mark = (key: string, value = '0x01'): string =>
  `${value} ${key} 0x00 MSTORE 0x05 0x20 MSTORE 0x40 0x00 KECCAK256 SSTORE`
const keysOf = (source: string): readonly Key[] =>
  storesOf(source).flatMap(({ position }) => (position?.type === 'table' ? position.keys : []))

test('a key that is read again after a store is another one', () => {
  const read = '0x07 SLOAD'
  const [first, second, third] = keysOf(`${mark(read)} 0x04 CALLDATALOAD 0x07 SSTORE ${mark(read)} ${mark(read)}`)
  assert.deepEqual(first === undefined ? undefined : positionIn(first), { type: 'slot', slot: word(7n) })
  assert.deepEqual(second === undefined ? undefined : positionIn(second), { type: 'slot', slot: word(7n) })
  assert.equal(new Set([first, second, third]).size, 3)
  const [one, other] = keysOf(`${read} DUP1 ${mark('DUP2')} ${mark('DUP2', '0x02')} STOP`)
  assert.ok(one !== undefined && one === other)
})

test('numbers of one list are different keys', () => {
  const element = (at: string): string => `0xff ${at} CALLDATALOAD AND 0x01000000000000000000000000 ADD SLOAD`
  const [first, second] = keysOf(`${mark(element('0x04'))} ${mark(element('0x24'))}`)
  assert.ok(first !== undefined && second !== undefined && first !== second)
})

test('an element of a number that is counted names its counter, and what counts is known', () => {
  const counted = storesOf(`0x08 SLOAD 0x01 ADD DUP1 0x08 SSTORE ${mark('DUP2')} STOP`)
  assert.deepEqual(
    counted.map(({ freshBy, isNext }) => ({ freshBy, isNext })),
    [
      { freshBy: undefined, isNext: true },
      { freshBy: word(8n), isNext: undefined },
    ],
  )
  const [other] = storesOf('0x08 SLOAD 0x02 ADD 0x08 SSTORE')
  assert.equal(other?.isNext, undefined)
})

test('what is stored after a byte of the code was chosen is not certain for the other bytes', () => {
  const chosen = '0x01 0x02 0x04 CALLDATALOAD MOD 0x1f CODECOPY'
  const [store] = storesOf(`${chosen} ${mark('0x24 CALLDATALOAD', '0x00 MLOAD')} @end JUMP :end STOP`)
  assert.equal(store?.isCertain, undefined)
  const [always] = storesOf(`${chosen} @end JUMP :end ${mark('0x24 CALLDATALOAD')} STOP`)
  assert.equal(always?.isCertain, true)
})
