import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymousNetwork, clientAddress, customerNetwork } from './client-address.ts'

const addressOf = (ip: string) => clientAddress({ ip, socket: { remoteAddress: '10.0.0.1' } })

test('a client address has no port, even if the proxy reports one', () => {
  assert.equal(addressOf('203.0.113.7'), '203.0.113.7')
  assert.equal(addressOf('203.0.113.7:50123'), '203.0.113.7')
  assert.equal(addressOf('2001:db8::1'), '2001:db8::1')
  assert.equal(addressOf('[2001:db8::1]:443'), '2001:db8::1')
  assert.equal(addressOf('[2001:db8::1]'), '2001:db8::1')
  assert.equal(addressOf('::ffff:203.0.113.7'), '::ffff:203.0.113.7')
})

test('text that is not an address counts for the connection, so a client cannot invent counters', () => {
  for (const text of ['unknown', '', '_hidden', '203.0.113.7:x', '999.1.1.1', '[x]:1'])
    assert.equal(addressOf(text), '10.0.0.1')
})

test('the network of a customer is an IPv4 address or an IPv6 /64', () => {
  assert.equal(customerNetwork('203.0.113.9'), '203.0.113.9')
  assert.equal(customerNetwork('::ffff:203.0.113.9'), '203.0.113.9')
  assert.equal(customerNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  assert.equal(customerNetwork('2001:0db8:1:2::6'), '2001:db8:1:2::/64')
  assert.equal(customerNetwork('::1'), '0:0:0:0::/64')
  assert.equal(customerNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64')
})

test('the request log stores an IPv4 /24 or an IPv6 /48, not the address', () => {
  const cases: readonly (readonly [string | undefined, string | undefined])[] = [
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['::1', '0:0:0::/48'],
    ['::', '0:0:0::/48'],
    ['1:2:3:4:5:6:7::', '1:2:3::/48'],
    ['::2:3:4:5:6:7:8', '0:2:3::/48'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['010.1.1.1', undefined],
    ['1.2', undefined],
    ['not an address', undefined],
    ['', undefined],
    [undefined, undefined],
  ]
  for (const [address, network] of cases) assert.equal(anonymousNetwork(address), network, address)
})
