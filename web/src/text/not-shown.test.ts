import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { About } from '../api/service.ts'
import { whyNoCoins, whyNoContracts } from './not-shown.ts'

const ethereum = { id: 1, slug: 'ethereum', name: 'Ethereum', explorer: '', enabled: true }
const about: About = {
  version: '1.0.0',
  demo: true,
  chains: [ethereum],
  coins: [
    { id: 'btc', enabled: true },
    { id: 'ltc', enabled: false },
  ],
  mail: false,
  telegram: false,
  missing: [],
}

test('what is there needs no reason', () => {
  assert.equal(whyNoContracts(about), undefined)
  assert.equal(whyNoCoins(about, 'btc'), undefined)
})

test('a demo says what it lacks and how to get it, also where the chains were meant to run', () => {
  const missing = [
    { what: 'contracts', reason: 'anvil is not installed (npm has it)' },
    { what: 'litecoin', reason: 'litecoind is not installed (Debian: apt-get install litecoind)' },
  ] as const satisfies About['missing']
  assert.match(whyNoContracts({ ...about, missing: [...missing] }) ?? '', /anvil is not installed \(npm has it\)\.$/)
  assert.match(whyNoCoins({ ...about, missing: [...missing] }, 'ltc') ?? '', /apt-get install litecoind\)\.$/)
})

test('a service without a chain says whose choice that is', () => {
  assert.match(whyNoContracts({ ...about, chains: [{ ...ethereum, enabled: false }] }) ?? '', /docs\/operations\.md/)
  assert.match(whyNoCoins(about, 'ltc') ?? '', /naming a Litecoin node/)
})
