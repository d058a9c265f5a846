/** Effects of published contracts and of code written for one rule each. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { hexToBytes } from '@noble/hashes/utils.js'
import type { Hex } from 'viem'
import { assemble } from '../../../../testing/adversary/assemble.ts'
import { deployedCode } from '../../../../testing/evm/compile.ts'
import { followCode } from './dataflow.ts'
import { type CodeEffects, type Effect, effectsOf } from './effects.ts'
import { bytesOf, hashOf } from './hashes.ts'
import { mayHit } from './hits.ts'
import type { Position } from './positions.ts'
import { word } from './terms.ts'

const require = createRequire(import.meta.url)

const analyzed = (hex: string): CodeEffects => effectsOf(followCode(hexToBytes(hex)))

/** Immutables are zero in the published code. */
function published(version: 4 | 5, name: string): readonly Effect[] {
  const path = `${version === 4 ? 'openzeppelin-contracts-4' : '@openzeppelin/contracts'}/build/contracts/${name}.json`
  const { deployedBytecode } = JSON.parse(readFileSync(require.resolve(path), 'utf8')) as { deployedBytecode: string }
  const { effects, settled } = analyzed(deployedBytecode.slice(2))
  assert.equal(settled, true, name)
  return effects
}

const types = ({ conditions }: Effect): readonly string[] => conditions.map(({ type }) => type)
const IMPLEMENTATION = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
const pointer = { type: 'slot', slot: `0x${IMPLEMENTATION}` } as const
const slot = (number: bigint): Position => ({ type: 'slot', slot: word(number) })

/** The store of code that has one. */
function storeOf(hex: string): Effect {
  const { effects, settled } = analyzed(hex)
  assert.equal(settled, true)
  const [store, ...others] = effects.filter(({ kind }) => kind === 'store')
  assert.ok(store !== undefined && others.length === 0)
  return store
}

test('everything that a ProxyAdmin and a beacon do needs the owner in slot 0', () => {
  for (const name of ['ProxyAdmin', 'UpgradeableBeacon'])
    for (const effect of published(5, name))
      assert.deepEqual(
        effect.conditions.find(({ type }) => type === 'caller'),
        { type: 'caller', is: { type: 'slot', slot: word(0n), shift: 0 } },
        `${name} at ${effect.at}`,
      )
})

test('a timelock calls only what is due, and queues only with the delay in slot 2, which it alone can set', () => {
  for (const version of [4, 5] as const) {
    const effects = published(version, 'TimelockController')
    const calls = effects.filter(({ kind }) => kind === 'call')
    assert.ok(calls.length > 0)
    for (const call of calls) assert.ok(types(call).includes('due'), `version ${version} at ${call.at}`)
    const queued = effects.filter(({ delaySlot }) => delaySlot !== undefined)
    assert.deepEqual([...new Set(queued.map(({ delaySlot }) => delaySlot))], [word(2n)])
    const [delay] = effects.filter(({ position }) => position?.type === 'slot' && position.slot === word(2n))
    assert.deepEqual(delay?.conditions, [{ type: 'caller', is: { type: 'self' } }])
  }
})

test('a grant and a revocation of a role are reported by different events', () => {
  const events = published(5, 'TimelockController').flatMap(({ position, reportedBy, isClear }) =>
    position?.type === 'table' && position.keys.length === 2 ? [{ reportedBy, isClear }] : [],
  )
  const granted = '0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d'
  assert.ok(events.some(({ isClear }) => isClear === undefined))
  for (const { reportedBy, isClear } of events) assert.equal(reportedBy === granted, isClear === undefined)
})

test('a role check names its role and its table', () => {
  const listed = published(5, 'TimelockController')
    .flatMap(({ conditions }) => conditions)
    .find((condition) => condition.type === 'listed' && condition.table.keys[0]?.startsWith('0x'))
  assert.equal(listed?.type === 'listed' && listed.table.base, word(0n))
  assert.equal(listed?.type === 'listed' && listed.table.keys[1], 'caller')
})

test('a store at a slot from the input may change every slot', () => {
  // sstore(calldataload(0), 1)
  const { position } = storeOf('600160003555')
  assert.deepEqual(position, { type: 'anywhere' })
  assert.ok(position !== undefined && mayHit(position, pointer))
})

