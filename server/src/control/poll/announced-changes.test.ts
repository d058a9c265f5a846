import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from '../../../../testing/evm/sample-world.ts'
import type { DecodedEvent } from '../catalog/catalog.ts'
import type { EventArgs } from '../catalog/layout.ts'
import type { SlotField } from '../catalog/slot-events.ts'
import { type EmittedEvent, unannounced, withLogicFields } from './announced-changes.ts'
import type { SlotChange } from './snapshot.ts'

const contract = { address: at('contract'), beacon: at('beacon'), from: () => 1 }
const ZERO = `0x${'0'.repeat(40)}`

const emitted = (key: string, args: EventArgs, emitter = contract.address, block = 1): EmittedEvent => ({
  emitter,
  block,
  event: { key, args, category: 'upgrade', severity: 'high', decode: 'ok', signature: '' } satisfies DecodedEvent,
})
const changed = (field: SlotChange['field'], previous: string | null, current: string | null): SlotChange => ({
  field,
  previous,
  current,
})
const silent = (changes: readonly SlotChange[], ...events: readonly EmittedEvent[]): readonly string[] =>
  unannounced(changes, events, contract).map(({ field }) => field)

test('an event announces a change only if it is about the field and sets that value', () => {
  const change = changed('implementation', at('old'), at('new'))
  const upgraded = (name: string) => emitted('proxy.upgraded', { implementation: at(name) })
  assert.deepEqual(silent([change], upgraded('new')), [])
  assert.deepEqual(silent([change], upgraded('other'), upgraded('new')), [])
  assert.deepEqual(silent([change], upgraded('new'), upgraded('other')), ['implementation'], 'it was left at another')
  assert.deepEqual(silent([change], emitted('ownable.transferred', { newOwner: at('new') })), ['implementation'])
  assert.deepEqual(
    silent([changed('codeHash', '0x01', '0x02')], upgraded('new')),
    ['codeHash'],
    'nothing announces code',
  )
  const other = emitted('proxy.upgraded', { implementation: at('new') }, at('another contract'))
  assert.deepEqual(silent([change], other), ['implementation'], 'an event of another contract about itself')
  const factory = (proxy: string) =>
    emitted('factory.proxy_upgraded', { proxy: at(proxy), implementation: at('new') }, at('factory'))
  assert.deepEqual(silent([change], factory('contract')), [])
  assert.deepEqual(silent([change], factory('another')), ['implementation'])
})

test('owners: renounced, granted by the default admin role, pending and no longer pending', () => {
  const gone = changed('owner', at('old'), ZERO)
  assert.deepEqual(silent([gone], emitted('ownable.transferred', { newOwner: ZERO })), [])
  assert.deepEqual(silent([gone], emitted('ownable.renounced', { previousOwner: at('old') })), [])
  assert.deepEqual(silent([gone], emitted('proxy.admin_changed', { newAdmin: ZERO })), ['owner'])
  const role = emitted('access.role_granted', { role: `0x${'0'.repeat(64)}`, account: at('new') })
  assert.deepEqual(silent([changed('owner', at('old'), at('new'))], role), [])
  const started = emitted('ownable.transfer_started', { newOwner: at('next') })
  assert.deepEqual(silent([changed('pendingOwner', ZERO, at('next'))], started), [])
  const took = emitted('ownable.transferred', { newOwner: at('next') })
  assert.deepEqual(
    silent([changed('pendingOwner', at('next'), ZERO), changed('owner', at('old'), at('next'))], took),
    [],
  )
})

test('a field is announced only by events since it was last read', () => {
  const took = emitted('ownable.transferred', { newOwner: at('new') }, contract.address, 5)
  const upgraded = emitted('proxy.upgraded', { implementation: at('new') }, contract.address, 5)
  const changes = [changed('owner', at('old'), at('new')), changed('admin', at('a'), at('b'))]
  const silentFrom = (from: (field: SlotField) => number, given = changes) =>
    unannounced(given, [took, upgraded], { ...contract, from }).map(({ field }) => field)
  assert.deepEqual(
    silentFrom(() => 5),
    ['admin'],
  )
  assert.deepEqual(
    silentFrom((field) => (field === 'owner' ? 5 : 9)),
    ['admin'],
  )
  assert.deepEqual(
    silentFrom((field) => (field === 'owner' ? 9 : 5)),
    ['owner', 'admin'],
    'emitted before it was read',
  )
  const back = [changed('implementation', at('other'), at('new'))]
  assert.deepEqual(
    silentFrom(() => 9, back),
    ['implementation'],
  )
})

