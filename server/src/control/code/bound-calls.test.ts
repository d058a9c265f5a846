/** Which keys of a queue determine the call that they let pass. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexToBytes } from '@noble/hashes/utils.js'
import { assemble } from '../../../../testing/adversary/assemble.ts'
import type { Hex } from '../../lib/hex.ts'
import { type Entries, entriesOf } from './bound-calls.ts'
import { word } from './terms.ts'

const TARGET = '0x04 CALLDATALOAD'
/** The place, the length and the first byte of a text whose offset is in this word of the input. */
const textAt = (head: string) => {
  const place = `${head} CALLDATALOAD 0x04 ADD`
  return { length: `${place} CALLDATALOAD`, start: `${place} 0x20 ADD` }
}
const DATA = textAt('0x24')
const NOTE = textAt('0x44')
type Text = typeof DATA
const copy = ({ length, start }: Text, to: string): string => `${length} ${start} ${to} CALLDATACOPY`
/** The hash of the target and a text behind it. */
const hashOf = (text: Text, at = '0x80', next = '0xa0'): string =>
  `${TARGET} ${at} MSTORE ${copy(text, next)} ${text.length} 0x20 ADD ${at} KECCAK256`

const ENTRY = '0x40 0x00 KECCAK256'
const REMOVE = `0x00 ${ENTRY} SSTORE`

const SELECTOR = 0x11223344n

/** `blocks`: in how many the function was followed where paths were joined. */
const entriesIn = (code: Hex, blocks = 0): Entries =>
  entriesOf({ code: hexToBytes(code.slice(2)), sizes: new Map([[SELECTOR, blocks]]) }, SELECTOR)

/** Calls a contract with a text if the entry with this key in the mapping in slot 5 is set, and removes the entry. */
const isBound = (
  key: string,
  { target = TARGET, text = DATA, changed = '', tested = '', remove = REMOVE, blocks = 0 } = {},
): boolean => {
  const code = assemble(
    `${key} 0x00 MSTORE 0x05 0x20 MSTORE ${ENTRY} SLOAD ${tested} @ok JUMPI STOP
     :ok ${remove} ${copy(text, '0x0400')} ${changed} 0x00 0x00 ${text.length} 0x0400 0x00 ${target} GAS CALL STOP :no STOP`,
  )
  return entriesIn(code, blocks).executed.has(word(5n))
}

test('a key binds a call if target and data are hashed', () => {
  assert.equal(isBound(hashOf(DATA)), true)
  // The hash of the data is hashed.
  const inner = `${copy(DATA, '0x80')} ${DATA.length} 0x80 KECCAK256 0x0220 MSTORE ${TARGET} 0x0200 MSTORE`
  assert.equal(isBound(`${inner} 0x40 0x0200 KECCAK256`), true)
})

test('a key binds no call of a function that is too large to be followed exactly', () => {
  assert.equal(isBound(hashOf(DATA), { blocks: 6_000 }), true)
  assert.equal(isBound(hashOf(DATA), { blocks: 6_001 }), false)
})

test('a key binds no call whose target or data is another one', () => {
  assert.equal(isBound(`${TARGET} 0x80 MSTORE 0x20 0x80 KECCAK256`), false, 'no data')
  assert.equal(isBound(hashOf(NOTE)), false, 'another text')
  assert.equal(isBound(`${DATA.length} 0x80 MSTORE ${TARGET} 0xa0 MSTORE 0x40 0x80 KECCAK256`), false, 'the length')
  assert.equal(isBound(hashOf(DATA), { target: '0x64 CALLDATALOAD' }), false, 'another target')
  assert.equal(isBound(hashOf(DATA), { target: '0x14 CALLDATASIZE SUB CALLDATALOAD' }), false, 'behind the input')
  const changed = '0x64 CALLDATALOAD 0x0404 MSTORE'
  assert.equal(isBound(hashOf(DATA), { changed }), false, 'changed data')
  assert.equal(isBound(hashOf(DATA), { changed: '0x07 SLOAD 0x0404 MSTORE' }), false, 'stored data')
  assert.equal(isBound(hashOf(DATA), { target: '0x07 SLOAD' }), true, 'a target in a slot is for the proof')
})