test('an element of a mapping is no other slot, and the hash of a text may be one', () => {
  // mstore(0, calldataload(0)) mstore(32, 5) sstore(keccak256(0, 64), 1)
  const element = storeOf('60003560005260056020526001604060002055').position
  assert.ok(element?.type === 'table' && !mayHit(element, pointer) && !mayHit(element, slot(5n)))
  // mstore(0, calldataload(0)) sstore(keccak256(0, 28) - 1, 1)
  const below = storeOf('60003560005260016001601c6000200355').position
  assert.ok(below !== undefined && mayHit(below, pointer))
})

test('an element of an array in one of the first slots is in no mapping, but may be in one that packs its keys', () => {
  const element = { type: 'near', slot: word(hashOf(bytesOf(10n)) - 1n) } as const
  const table = (base: Hex): Position => ({ type: 'table', base, keys: ['?1'], member: 0 })
  assert.equal(mayHit(element, table(word(9n))), false)
  assert.equal(mayHit(element, table(`0x${'0'.repeat(23)}a`)), true)
  assert.equal(mayHit({ type: 'near', slot: word(1n << 200n) }, table(word(9n))), true)
  const known = { ...table(word(9n)), keys: [word(3n)] } as const
  assert.equal(mayHit({ type: 'hashed', bytes: 32, isBelow: false }, known), false)
  assert.equal(mayHit({ type: 'hashed', bytes: 64, isBelow: false }, known), true)
  assert.equal(mayHit({ type: 'hashed', bytes: 0, isBelow: false }, known), true)
})

test('an index without a bound reaches every slot, and one below a small number does not', () => {
  const base = 'f'.repeat(8) + '0'.repeat(56)
  // sstore(base + calldataload(0), 1)
  assert.deepEqual(storeOf(`60016000357f${base}0155`).position, { type: 'anywhere' })
  // if (calldataload(0) < 8) sstore(base + calldataload(0), 1)
  const bounded = storeOf(`600860003510600a57005b60016000357f${base}0155`)
  assert.equal(bounded.position?.type, 'near')
  assert.ok(bounded.position !== undefined && !mayHit(bounded.position, pointer))
})

test('a word that a call may have left in memory is not its answer', () => {
  // mstore(0, calldataload(0)) staticcall(beacon, …, 0, 32) delegatecall(mload(0), …), without a check of success
  const call = `600035600052602060006000600073${'be'.repeat(20)}5afa`
  const run = '60006000600060006000515af400'
  const [ignored] = analyzed(`${call}50${run}`).effects.filter(({ kind }) => kind === 'delegatecall')
  assert.deepEqual(ignored?.target, { type: 'unknown' })
})

test('the sender of a transaction is not its signer', () => {
  // if (caller == origin) stop; sstore(0, 1)
  assert.equal(storeOf('333214600c576001600055005b00').conditions.length, 0)
})

test('code that is made to be endless ends without a result', () => {
  assert.equal(analyzed('5b'.repeat(24_576)).settled, true)
  // A jump to a target from the input.
  assert.equal(analyzed('60003556').settled, false)
  // A loop that pushes a return address each time: the stack overflows, which reverts.
  assert.equal(analyzed('5b60005b600256').settled, true)
  const budget = { steps: 1_000, nodes: 50 }
  assert.equal(followCode(hexToBytes('5b60016000575b60036000575b600056'), budget).settled, true)
})

test('the code of a large governor is followed in few steps', () => {
  const { settled, steps } = followCode(hexToBytes(deployedCode('Parliament').slice(2)))
  assert.equal(settled, true)
  assert.ok(steps < 300_000, `${steps} steps`)
})

test('code that runs on the storage of the contract answers from it, and by CALLCODE takes it for its caller', () => {
  const asked = (call: string): readonly (string | undefined)[] =>
    analyzed(
      assemble(
        `0x5c60da1b 0x00 MSTORE 0x20 0x00 0x04 0x1c ${call} @ok JUMPI 0x00 0x00 REVERT
         :ok 0x20 RETURNDATASIZE LT ISZERO @whole JUMPI 0x00 0x00 REVERT
         :whole 0x00 0x00 0x00 0x00 0x00 MLOAD GAS DELEGATECALL STOP`,
      ).slice(2),
    ).effects.map(({ target }) => target?.type)
  assert.deepEqual(asked('0x00 0x05 SLOAD GAS CALL'), ['slot', 'returned'])
  assert.deepEqual(asked('0x05 SLOAD GAS DELEGATECALL'), ['slot', 'unknown'])
  assert.deepEqual(asked('0x00 0x05 SLOAD GAS CALLCODE'), ['unknown', 'unknown'])
})

