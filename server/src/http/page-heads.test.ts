import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordedOracle } from '../../../testing/coins/fixtures.ts'
import { recordedChain } from '../../../testing/coins/recorded-chain.ts'
import { formatAmount } from '../coins/serve/amounts.ts'
import { renderCard } from '../control/badge/card.ts'
import { findCoinPage } from './page-heads.ts'

const chain = await recordedChain()
const coins = { find: (slug: string) => (slug === 'btc' ? chain : undefined) }
const [known] = recordedOracle().addresses.filter(({ utxos }) => utxos.length > 3)

test('a coin address is previewed with its chain, its balance and its transactions', () => {
  const { address = '', balance = 0 } = known ?? {}
  const page = findCoinPage(coins, 'btc', address)
  assert.ok(page !== undefined)
  const { head, card } = page
  assert.equal(head.image, `/cards/coins/btc/${address}.png`)
  assert.ok(head.title.endsWith(`: ${formatAmount(balance)} BTC`))
  assert.match(head.description, new RegExp(`^Address ${address} on Bitcoin \\(regtest\\): .* confirmed transactions`))
  const svg = renderCard(card)
  for (const text of [`${formatAmount(balance)} BTC`, 'on Bitcoin (regtest)', address.slice(0, 14)])
    assert.ok(svg.includes(text), text)
})

test('nothing is previewed of a chain that is not served', () => {
  for (const slug of ['ltc', 'doge', '', '__proto__']) assert.equal(findCoinPage(coins, slug, 'x'), undefined, slug)
  assert.throws(() => findCoinPage(coins, 'btc', 'nonsense'), { code: 'INVALID_ADDRESS' })
})
