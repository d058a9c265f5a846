import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import type { DecodedEvent } from './catalog.ts'
import { type InitFacts, isInit, isSetUpBy } from './init.ts'

const CONTRACT: Hex = '0x00000000000000000000000000000000000000c0'
const STRANGER: Hex = '0x00000000000000000000000000000000000000bb'
const FACTORY: Hex = '0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67'

function event(key: string, args: DecodedEvent['args'] = {}, rest: Partial<DecodedEvent> = {}): DecodedEvent {
  return { key, category: 'upgrade', severity: 'high', args, decode: 'ok', signature: 'X()', ...rest }
}

const transferred = event('ownable.transferred', { previousOwner: `0x${'0'.repeat(40)}`, newOwner: STRANGER })

test('what happens in the transaction that creates a contract is setup', () => {
  assert.ok(isInit(transferred, { isCreatedHere: true }))
})

test('an owner that was zero before is no setup: forgotten proxies are taken over like this', () => {
  assert.ok(!isInit(transferred, {}))
  assert.ok(!isInit(event('proxy.initialized', { version: 1 }, { signature: 'Initialized(uint8 version)' }), {}))
})

test('what stands beside the setup of a Safe is setup, once', () => {
  const guard = event('safe.changed_guard')
  assert.ok(isInit(guard, { isSetUpHere: true }))
  assert.ok(isInit(event('safe.setup'), {}))
  assert.ok(isInit(event('safe.proxy_creation'), {}))
  const again: InitFacts = { isSetUpHere: true, wasSetUpBefore: true }
  assert.ok(!isInit(guard, again), 'a delegatecall can log a second SafeSetup to hide behind')
  assert.ok(!isInit(event('safe.setup'), again))
  assert.ok(!isInit(guard, { isSetUpHere: false }))
})

test('only the Safe itself, or a factory that is known to be honest, sets a Safe up', () => {
  const creation = event('safe.proxy_creation', { proxy: CONTRACT }, { subject: CONTRACT })
  assert.ok(isSetUpBy(CONTRACT, FACTORY, creation))
  assert.ok(!isSetUpBy(CONTRACT, STRANGER, creation), 'anyone can log ProxyCreation of anything')
  assert.ok(!isSetUpBy(STRANGER, FACTORY, creation))
  assert.ok(isSetUpBy(CONTRACT, CONTRACT, event('safe.setup')))
  assert.ok(!isSetUpBy(CONTRACT, STRANGER, event('safe.setup')))
  assert.ok(!isSetUpBy(CONTRACT, CONTRACT, event('safe.added_owner')))
})

test('an implementation that locks itself is setup, one version below it is not', () => {
  const initialized = (version: number | string, signature: string): DecodedEvent =>
    event('proxy.initialized', { version }, { signature })
  assert.ok(isInit(initialized(255, 'Initialized(uint8 version)'), {}))
  assert.ok(isInit(initialized('18446744073709551615', 'Initialized(uint64 version)'), {}))
  assert.ok(!isInit(initialized(254, 'Initialized(uint8 version)'), {}))
  assert.ok(!isInit(initialized('255', 'Initialized(uint64 version)'), {}))
  assert.ok(!isInit(event('wormhole.guardian_set', { version: 255 }), {}))
})