test('an answer is a condition only if the call returned a whole word that is not zero', () => {
  const conditions = (size: string, more = ''): readonly string[] =>
    storeOf(
      assemble(
        `0x20 0x00 0x00 0x00 0x05 SLOAD GAS data:0xfa @ok JUMPI 0x00 0x00 REVERT
         :ok ${size} RETURNDATASIZE LT ISZERO @whole JUMPI 0x00 0x00 REVERT
         :whole 0x00 MLOAD ${more} @yes JUMPI STOP :yes 0x01 0x02 SSTORE STOP`,
      ).slice(2),
    ).conditions.map(({ type }) => type)
  assert.deepEqual(conditions('0x20'), ['answered'])
  assert.deepEqual(conditions('0x1f'), [])
  assert.deepEqual(conditions('0x20', 'ISZERO'), [])
})

test('an answer counts only if it has a whole word', () => {
  // staticcall(beacon, implementation()), if it succeeds delegatecall(mload(0))
  const call = `635c60da1b60e01b5f5260205f60045f73${'be'.repeat(20)}5afa`
  const run = '5f5f5f5f5f515af400'
  const targetsOf = (hex: string): readonly unknown[] =>
    analyzed(hex).effects.flatMap(({ kind, target }) => (kind === 'delegatecall' ? [target] : []))
  const answer = { type: 'returned', by: { type: 'constant', address: `0x${'be'.repeat(20)}` }, selector: '0x5c60da1b' }
  assert.deepEqual(targetsOf(`${call}602b57005b${run}`), [{ type: 'unknown' }])
  // The same if returndatasize() > 31.
  assert.deepEqual(targetsOf(`${call}601f3d1116603057005b${run}`), [answer])
})

test('a store is reported if a log names its key on every path that succeeds', () => {
  const key = '5f355f526001602052'
  const store = `${key}600160405f2055`
  const topic = 'dd'.repeat(32)
  const log = `5f357f${topic}5f5fa2`
  assert.equal(storeOf(`${store}${log}00`).reportedBy, `0x${topic}`)
  assert.equal(storeOf(`${store}00`).reportedBy, undefined)
  // The log names another key.
  assert.equal(storeOf(`${store}6020357f${topic}5f5fa200`).reportedBy, undefined)
  // The log is left out if the second argument is zero.
  const test = `${store}602035601c57005b${log}00`
  assert.equal(storeOf(test).reportedBy, undefined)
  // A second store of a loop is reported, the first one is not.
  assert.equal(storeOf(`5b${store}6020355f57${log}00`).reportedBy, undefined)
})

const BASE = `ffffffff${'0'.repeat(56)}`

test('no position is taken for one that cannot reach a pointer', () => {
  const reaches: Record<string, string> = {
    'an index below 2^256 - 1': `7f${'f'.repeat(64)}5f3510602857005b60015f357f${BASE}0155`,
    'an index below a length minus one': `6001600554035f3510600d57005b60015f357f${BASE}0155`,
    'a negative index': `7f${'f'.repeat(64)}60203514602957005b5f355f52604035602035601c5f200155`,
    'the sum of a number and a small multiple of 2^31':
      '600167ffffffffffffffff5f35166380000000027f360894a13ba1a3210667c828492db98dca3e2076cc37356920a3ca505d382bbc0155',
  }
  const product = (of: string): string => `0xffffffff AND ${of} 0x80000000 MUL ADD`
  const nested = product(`0x20 CALLDATALOAD ${product('0x40 CALLDATALOAD 0xffffffffffffffff AND')}`)
  const far = word(BigInt(pointer.slot) - (1n << 150n))
  reaches['a product of products'] = assemble(
    `0x09 0x00 CALLDATALOAD ${nested} 0x80000000 MUL ${far} ADD SSTORE`,
  ).slice(2)
  for (const [name, hex] of Object.entries(reaches)) {
    const { position } = storeOf(hex)
    assert.ok(position !== undefined && mayHit(position, pointer), `${name}: ${JSON.stringify(position)}`)
  }
})

