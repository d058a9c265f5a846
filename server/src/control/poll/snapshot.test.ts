import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unread } from '../profile/read.ts'
import { addresses, at, SampleWorld } from '../profile/sample-world.ts'
import type { ContractState } from '../profile/state.ts'
import { carriedOn, changesBetween, snapshotOf } from './snapshot.ts'

const world = new SampleWorld()
const stateOf = (address: `0x${string}`): ContractState => {
  const state = world.state(address)
  assert.ok(state)
  return state
}
const proxy = stateOf(world.transparent('proxy', at('admin'), { calls: { owner: at('owner'), paused: 0 } }))
const safe = stateOf(world.safe('safe', 2, [at('one'), at('two'), at('three')], {}, [at('module')]))

test('a snapshot holds what can change silently, and only of what the contract is', () => {
  const { codeHash, ...shown } = snapshotOf(proxy)
  assert.match(codeHash ?? '', /^0x/)
  assert.deepEqual(shown, {
    implementation: at('proxy logic'),
    admin: at('admin'),
    beacon: null,
    owner: at('owner'),
    pendingOwner: null,
    authority: null,
    paused: 'false',
    minDelay: null,
    facets: null,
  })
  const { safeThreshold, modules, guard, owners } = snapshotOf(safe)
  assert.deepEqual([safeThreshold, modules, guard], ['2', at('module'), null])
  assert.equal(owners?.split(',').length, 3)
})

test('a changed slot is one change, a failed read is none, now and afterwards', () => {
  const before = snapshotOf(proxy)
  const failed = snapshotOf({ ...proxy, slots: { ...proxy.slots, admin: unread('timeout') } })
  assert.equal('admin' in failed, false)
  assert.deepEqual(changesBetween(before, failed), [])
  const kept = carriedOn(before, failed)
  assert.deepEqual(kept, before)
  const moved = snapshotOf(
    stateOf(world.transparent('proxy', at('thief'), { calls: { owner: at('owner'), paused: 0 } })),
  )
  assert.deepEqual(changesBetween(kept, moved), [{ field: 'admin', previous: at('admin'), current: at('thief') }])
  assert.deepEqual(changesBetween({}, moved), [], 'the first look is no change')
})

test('the order of owners is no change, another owner is', () => {
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
