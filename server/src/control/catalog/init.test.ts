import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Hex, keccak256 } from 'viem'
import type { DecodedEvent } from './catalog.ts'
import { birthOf, type InitFacts, isInit, isSetUpBy } from './init.ts'

const CONTRACT: Hex = '0x00000000000000000000000000000000000000c0'
const STRANGER: Hex = '0x00000000000000000000000000000000000000bb'
const FACTORY: Hex = '0x4e1dcf7ad4e460cfd30791ccc4f9c8a4f820ec67'
const HERE = keccak256('0x01')
const ELSEWHERE = keccak256('0x02')

function event(key: string, args: DecodedEvent['args'] = {}, rest: Partial<DecodedEvent> = {}): DecodedEvent {
  return { key, category: 'upgrade', severity: 'high', args, decode: 'ok', signature: 'X()', ...rest }
}

const transferred = event('ownable.transferred', { previousOwner: `0x${'0'.repeat(40)}`, newOwner: STRANGER })

test('a birth is told by the creation transaction, else by code at the block before', () => {
  assert.equal(birthOf(HERE, HERE, undefined), 'this_transaction')
  assert.equal(birthOf(HERE, ELSEWHERE, undefined), 'before')
  assert.equal(birthOf(HERE, ELSEWHERE, false), 'before', 'same block, later transaction')
  assert.equal(birthOf(HERE, undefined, false), 'this_block')
  assert.equal(birthOf(HERE, undefined, true), 'before')
  assert.equal(birthOf(HERE, undefined, undefined), 'unknown')
})

test('what happens in the transaction or block that creates a contract is setup', () => {
  assert.ok(isInit(transferred, { emitter: 'this_transaction' }))
  assert.ok(isInit(transferred, { emitter: 'this_block' }))
  assert.ok(isInit(event('oft.delegate_set'), { emitter: 'before', subject: 'this_transaction' }))
})

test('an owner that was zero before is no setup: forgotten proxies are taken over like this', () => {
  for (const emitter of ['before', 'unknown'] as const) {
    assert.ok(!isInit(transferred, { emitter }), emitter)
    assert.ok(
      !isInit(event('proxy.initialized', { version: 1 }, { signature: 'Initialized(uint8 version)' }), { emitter }),
    )
    assert.ok(!isInit(event('oft.delegate_set'), { emitter, subject: emitter }))
  }
})

test('what stands beside the setup of a Safe is setup, once', () => {
  const guard = event('safe.changed_guard')
  assert.ok(isInit(guard, { emitter: 'unknown', isSetUpHere: true }))
  assert.ok(isInit(event('safe.setup'), { emitter: 'before' }))
  assert.ok(isInit(event('safe.proxy_creation'), { emitter: 'before' }))
  const again: InitFacts = { emitter: 'before', isSetUpHere: true, wasSetUpBefore: true }
  assert.ok(!isInit(guard, again), 'a delegatecall can log a second SafeSetup to hide behind')
  assert.ok(!isInit(event('safe.setup'), again))
  assert.ok(!isInit(guard, { emitter: 'before', isSetUpHere: false }))
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
  assert.ok(isInit(initialized(255, 'Initialized(uint8 version)'), { emitter: 'before' }))
  assert.ok(isInit(initialized('18446744073709551615', 'Initialized(uint64 version)'), { emitter: 'before' }))
  assert.ok(!isInit(initialized(254, 'Initialized(uint8 version)'), { emitter: 'before' }))
  assert.ok(!isInit(initialized('255', 'Initialized(uint64 version)'), { emitter: 'before' }))
  assert.ok(!isInit(event('wormhole.guardian_set', { version: 255 }), { emitter: 'before' }))
})

test('with grace, what a deployer sets within a day where nothing was is setup; each condition counts', () => {
  const grace = { isFromDeployer: true, secondsSinceCreation: 86_400, hasEarlierEvent: false }
  const isSetup = (changed: Partial<typeof grace>, subject = transferred): boolean =>
    isInit(subject, { emitter: 'before', grace: { ...grace, ...changed } })
  assert.ok(isSetup({}))
  assert.ok(!isSetup({ isFromDeployer: false }))
  assert.ok(!isSetup({ secondsSinceCreation: 86_401 }))
  assert.ok(!isSetup({ hasEarlierEvent: true }))
  assert.ok(!isSetup({}, event('ownable.transferred', { previousOwner: STRANGER, newOwner: CONTRACT })))
  assert.ok(!isSetup({}, event('proxy.upgraded', { implementation: CONTRACT })), 'what was before is not told')
})