test('an element whose base comes from the caller may be in any mapping', () => {
  // sstore(keccak256(constant . calldataload(0)), 1)
  const { position } = storeOf(`73${'a1'.repeat(20)}5f525f35602052600160405f2055`)
  const wards: Position = { type: 'table', base: word(7n), keys: ['?0'], member: 0 }
  assert.ok(position !== undefined && mayHit(position, wards))
})

test('a write through a pointer to free memory leaves the first words alone, and one through another address does not', () => {
  // mstore(0, calldataload(0)) mstore(32, 5) mstore(mload(64), 1) sstore(keccak256(0, 64), 1)
  const hashed = '5f355f526005602052600160405152600160405f2055'
  // Before it: mstore(64, 128 + (calldataload(32) & 255)), or mstore(64, calldataload(32))
  const behind = storeOf(`60203560ff16608001604052${hashed}`).position
  assert.equal(behind?.type === 'table' && behind.base, word(5n))
  const anywhere = storeOf(`602035604052${hashed}`).position
  assert.ok(anywhere !== undefined && anywhere.type !== 'table')
})

test('a copy of unknown size may be empty', () => {
  // mstore(0, caller) calldatacopy(0, 0, calldataload(64)) if (mload(0) == calldataload(0)) stop; sstore(5, …)
  assert.equal(storeOf('335f526040355f5f375f355f51146017576020356005555b00').conditions.length, 0)
})

test('two calls of one subroutine are two effects', () => {
  const call = `5b5f5f6024601c5f73${'a1'.repeat(20)}5af15056`
  const { effects } = analyzed(`63aaaaaaaa5f52600c601b565b63a9059cbb5f526019601b565b00${call}`)
  assert.deepEqual(new Set(effects.map(({ passes }) => passes)), new Set(['0xa9059cbb', '0xaaaaaaaa']))
})

test('an entry that was never set is not due, and a time that is not given does not come', () => {
  const open = analyzed('5f355f5260016020524260405f205410601457005b5f5f5f5f5f6020355af1').effects
  assert.deepEqual(open.flatMap(types), ['clocked'])
  assert.deepEqual(analyzed('42600110600857005b5f5f5f5f5f5f355af1').effects.flatMap(types), [])
})

test('a delay counts only for the time that is stored', () => {
  // if (now + sload(2) <= 2^256 - 2) sstore(keccak256(x . 1), 1)
  const trivial = `7f${'f'.repeat(63)}e600254420111603a575f355f526001602052600160405f20555b00`
  assert.equal(storeOf(trivial).delaySlot, undefined)
})

test('an index that a comparison bounds as a whole is an index, and another one with the same number is not', () => {
  const store = (compared: string) =>
    storeOf(
      assemble(
        `0x00 CALLDATALOAD 0x00 MSTORE 0x01 0x20 MSTORE 0x40 0x00 KECCAK256 SLOAD
         0x05 SLOAD ${compared} DUP3 SUB LT @small JUMPI STOP
         :small 0x05 0x00 MSTORE 0x20 0x00 KECCAK256 ADD 0x01 SWAP1 SUB 0x09 SWAP1 SSTORE`,
      ).slice(2),
    ).position
  const array = word(hashOf(bytesOf(5n)))
  assert.deepEqual(store('0x01'), { type: 'near', slot: array, lengths: [{ type: 'slot', slot: word(5n) }] })
  assert.notDeepEqual(store('0x02'), store('0x01'))
})

test('a length that depends on another slot, or may wrap around, is no count', () => {
  assert.equal(storeOf('600654600555').isCount, undefined)
  assert.equal(storeOf('600554600757005b600260055403600555').isCount, undefined)
  assert.equal(storeOf('600554600101600555').isCount, true)
  assert.equal(storeOf(assemble('0x05 SLOAD 0x0100000000 ADD 0x05 SSTORE').slice(2)).isCount, undefined)
})

test('code with an instruction that is not known is not followed', () => {
  assert.equal(analyzed('e65f5ff3').settled, false)
  assert.equal(analyzed('fe').settled, true)
})

/** Calls the first argument with the input if the entry with this key is due. */
const queued = (key: string): readonly Effect[] =>
  analyzed(
    assemble(
      `${key} 0x00 MSTORE 0x00 0x20 MSTORE 0x40 0x00 KECCAK256 SLOAD
      DUP1 0x01 LT ISZERO @end JUMPI DUP1 data:0x42 LT @end JUMPI
      0x00 0x00 CALLDATASIZE 0x00 0x00 0x04 CALLDATALOAD GAS CALL STOP :end STOP`,
    ).slice(2),
  ).effects

