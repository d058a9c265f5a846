import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { deployedCode } from '../../../../testing/evm/compile.ts'
import { SampleWorld } from '../../../../testing/evm/sample-world.ts'
import { toWord } from './abi-values.ts'
import { analyzeCode } from './code-facts.ts'
import type { Profile } from './profile.ts'
import { slotKey } from './state.ts'

const DAY = 86_400
const SLOT_3 = toWord(3)
/** The first bit after an account. */
const MARK = 1n << 160n

/** `slot`, `shift`: where the key is. `marks`: other bits of that slot. `words`: those of other slots. */
type Storage = {
  readonly slot?: Hex
  readonly shift?: bigint
  readonly marks?: bigint
  readonly words?: Readonly<Record<Hex, bigint>>
}
type Case = readonly [name: string, storage?: Storage]

/** The profile of a contract whose key is a timelock of two days. */
function profileOf(name: string, { slot = toWord(2), shift = 0n, marks = 0n, words = {} }: Storage = {}): Profile {
  const world = new SampleWorld()
  const safe = world.safe('safe', 2, [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`, `0x${'3'.repeat(40)}`])
  const key = world.timelock('timelock', 2 * DAY, [safe])
  const stored = Object.entries({ [slot]: (BigInt(key) << shift) | marks, ...words }) as [Hex, bigint][]
  const more = Object.fromEntries(stored.map(([position, word]) => [slotKey(position), toWord(word)]))
  return world.profile(world.add(name, { code: analyzeCode(deployedCode(name)), more }))
}

const held = ({ powers }: Profile): readonly string[] =>
  (powers ?? []).map(({ effect, label, isOpen }) => `${effect}:${isOpen === true ? 'anyone' : label}`)

const TAKEN: readonly Case[] = [
  ['TakenPlain'],
  ['TakenByAnyName'],
  ['TakenForEther'],
  ['TakenOnce'],
  ['TakenAsInitializer', { marks: MARK }],
  ['TakenByWeakMark', { words: { [SLOT_3]: 5n } }],
  ['TakenByNextVersion', { marks: MARK }],
  ['TakenPacked', { shift: 64n }],
  ['TakenNamespaced', { slot: '0x6d2c0a1d2f3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c401' }],
  ['TakenByAssembly'],
  ['TakenByFallback'],
  ['TakenByCopy'],
]

for (const [name, storage] of TAKEN)
  test(`every caller has the powers of a key that it can take: ${name}`, () => {
    const profile = profileOf(name, storage)
    assert.deepEqual([profile.tone, held(profile)[0]], ['red', 'mint:anyone'], held(profile).join())
    assert.ok(held(profile).includes('grant:anyone'))
  })

test('every caller has the powers of a list that it can join', () => {
  const role = profileOf('TakenRole')
  assert.deepEqual([role.tone, held(role)], ['red', ['mint:anyone', 'grant:anyone']])
  const list = profileOf('TakenList')
  assert.deepEqual([list.tone, held(list)], ['red', ['mint:anyone', 'grant:anyone']])
})

test('every caller can grant the powers of a key that an account takes which every caller can be', () => {
  const profile = profileOf('TakenInTwoSteps')
  assert.deepEqual([profile.tone, held(profile)], ['red', ['mint:timelocked', 'grant:anyone']])
})

test('a contract that answers who may call, and that every caller can replace, makes a power that of every caller', () => {
  const profile = profileOf('TakenAuthority')
  assert.deepEqual([profile.tone, held(profile)[0]], ['red', 'mint:anyone'])
})

test('every caller that writes any slot moves the funds', () => {
  const profile = profileOf('TakenAnywhere')
  assert.deepEqual([profile.tone, held(profile)[1]], ['red', 'move_funds:anyone'])
})

test('an account that every caller can make the key is a holder', () => {
  const profile = profileOf('TakenByFixed')
  assert.deepEqual([profile.tone, held(profile)], ['red', ['mint:single_key', 'grant:single_key']])
})

test('a key that may be taken under conditions that are not judged is not known', () => {
  const cases: readonly Case[] = [
    ['TakenAfterTime'],
    ['TakenForSecret'],
    ['TakenAgain', { marks: MARK }],
    ['TakenByIndex', { words: { [SLOT_3]: 4n } }],
  ]
  for (const [name, storage] of cases) {
    const profile = profileOf(name, storage)
    assert.equal(profile.tone, 'grey', `${name}: ${held(profile).join()}`)
  }
})

const INITIALIZABLE: Hex = '0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c229c6a00'

test('a key that no caller can take keeps its label', () => {
  const cases: readonly Case[] = [
    ['KeptPlain'],
    ['KeptOnce', { marks: MARK }],
    ['KeptByNumber', { words: { [SLOT_3]: 2n } }],
    ['KeptByKeyItself'],
    ['KeptInitialized', { words: { [INITIALIZABLE]: 1n } }],
    ['KeptInitialized4', { slot: SLOT_3, words: { [toWord(0)]: 1n } }],
    ['KeptNested', { marks: MARK }],
    ['KeptTwoSteps', { slot: toWord(0) }],
    ['KeptPacked', { shift: 64n }],
    ['KeptPull'],
  ]
  for (const [name, storage] of cases) {
    const profile = profileOf(name, storage)
    const [first] = held(profile)
    assert.deepEqual([profile.tone, first], ['green', 'mint:timelocked'], `${name}: ${held(profile).join()}`)
  }
})

test('a delegate that a caller stores for itself is no key, nor are roles that were set up', () => {
  const votes = profileOf('KeptVotes', { slot: toWord(11) })
  const [mint] = votes.powers ?? []
  assert.deepEqual([mint?.effect, mint?.label], ['mint', 'timelocked'])
  assert.ok(votes.powers?.every(({ unknown, isOpen }) => unknown !== 'taken' && isOpen !== true))
  const roles = profileOf('KeptRoles', { words: { [INITIALIZABLE]: 1n } })
  assert.ok(roles.powers?.every(({ unknown, isOpen }) => unknown !== 'taken' && isOpen !== true))
  const fresh = profileOf('KeptRoles')
  assert.equal(fresh.tone, 'red')
  assert.ok(held(fresh).includes('grant:anyone'), 'it was not set up yet')
})
