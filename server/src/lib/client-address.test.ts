import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress } from './client-address.ts'

const seen = (ip: string) => clientAddress({ ip, socket: { remoteAddress: '10.0.0.1' } })

test('an address as it is, and without the port that some proxies write', () => {
  assert.equal(seen('203.0.113.7'), '203.0.113.7')
  assert.equal(seen('203.0.113.7:50123'), '203.0.113.7')
  assert.equal(seen('2001:db8::1'), '2001:db8::1')
  assert.equal(seen('[2001:db8::1]:443'), '2001:db8::1')
  assert.equal(seen('[2001:db8::1]'), '2001:db8::1')
  assert.equal(seen('::ffff:203.0.113.7'), '::ffff:203.0.113.7')
})

test('what is no address is the neighbour’s: nobody gets a count of their own by inventing words', () => {
  for (const word of ['unknown', '', '_hidden', '203.0.113.7:x', '999.1.1.1', '[x]:1'])
    assert.equal(seen(word), '10.0.0.1')
})