test('an entry is due for a call only if its key is not known to lack the target, the data or the time', () => {
  const isHashed = (table: Position): boolean => table.type === 'table' && table.keys.at(-1)?.startsWith('#') === true
  const isDue = (key: string): boolean =>
    queued(key).every(({ conditions }) => conditions.some((each) => each.type === 'due' && isHashed(each.table)))
  const target = '0x04 CALLDATALOAD 0x00 MSTORE'
  assert.ok(isDue(`${target} CALLDATASIZE 0x00 KECCAK256`))
  assert.ok(!isDue(`${target} 0x20 0x00 KECCAK256`), 'without the data')
  assert.ok(!isDue('0x24 CALLDATALOAD 0x00 MSTORE 0x20 0x00 KECCAK256'), 'without the target')
  const either = `${target} 0x44 CALLDATALOAD @other JUMPI CALLDATASIZE 0x00 KECCAK256 @key JUMP
    :other 0x24 CALLDATALOAD 0x00 MSTORE CALLDATASIZE 0x00 KECCAK256 :key`
  assert.ok(!isDue(either), 'the target is in one of two keys')
})

/** Stores at a place that begins at the hash of slot 5 and moves in each round. */
const looped = (move: string): Position | undefined =>
  storeOf(
    assemble(
      `0x05 0x00 MSTORE 0x20 0x00 KECCAK256 0x00 CALLDATALOAD
       :round DUP1 @go JUMPI STOP
       :go 0x09 DUP3 SSTORE 0x01 SWAP1 SUB SWAP1 ${move} SWAP1 @round JUMP`,
    ).slice(2),
  ).position

test('a loop that counts stays near its array, and one that moves otherwise may reach every slot', () => {
  assert.deepEqual(looped('0x01 ADD'), { type: 'near', slot: word(hashOf(bytesOf(5n))) })
  assert.deepEqual(looped('0x02 ADD 0x03 ADD'), looped('0x01 ADD'))
  const others: Readonly<Record<string, string>> = {
    'a step of the caller': '0x20 CALLDATALOAD ADD',
    'a large step': '0x0100000000 ADD',
    'a step back': '0x01 SWAP1 SUB',
    'twice the place': 'DUP1 ADD',
    'twice the distance': `0x05 0x00 MSTORE 0x20 0x00 KECCAK256 DUP2 SUB ADD 0x01 ADD`,
  }
  for (const [name, move] of Object.entries(others)) assert.deepEqual(looped(move), { type: 'anywhere' }, name)
})

test('every entry of a table of jumps is followed, and a table that is not all of the destination is not', () => {
  const table = (more: string, place: string): CodeEffects =>
    analyzed(
      assemble(
        `${more} 0x02 0x02 0x00 CALLDATALOAD MOD 0x01 SHL @table ADD ${place} CODECOPY 0x00 MLOAD JUMP
         :first 0x09 0x01 SSTORE STOP :second 0x09 0x02 SSTORE STOP #table &first &second`,
      ).slice(2),
    )
  const { effects, settled } = table('', '0x1e')
  assert.ok(settled)
  assert.deepEqual(
    effects.map(({ position }) => position),
    [slot(1n), slot(2n)],
  )
  assert.equal(table('', '0x1d').settled, true)
  assert.equal(table('0x20 CALLDATALOAD 0x00 MSTORE', '0x1e').settled, false)
  assert.equal(table('0x20 CALLDATALOAD 0x00 MSTORE', '0x1d').settled, false)
})

