import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientNetworkOf } from './client-network.ts'

test('an address is told only by its network', () => {
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
    ['not an address', undefined],
    ['', undefined],
    [undefined, undefined],
  ]
  for (const [address, network] of cases) assert.equal(clientNetworkOf(address), network, address)
})
