import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addresses,
  at,
  type Described,
  FORWARDER,
  SAFE_PROXY,
  SampleWorld,
} from '../../../../testing/evm/sample-world.ts'
import { toWord } from '../profile/abi-values.ts'
import { PROXY_CODES } from '../profile/safe-account.ts'
import { type ContractState, unread, value } from '../profile/state.ts'
import { carryOver, changesBetween, snapshotOf } from './snapshot.ts'

const world = new SampleWorld()
const stateOf = (address: `0x${string}`): ContractState => {
  const state = world.state(address)
  assert.ok(state)
  return state
}
const proxy = stateOf(world.transparent('proxy', at('admin'), { calls: { owner: at('owner'), paused: 0 } }))
const safe = stateOf(world.safe('safe', 2, [at('one'), at('two'), at('three')], {}, [at('module')]))

test('a snapshot holds the fields that fit the contract', () => {
  const { codeHash, ...shown } = snapshotOf(proxy)
  assert.match(codeHash ?? '', /^0x/)
  assert.deepEqual(shown, {
    implementation: at('proxy logic'),
    secondaryImplementation: null,
    admin: at('admin'),
    beacon: null,
    owner: at('owner'),
    pendingOwner: null,
    authority: null,
    paused: 'false',
    minDelay: null,
    facets: null,
  })
  const { safeThreshold, modules, guard, moduleGuard, fallbackHandler, owners } = snapshotOf(safe)
  assert.deepEqual([safeThreshold, modules, guard, moduleGuard, fallbackHandler], ['2', at('module'), null, null, null])
  assert.equal(owners?.split(',').length, 3)
})

test('a changed slot is one change; a failed read is none, now and later', () => {
  const before = snapshotOf(proxy)
  const failed = snapshotOf({ ...proxy, slots: { ...proxy.slots, admin: unread('timeout') } })
  assert.equal('admin' in failed, false)
  assert.deepEqual(changesBetween(before, failed), [])
  const kept = carryOver(before, failed)
  assert.deepEqual(kept, before)
  const moved = snapshotOf(
    stateOf(world.transparent('proxy', at('thief'), { calls: { owner: at('owner'), paused: 0 } })),
  )
  assert.deepEqual(changesBetween(kept, moved), [{ field: 'admin', previous: at('admin'), current: at('thief') }])
  assert.deepEqual(changesBetween({}, moved), [], 'the first poll finds no change')
})

test('another order of owners is not a change, another owner is', () => {
  const turned = {
    ...safe,
    calls: { ...safe.calls, getOwners: { type: 'value', value: addresses([at('three'), at('one'), at('two')]) } },
  } as const
  assert.deepEqual(changesBetween(snapshotOf(safe), snapshotOf(turned)), [])
  const other = {
    ...safe,
    calls: { ...safe.calls, getOwners: { type: 'value', value: addresses([at('four'), at('one'), at('two')]) } },
  } as const
  assert.deepEqual(
    changesBetween(snapshotOf(safe), snapshotOf(other)).map(({ field }) => field),
    ['owners'],
  )
})

test('a replaced singleton without a Safe interface is one change, and its restoration another', () => {
  const [released] = PROXY_CODES
  assert.ok(released)
  const cases: Readonly<Record<string, Pick<Described, 'code' | 'calls'>>> = {
    'a proxy as it was released': { code: { ...SAFE_PROXY, hash: released } },
    'any other that runs what stands in slot 0': { code: SAFE_PROXY },
    'half of the interface': { code: SAFE_PROXY, calls: { getThreshold: 1 } },
  }
  for (const [name, { code = {}, calls = {} }] of Object.entries(cases)) {
    const whole = stateOf(world.safe('whole', 2, [at('one'), at('two')], { code }, [at('module')]))
    const hijacked = stateOf(world.add('hijacked', { code, calls, slots: { slot0: at('plain contract') } }))
    const before = snapshotOf(whole)
    const after = snapshotOf(hijacked, undefined, before)
    assert.deepEqual(
      changesBetween(before, after),
      [{ field: 'singleton', previous: before.singleton, current: at('plain contract') }],
      name,
    )
    const kept = carryOver(before, after)
    assert.deepEqual([kept.owners, kept.safeThreshold, kept.modules], [undefined, undefined, undefined], name)
    assert.deepEqual(changesBetween(kept, snapshotOf(hijacked, undefined, kept)), [], `${name}, again`)
    const restored = snapshotOf(whole, undefined, kept)
    assert.deepEqual(
      changesBetween(kept, restored).map(({ field }) => field),
      ['singleton'],
      `${name}, put back`,
    )
    assert.deepEqual(carryOver(kept, restored), before)
  }
})

test('a proxy that uses slot 0 and never was a Safe has no singleton', () => {
  const custom = (target: string) => stateOf(world.add('custom', { code: SAFE_PROXY, slots: { slot0: at(target) } }))
  const before = snapshotOf(custom('one'))
  assert.equal('singleton' in before || 'guard' in before, false)
  assert.deepEqual(changesBetween(before, snapshotOf(custom('two'), undefined, before)), [])
  // Logic with the interface of a Safe, behind a proxy that keeps something else in slot 0.
  const upgradeable = (described: Described) =>
    stateOf(
      world.add('upgradeable', { code: FORWARDER, slots: { slot0: 1, implementation: at('logic') }, ...described }),
    )
  const asSafe = snapshotOf(upgradeable({ calls: { getThreshold: 1, getOwners: addresses([at('one')]) } }))
  const other = snapshotOf(upgradeable({ slots: { slot0: 2, implementation: at('logic') } }), undefined, asSafe)
  assert.deepEqual(changesBetween(asSafe, other), [])
})

test('values of former logic are dropped where the new logic could not be read', () => {
  const before = snapshotOf(proxy)
  const failed = unread('timeout')
  const upgraded: ContractState = {
    ...proxy,
    slots: { ...proxy.slots, admin: failed, implementation: value(toWord(at('next'))) },
    calls: { ...proxy.calls, owner: failed, paused: failed },
  }
  const kept = carryOver(before, snapshotOf(upgraded))
  assert.equal('owner' in kept || 'paused' in kept, false)
  assert.deepEqual({ ...before, ...kept }, { ...before, implementation: at('next') })
  const doubted = snapshotOf({ ...upgraded, calls: { ...upgraded.calls, owner: value(toWord(at('thief'))) } })
  assert.equal(
    carryOver(before, doubted, new Set(['owner'])).owner,
    at('owner'),
    'a field that is not confirmed keeps its value',
  )
  assert.deepEqual(carryOver(before, doubted, new Set(['implementation', 'owner'])), before)
})