test('a slot is known whose name is copied from the code, as far as nothing replaces its bytes', () => {
  const name = 'matic.network.proxy.implementation'
  const text = Buffer.from(name).toString('hex')
  const copied = (more: string, size = '0x22'): Position | undefined =>
    storeOf(
      assemble(
        `0x80 0x40 MSTORE ${size} @text 0x40 MLOAD CODECOPY ${more} 0x09 0x22 0x40 MLOAD KECCAK256 SSTORE STOP
         #text data:0x${text}`,
      ).slice(2),
    ).position
  const named = slot(hashOf(Buffer.from(name)))
  assert.deepEqual(copied(''), named)
  assert.deepEqual(copied('0x00 CALLDATALOAD 0xa2 MSTORE'), named)
  // The code ends after the name, and zeros follow.
  assert.deepEqual(copied('', '0x40'), named)
  assert.deepEqual(
    copied('0x03 @text 0x1f 0x40 MLOAD ADD CODECOPY'),
    slot(hashOf(Buffer.from(`${name.slice(0, 31)}mat`))),
  )
  assert.deepEqual(
    copied('0x02 @after 0xa0 CODECOPY #after'),
    slot(hashOf(Buffer.from(`${name.slice(0, 32)}\x60\x09`))),
  )
  const unknown = { type: 'hashed', bytes: 34, isBelow: false } as const
  for (const replaced of [
    '0x00 CALLDATALOAD 0xa1 MSTORE',
    '0x01 0x00 0xa1 CALLDATACOPY',
    '0x01 0x00 CALLDATALOAD 0xa0 CODECOPY',
  ])
    assert.deepEqual(copied(replaced), unknown, replaced)
  assert.deepEqual(copied('', '0x21'), unknown)
})

test('a loop over elements of a mapping stays in the mapping', () => {
  const { position } = storeOf(
    assemble(
      `0x07 0x20 MSTORE 0x00 CALLDATALOAD 0x00 MSTORE 0x40 0x00 KECCAK256 0x20 CALLDATALOAD
       :round DUP1 @go JUMPI STOP
       :go 0x09 DUP3 0x02 ADD SSTORE DUP1 0x00 MSTORE 0x01 SWAP1 SUB SWAP1 POP 0x40 0x00 KECCAK256 SWAP1 @round JUMP`,
    ).slice(2),
  )
  assert.equal(position?.type === 'table' && position.base, word(7n))
  assert.equal(position?.type === 'table' && position.member, 2)
  assert.ok(position !== undefined && !mayHit(position, pointer))
})

test('the fallback function of a call proxy returns what it got, also for input that it changed', () => {
  const proxy = (to: string): Effect | undefined =>
    analyzed(
      assemble(
        `0x00 CALLDATALOAD NOT 0x00 MSTORE 0x00 0x00 CALLDATASIZE 0x00 0x00 ${to} GAS CALL POP
        RETURNDATASIZE 0x00 0x00 RETURNDATACOPY RETURNDATASIZE 0x00 RETURN`,
      ).slice(2),
    ).effects[0]
  assert.equal(proxy('0x05 SLOAD')?.isForwarded, true)
  assert.equal(proxy('0x20 CALLDATALOAD')?.isForwarded, undefined, 'a call of any contract')
})

test('input that is copied, saved and restored is still passed on', () => {
  const proxy = (restored: string): Effect | undefined =>
    analyzed(
      assemble(
        `CALLDATASIZE 0x00 0x00 CALLDATACOPY 0x00 MLOAD 0x05 0x00 MSTORE ${restored} 0x00 MSTORE
        0x00 0x00 CALLDATASIZE 0x00 0x05 SLOAD GAS DELEGATECALL STOP`,
      ).slice(2),
    ).effects[0]
  assert.equal(proxy('')?.isForwarded, true)
  assert.equal(proxy('NOT')?.isForwarded, undefined)
})

test('the input is unchanged only where nothing was written after it was copied', () => {
  const isUnchanged = (copy: string): boolean =>
    analyzed(assemble(`${copy} 0x00 0x00 CALLDATASIZE 0x00 0x05 SLOAD GAS DELEGATECALL STOP`).slice(2)).effects[0]
      ?.isUnchanged === true
  const whole = 'CALLDATASIZE 0x00 0x00 CALLDATACOPY'
  assert.equal(isUnchanged(whole), true)
  assert.equal(isUnchanged(`0x01 0x64 MSTORE ${whole}`), true)
  assert.equal(isUnchanged(`${whole} 0x01 0x64 MSTORE`), false)
  assert.equal(isUnchanged(`${whole} 0x20 0x00 0x64 CODECOPY`), false)
  assert.equal(isUnchanged('0x44 0x00 0x00 CALLDATACOPY'), false, 'only a part is copied')
  assert.equal(isUnchanged('CALLDATASIZE 0x00 0x20 CALLDATACOPY'), false, 'copied to another place')
})

