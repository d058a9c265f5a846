import assert from 'node:assert/strict'
import { test } from 'node:test'
import { searchGroups } from './search-groups.ts'

const CHAINS = [
  { slug: 'ethereum', name: 'Ethereum', enabled: true },
  { slug: 'optimism', name: 'OP Mainnet', enabled: false },
]

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
  assert.deepEqual(searchGroups({ ...NOTHING, names }, { text: 'meadow.eth', chains: CHAINS, coins: [] }), [
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
  ])
})

test('groups without items are left out', () => {
  assert.deepEqual(searchGroups(NOTHING, { text: 'meadow', chains: CHAINS, coins: [] }), [])
})

test('an address that is not known leads to its page on each chain that is read', () => {
  const address = `0x${'5e'.repeat(20)}`
  for (const text of [address, address.slice(2).toUpperCase(), `https://etherscan.io/address/${address}#code`])
    assert.deepEqual(
      searchGroups(NOTHING, { text, chains: CHAINS, coins: [] }),
      [
        {
          title: 'Addresses that are not watched',
          items: [{ href: `/contracts/ethereum/${address}`, name: '0x5e5e…5e5e', note: 'Check it on Ethereum' }],
        },
      ],
      text,
    )
  const accounts = [{ chainId: 10, chainSlug: 'optimism', address, controls: 2 }]
  const groups = searchGroups({ ...NOTHING, accounts }, { text: address, chains: CHAINS, coins: [] })
  assert.deepEqual(
    groups.map(({ title }) => title),
    ['Accounts'],
  )
})
