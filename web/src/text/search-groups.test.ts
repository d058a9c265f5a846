import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchGroups } from './search-groups.ts'

const NOTHING = {
  contracts: [],
  protocols: [],
  accounts: [],
  names: [],
  eventKinds: [],
  transactions: [],
  isComplete: true,
}

test('a name leads to the page of its address', () => {
  const address = `0x${'5e'.repeat(20)}`
  const names = [{ name: 'meadow.eth', chainId: 1, chainSlug: 'ethereum', address }]
  assert.deepEqual(
    searchGroups({ ...NOTHING, names }, [], () => 'Ethereum'),
    [
      {
        title: 'Names',
        items: [
          {
            href: `/contracts/ethereum/${address}`,
            name: 'meadow.eth',
            note: 'Ethereum · 0x5e5e…5e5e',
            isExact: true,
          },
        ],
      },
    ],
  )
})

test('groups without items are left out', () => {
  assert.deepEqual(
    searchGroups(NOTHING, [], () => ''),
    [],
  )
})