test('code keeps its functions only if it gets the selector of the input', () => {
  const proxy = (copy: string, size = 'CALLDATASIZE'): boolean | undefined => {
    const [effect] = analyzed(
      assemble(`${copy} 0x00 0x00 ${size} 0x00 0x05 SLOAD GAS DELEGATECALL STOP`).slice(2),
    ).effects
    assert.equal(effect?.kind, 'delegatecall')
    return effect?.isForwarded === true && effect.isRenamed !== true
  }
  const word = (place: string): string => `0x${'12345678'.padEnd(64, '0')} ${place} MSTORE`
  const whole = 'CALLDATASIZE 0x00 0x00 CALLDATACOPY'
  assert.equal(proxy(whole), true)
  assert.equal(proxy(`${word('0x00')} ${whole}`), true, 'shorter input is not completed')
  assert.equal(proxy('0x00 CALLDATALOAD 0x00 MSTORE', '0x20'), true)
  assert.equal(proxy(`${word('0x00')} ${whole}`, '0x44'), false, 'shorter input is completed')
  assert.equal(proxy(`${word('0x00')} ${whole}`, '0x04 CALLDATALOAD'), false)
  assert.equal(proxy(whole, '0x03'), false, 'a part of the selector')
  assert.equal(proxy(`${word('0x00')} 0x00 0x00 0x00 CALLDATACOPY`), false, 'nothing is copied')
  assert.equal(proxy(`${word('0x00')} CALLVALUE 0x00 0x00 CALLDATACOPY`), false)
  assert.equal(proxy(`${whole} ${word('0x01')}`), false, 'one byte of the selector')
  assert.equal(proxy(`${whole} ${word('0x01')} 0x00 MLOAD 0x00 MSTORE`), false)
  const [call] = analyzed(
    assemble('CALLVALUE 0x00 0x00 CALLDATACOPY 0x00 0x00 CALLVALUE 0x00 0x00 0x05 SLOAD GAS CALL STOP').slice(2),
  ).effects
  assert.equal(call?.isForwarded, true, 'a call of other code counts as one that passes the input on')
})

test('code passes an answer on only if it returns what a delegatecall returned', () => {
  const answer = (call: string, more = ''): string | undefined =>
    analyzed(
      assemble(`CALLDATASIZE 0x00 0x00 CALLDATACOPY 0x00 0x00 CALLDATASIZE 0x00 ${call} POP
        RETURNDATASIZE 0x00 0x00 RETURNDATACOPY ${more} RETURNDATASIZE 0x00 RETURN`).slice(2),
    ).answers[0]?.is.type
  const run = '0x05 SLOAD GAS DELEGATECALL'
  assert.equal(answer(run), 'forwarded')
  assert.equal(answer(run, '0x06 SLOAD 0x00 MSTORE'), 'unknown')
  assert.equal(answer(run, '0x06 SLOAD 0x01 MSTORE'), 'unknown')
  assert.equal(answer('0x04 GAS data:0xfa'), 'unknown')
  assert.equal(answer('0x00 0x05 SLOAD GAS CALL'), 'unknown')
})

test('what is known behind a number is forgotten with the first words, though a larger number is a pointer', () => {
  const B = '0x00 CALLDATALOAD 0xffe0 AND'
  const stored = (source: string): Position | undefined => storeOf(assemble(source).slice(2)).position
  const above = `0x01 ${B} 0x0100 ADD MSTORE`
  const load = `0x01 ${B} MLOAD SSTORE STOP`
  assert.deepEqual(stored(`0x05 ${B} MSTORE ${above} 0x07 0x00 MSTORE ${load}`), { type: 'anywhere' })
  const read = `${B} 0x0100 ADD MLOAD POP`
  assert.deepEqual(stored(`0x05 ${B} MSTORE ${read} 0x07 0x00 MSTORE ${load}`), { type: 'anywhere' })
  // Two loads, and a write of the first word between them.
  const loaded = `${above} ${B} MLOAD 0x07 0x00 MSTORE ${B} MLOAD EQ @same JUMPI 0x01 0x09 SSTORE STOP :same STOP`
  assert.deepEqual(stored(loaded), slot(9n))
})

/** Three pointers at distances that the input chooses, on the stack: C, B and A. */
const POINTERS = `0x80 0x40 MSTORE ${['0x00', '0x20', '0x40']
  .map((at) => `0x40 MLOAD ${at} CALLDATALOAD 0xffe0 AND 0x20 ADD ADD 0x40 MSTORE 0x40 MLOAD`)
  .join(' ')} SWAP2`