test('a key binds no call that it leaves out where the data is long or at an odd place', () => {
  const emptyIf = (condition: string): string => {
    const empty = `${TARGET} 0x80 MSTORE 0x20 0x80 KECCAK256`
    return `${condition} @empty JUMPI ${hashOf(DATA)} @hashed JUMP :empty ${empty} :hashed`
  }
  assert.equal(isBound(emptyIf('0x00')), true)
  assert.equal(isBound(emptyIf(`0x64 ${DATA.length} GT`)), false, 'long data')
  assert.equal(isBound(emptyIf(`0x84 ${DATA.length} EQ`)), false, 'data of one length')
  assert.equal(isBound(emptyIf(`0x0800 ${DATA.length} GT`)), false, 'data that is longer than any that is tried')
  assert.equal(isBound(emptyIf('0x1f 0x24 CALLDATALOAD AND')), false, 'data at an odd place')
  assert.equal(isBound(emptyIf(`${DATA.length} 0x09 SHR`)), false, 'the upper bits of the length')
  assert.equal(isBound(emptyIf(`0x1f ${DATA.length} EQ`)), false, 'data of an odd length')
  assert.equal(isBound(emptyIf(`${DATA.length} DUP1 MUL 0x040000 EQ`)), false, 'the square of the length')
  const masked = `${DATA.length} 0x03ff AND 0x80 KECCAK256`
  const inner = `${copy(DATA, '0x80')} ${masked} 0x0220 MSTORE ${TARGET} 0x0200 MSTORE 0x40 0x0200 KECCAK256`
  assert.equal(isBound(inner), false, 'the lower bits of the length')
})

test('a key binds no call where memory says for some lengths how much of the data it covers', () => {
  const start = `${TARGET} 0x80 MSTORE ${copy(DATA, '0xa0')}`
  const isCovered = (before: string, size: string): boolean => isBound(`${start} ${before} ${size} 0x80 KECCAK256`)
  const size = `${DATA.length} 0x20 ADD`
  assert.equal(isCovered(`${size} 0x1400 MSTORE`, '0x1400 MLOAD'), true)
  const row = (length: number): string => `0x${(0x1000 + length).toString(16)}`
  const table = [0, 32, 64, 132].map((length) => `${word(BigInt(length + 32))} ${row(length)} MSTORE`).join(' ')
  assert.equal(isCovered(table, `0x1000 ${DATA.length} ADD MLOAD`), false, 'a table')
  const hit = (store: string): boolean => isCovered(`${size} 0x1400 MSTORE ${store}`, '0x1400 MLOAD')
  assert.equal(hit(`0x20 ${DATA.length} 0x1000 ADD MSTORE`), false, 'a store')
  assert.equal(hit(`${DATA.length} 0x00 0x1000 CALLDATACOPY`), false, 'a copy')
  assert.equal(hit(`0x20 ${DATA.length} 0x1800 ADD MSTORE`), true, 'a store that is always behind it')
  const loop = (stride: string): string =>
    `0x00 :loop DUP1 ${DATA.length} GT @in JUMPI @out JUMP
     :in 0x20 DUP2 0x1000 ADD MSTORE ${stride} ADD @loop JUMP :out POP`
  assert.equal(hit(loop('0x20')), false, 'a loop')
  assert.equal(hit(loop('0x0400')), false, 'a loop of one round for shorter texts')
  assert.equal(isCovered(loop('0x20'), size), true, 'a loop that stores elsewhere')
  const coded = (from: string): string => `0x00 0x1000 MSTORE 0x01 ${from} 0x101f CODECOPY`
  const byCode = `0x0100 0x1000 MLOAD DIV ${size} ADD`
  assert.equal(isCovered(coded('0x04'), byCode), true)
  assert.equal(isCovered(coded(`${DATA.length} 0x04 ADD`), byCode), false, 'a table in the code')
  const rest = `0x1f ${DATA.length} AND`
  assert.equal(isCovered('', `${rest} 0x08 MUL ${size} SUB`), false, 'a rest of the length')
  const rests = `${size} 0x1000 MSTORE ${size} 0x1004 MSTORE`
  assert.equal(isCovered(rests, `${rest} 0x1000 ADD MLOAD`), false, 'a table by rests')
  const cover = [32, 64, 132].map((length) => `0x00 ${DATA.length} ${word(BigInt(0x0404 - length))} ADD MSTORE`)
  const changed = `0x64 CALLDATALOAD 0x0404 MSTORE 0x00 ${DATA.length} 0x0404 ADD MSTORE ${cover.join(' ')}`
  assert.equal(isBound(hashOf(DATA), { changed }), false, 'other data that is covered')
})

