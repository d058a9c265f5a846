import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matches, readFilter, unreadParts, writeFilter } from './event-filter.ts'
import type { ControlEvent } from './service.ts'

test('a filter is the same after a round trip through the address bar, and values that cannot be read are left out', () => {
  const query = 'chain=base&severity=high&category=upgrade&key=proxy.upgraded&includeInit=true'
  assert.equal(writeFilter(readFilter(query)), query)
  assert.deepEqual(readFilter('severity=loud&category=&address=0x12&chain=&includeInit=maybe'), {})
  assert.deepEqual(readFilter(`address=0x${'AB'.repeat(20)}`), { address: `0x${'ab'.repeat(20)}` })
})

test('the parts of an address that name no filter are known', () => {
  assert.deepEqual(unreadParts('severity=loud&category=&address=0x12&chain=base&includeInit=maybe&page=2'), [
    'severity=loud',
    'address=0x12',
    'includeInit=maybe',
  ])
  assert.deepEqual(unreadParts('severity=info&includeInit=false&category=upgrade'), [])
})

const event = {
  chainId: 1,
  chainSlug: 'ethereum',
  severity: 'high',
  category: 'pause',
  eventKey: 'pause.paused',
  address: `0x${'ab'.repeat(20)}`,
  isInit: false,
} as ControlEvent

test('a live event matches the same filters as in the service', () => {
  for (const filter of [
    {},
    { chain: '1' },
    { chain: 'ethereum' },
    { severity: 'high' },
    { category: 'pause' },
    { key: 'pause.paused' },
  ] as const)
    assert.equal(matches(event, filter), true, JSON.stringify(filter))
  for (const filter of [{ chain: 'base' }, { severity: 'critical' }, { category: 'access' }, { key: 'pause' }] as const)
    assert.equal(matches(event, filter), false, JSON.stringify(filter))
  assert.equal(matches({ ...event, isInit: true }, {}), false)
  assert.equal(matches({ ...event, isInit: true }, { includeInit: true }), true)
})