/** C points to a word of the input, A to 5. The word at 0 is 1 after the first round. */
const FILLED = `${POINTERS} DUP3 0x60 CALLDATALOAD SWAP1 MSTORE 0x05 DUP2 MSTORE 0x00 0x00 MSTORE`
const LOOP = ':head 0x00 MLOAD @later JUMPI GAS 0x01 AND @exit JUMPI'

test('a pointer that a loop moves later does not point to what it pointed to before', () => {
  const loop = (later: string): string => `${FILLED} ${LOOP}
    POP DUP1 0x05 DUP2 MSTORE 0x01 0x00 MSTORE @head JUMP
    :later GAS 0x02 AND @exit JUMPI ${later} @head JUMP
    :exit 0x01 SWAP1 MLOAD SSTORE STOP`
  assert.deepEqual(storeOf(assemble(loop('')).slice(2)).position, slot(5n))
  assert.deepEqual(storeOf(assemble(loop('POP DUP2')).slice(2)).position, { type: 'anywhere' })
})

test('two pointers that a loop moves together, and later apart, are not one', () => {
  const loop = (later: string): string => `${FILLED} DUP1 ${LOOP}
    POP POP DUP1 0x05 DUP2 MSTORE DUP1 0x01 0x00 MSTORE @head JUMP
    :later GAS 0x02 AND @exit JUMPI ${later} @head JUMP
    :exit 0x07 SWAP1 MSTORE 0x01 SWAP1 MLOAD SSTORE STOP`
  assert.deepEqual(storeOf(assemble(loop('')).slice(2)).position, slot(7n))
  assert.deepEqual(storeOf(assemble(loop('SWAP1 POP DUP3 SWAP1')).slice(2)).position, { type: 'anywhere' })
})

/** The call of the fallback function to the account in slot 0, and what it answers. */
const asking = (answer: string): readonly boolean[] =>
  analyzed(assemble(`0x00 0x00 0x00 0x00 0x00 0x00 SLOAD GAS CALL ${answer}`).slice(2))
    .effects.filter(({ kind }) => kind === 'call')
    .map(({ isForwarded = false }) => isForwarded)

test('the fallback function passes an answer back, or says whether there was one', () => {
  const answers = {
    'RETURNDATASIZE 0x00 0x00 RETURNDATACOPY RETURNDATASIZE 0x00 RETURN': true,
    '0x00 MSTORE 0x20 0x00 RETURN': true,
    '@yes JUMPI 0x20 0x00 RETURN :yes 0x01 0x00 MSTORE 0x20 0x00 RETURN': true,
    'RETURNDATASIZE 0x00 MSTORE 0x20 0x00 RETURN': true,
    'POP 0x05 0x00 MSTORE 0x20 0x00 RETURN': false,
    'POP 0x00 CALLDATALOAD 0x00 MSTORE 0x20 0x00 RETURN': false,
    'POP 0x01 SLOAD 0x00 MSTORE 0x20 0x00 RETURN': false,
  }
  for (const [answer, isForwarded] of Object.entries(answers)) assert.deepEqual(asking(answer), [isForwarded], answer)
})

test('the fallback function answers with the code of another account, or with what runs as a created contract', () => {
  const copied = '0x14 0x00 0x00 0x00 SLOAD data:0x3c'
  const cases = {
    [`${copied} 0x14 0x00 RETURN`]: true,
    [`0x14 0x00 0x00 data:0xf0 POP RETURNDATASIZE 0x00 0x00 RETURNDATACOPY RETURNDATASIZE 0x00 RETURN`]: true,
    [`${copied} STOP`]: false,
    'CALLDATASIZE 0x00 0x00 CALLDATACOPY CALLDATASIZE 0x00 0x00 data:0xf0 0x00 MSTORE 0x14 0x0c RETURN': false,
    'CALLDATASIZE 0x00 0x00 CALLDATACOPY CALLDATASIZE 0x00 0x00 data:0xf0 @made JUMPI 0x20 0x00 RETURN :made 0x01 0x00 MSTORE 0x20 0x00 RETURN': true,
  }
  for (const [code, isPassedBack] of Object.entries(cases))
    assert.equal(
      analyzed(assemble(code).slice(2)).effects.some((effect) => effect.isForwarded),
      isPassedBack,
      code,
    )
})