test('lists are replayed', () => {
  const list = (...names: readonly string[]) => names.map(at).toSorted().join(',')
  const change = changed('owners', list('a', 'b'), list('a', 'c'))
  const added = emitted('safe.added_owner', { owner: at('c') })
  assert.deepEqual(silent([change], emitted('safe.removed_owner', { owner: at('b') }), added), [])
  assert.deepEqual(silent([change], added), ['owners'], 'one owner was removed without a log')
  assert.deepEqual(silent([changed('modules', '', at('m'))], emitted('safe.enabled_module', { module: at('m') })), [])
  assert.deepEqual(silent([changed('modules', '', at('m'))], emitted('safe.exec_ok', { txHash: at('m') })), ['modules'])
})

test('fields of new logic are attributed to the change of logic, which is reported once', () => {
  const upgrade = changed('implementation', at('old'), at('new'))
  const announced = emitted('proxy.upgraded', { implementation: at('new') })
  const shown = [upgrade, changed('owner', null, at('owner')), changed('paused', 'false', null)]
  assert.deepEqual(silent(shown, announced), [])
  assert.deepEqual(silent(shown), ['implementation'])
  const taken = [upgrade, changed('owner', at('owner'), at('thief'))]
  assert.deepEqual(silent(taken, announced), ['owner'], 'an announced upgrade does not hide another owner')
  assert.deepEqual(silent([upgrade, changed('admin', at('a'), at('b'))], announced), ['admin'])
})

test('changes attributed to an unconfirmed change of logic are unconfirmed too', () => {
  const upgrade = changed('implementation', at('old'), at('new'))
  const changes = [upgrade, changed('owner', at('owner'), null), changed('admin', at('a'), at('b'))]
  const doubted = (isConfirmed: boolean): readonly string[] =>
    withLogicFields(changes, [{ change: upgrade, isConfirmed }])
      .filter((each) => !each.isConfirmed)
      .map(({ change }) => change.field)
  assert.deepEqual(doubted(false), ['implementation', 'owner'])
  assert.deepEqual(doubted(true), [])
})

test('beacons: the beacon announces its implementation, the proxy its beacon', () => {
  const change = changed('beaconImplementation', at('old'), at('new'))
  const upgraded = emitted('beacon.upgraded', { implementation: at('new') }, contract.beacon)
  assert.deepEqual(silent([change], upgraded), [])
  assert.deepEqual(silent([change], emitted('proxy.upgraded', { implementation: at('new') })), ['beaconImplementation'])
  const moved = [changed('beacon', at('one'), contract.beacon), change]
  assert.deepEqual(silent(moved, emitted('proxy.beacon_upgraded', { beacon: contract.beacon })), [])
  assert.deepEqual(silent(moved), ['beacon'])
})

test('modules and guards of a Safe, and the second logic of a proxy, are announced by their own events only', () => {
  const handler = changed('fallbackHandler', null, at('handler'))
  assert.deepEqual(silent([handler], emitted('safe.changed_fallback_handler', { handler: at('handler') })), [])
  assert.deepEqual(silent([handler], emitted('safe.setup', { fallbackHandler: at('handler') })), [])
  assert.deepEqual(silent([handler], emitted('safe.changed_guard', { guard: at('handler') })), ['fallbackHandler'])
  const guard = changed('moduleGuard', at('guard'), null)
  assert.deepEqual(silent([guard], emitted('safe.changed_module_guard', { moduleGuard: ZERO })), [])
  assert.deepEqual(silent([guard], emitted('safe.changed_guard', { guard: ZERO })), ['moduleGuard'])
  const second = emitted('proxy.secondary_upgraded', { implementation: at('new') })
  const first = emitted('proxy.upgraded', { implementation: at('new') })
  assert.deepEqual(silent([changed('secondaryImplementation', at('old'), at('new'))], second), [])
  assert.deepEqual(silent([changed('secondaryImplementation', at('old'), at('new'))], first), [
    'secondaryImplementation',
  ])
  assert.deepEqual(silent([changed('implementation', at('old'), at('new'))], second), ['implementation'])
})