/** How the key of an entry in the mapping in slot 5 names the call that the function makes if it is set. */
const namingOf = (key: string, before = '', text = DATA, target = TARGET): string | undefined => {
  const code = assemble(
    `${key} 0x00 MSTORE 0x05 0x20 MSTORE ${ENTRY} SLOAD @ok JUMPI STOP
     :ok ${before} ${copy(text, '0x0400')} 0x00 0x00 ${text.length} 0x0400 0x00 ${target} GAS CALL STOP`,
  )
  const [naming] = entriesIn(code).named.values()
  return naming?.get(word(5n))
}

test('a key names a call whether or not its entry is removed', () => {
  assert.equal(namingOf(hashOf(DATA)), 'whole')
  assert.equal(namingOf(`${TARGET} 0x80 MSTORE 0x20 0x80 KECCAK256`), undefined, 'no data')
  assert.equal(namingOf(`${copy(DATA, '0x80')} ${DATA.length} 0x80 KECCAK256`), undefined, 'no target')
})

/** Halves an interval by what storage holds, with the interval on the stack, until it is empty. */
const searched = (round = ''): string =>
  `0x00 0x07 SLOAD :search DUP2 DUP2 LT ISZERO @more JUMPI @found JUMP
   :more DUP2 DUP2 ADD 0x01 SHR DUP1 0x00 MSTORE 0x20 0x00 KECCAK256 SLOAD ${round} @high JUMPI
   SWAP2 POP @search JUMP :high SWAP1 POP @search JUMP :found POP POP`

test('a key names a call after a search', () => {
  assert.equal(namingOf(hashOf(DATA), searched()), 'whole')
  assert.equal(namingOf(hashOf(NOTE), searched()), undefined, 'of another text')
  assert.equal(namingOf(`${TARGET} 0x80 MSTORE 0x20 0x80 KECCAK256`, searched()), undefined, 'without the data')
})

test('what a search finds is not given by the key', () => {
  const found = searched().replace(/POP POP$/, 'POP 0x0600 MSTORE')
  assert.equal(namingOf(hashOf(DATA), found), 'whole')
  assert.equal(namingOf(hashOf(DATA), found, DATA, '0x0600 MLOAD'), undefined, 'the target')
  assert.equal(namingOf(hashOf(DATA), searched('0x64 CALLDATALOAD 0x07 SSTORE')), undefined, 'a search that writes')
})

test('two texts one after the other have several readings', () => {
  const both = (between: string, size: string): string =>
    `${TARGET} 0x80 MSTORE ${copy(NOTE, '0xa0')} ${between} ${copy(DATA, `${NOTE.length} ${size} ADD`)}
     ${NOTE.length} ${DATA.length} ADD ${size} 0x80 SWAP1 SUB ADD 0x80 KECCAK256`
  assert.equal(isBound(both('', '0xa0')), false)
  const length = `${DATA.length} ${NOTE.length} 0xa0 ADD MSTORE`
  assert.equal(isBound(both(length, '0xc0')), true)
})

test('an entry binds a call only if every call that succeeds removes what is tested', () => {
  const bound = (remove: string, tested = ''): boolean => isBound(hashOf(DATA), { remove, tested })
  assert.equal(bound(''), false, 'it stays')
  assert.equal(bound(`0x64 CALLDATALOAD @stays JUMPI ${REMOVE} :stays`), false, 'it stays for some arguments')
  assert.equal(bound(`0x64 CALLDATALOAD @other JUMPI ${REMOVE} @end JUMP :other ${REMOVE} :end`), true)
  assert.equal(bound(`0x00 0x01 ${ENTRY} ADD SSTORE`), false, 'what is next to it')
  assert.equal(bound(`0x01 ${ENTRY} SSTORE`), false, 'a mark that is tested')
  const cleared = (mask: string): string => `${ENTRY} SLOAD ${mask} NOT AND ${ENTRY} SSTORE`
  assert.equal(bound(cleared('0xff'), '0xff AND'), true)
  assert.equal(bound(cleared('0xff00'), '0xff AND'), false, 'other bits')
  assert.equal(bound(cleared('0xff')), false, 'some bits of it')
  // A time that has come: the mark of what is done is one.
  const due = 'DUP1 0x01 LT ISZERO @no JUMPI data:0x42 LT ISZERO'
  assert.equal(bound(`0x01 ${ENTRY} SSTORE`, due), true)
  assert.equal(bound(`0x02 ${ENTRY} SSTORE`, due), false)
})

test('code that cannot be followed to its end binds nothing', () => {
  assert.equal(isBound(`${hashOf(DATA)} :loop 0x64 CALLDATALOAD @loop JUMPI`), false)
})
