import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import type { DecodedEvent } from './catalog.ts'
import { type InitFacts, isInit, isSetUpBy } from './init.ts'

const CONTRACT: Hex = '0x00000000000000000000000000000000000000c0'
const OTHER: Hex = '0x00000000000000000000000000000000000000bb'
const FACTORY: Hex = '0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67'

function event(key: string, args: DecodedEvent['args'] = {}, rest: Partial<DecodedEvent> = {}): DecodedEvent {
  return { key, category: 'upgrade', severity: 'high', args, decode: 'ok', signature: 'X()', ...rest }
}

const transferred = event('ownable.transferred', { previousOwner: `0x${'0'.repeat(40)}`, newOwner: OTHER })

test('events in the transaction that creates a contract are setup', () => {
  assert.ok(isInit(transferred, { isCreatedHere: true }))
})

test('a previous owner of zero is not setup: uninitialized proxies are taken over like this', () => {
  assert.ok(!isInit(transferred, {}))
  assert.ok(!isInit(event('proxy.initialized', { version: 1 }, { signature: 'Initialized(uint8 version)' }), {}))
})

test('events next to the first setup of a Safe are setup', () => {
  const guard = event('safe.changed_guard')
  assert.ok(isInit(guard, { isSetUpHere: true }))
  assert.ok(isInit(event('safe.setup'), {}))
  assert.ok(isInit(event('safe.proxy_creation'), {}))
  const again: InitFacts = { isSetUpHere: true, wasSetUpBefore: true }
  assert.ok(!isInit(guard, again), 'a delegatecall can log a second SafeSetup to hide behind')
  assert.ok(!isInit(event('safe.setup'), again))
  assert.ok(!isInit(guard, { isSetUpHere: false }))
})

test('only the Safe itself or a known factory sets a Safe up', () => {
  const creation = event('safe.proxy_creation', { proxy: CONTRACT }, { subject: CONTRACT })
  assert.ok(isSetUpBy(CONTRACT, FACTORY, creation))
  assert.ok(!isSetUpBy(CONTRACT, OTHER, creation), 'any contract can log ProxyCreation of any address')
  assert.ok(!isSetUpBy(OTHER, FACTORY, creation))
  assert.ok(isSetUpBy(CONTRACT, CONTRACT, event('safe.setup')))
  assert.ok(!isSetUpBy(CONTRACT, OTHER, event('safe.setup')))
  assert.ok(!isSetUpBy(CONTRACT, CONTRACT, event('safe.added_owner')))
})

test('disabling initializers is setup, one version lower is not', () => {
  const initialized = (version: number | string, signature: string): DecodedEvent =>
    event('proxy.initialized', { version }, { signature })
  assert.ok(isInit(initialized(255, 'Initialized(uint8 version)'), {}))
  assert.ok(isInit(initialized('18446744073709551615', 'Initialized(uint64 version)'), {}))
  assert.ok(!isInit(initialized(254, 'Initialized(uint8 version)'), {}))
  assert.ok(!isInit(initialized('255', 'Initialized(uint64 version)'), {}))
  assert.ok(!isInit(event('wormhole.guardian_set', { version: 255 }), {}))
})
