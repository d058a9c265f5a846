import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { About } from '../api/service.ts'
import { noCoinsReason, noContractsReason } from './unavailable.ts'

const ethereum = { id: 1, slug: 'ethereum', name: 'Ethereum', explorer: '', enabled: true }
const about: About = {
  version: '1.0.0',
  demo: true,
  chains: [ethereum],
  coins: [
    { id: 'btc', enabled: true },
    { id: 'ltc', enabled: false },
  ],
  contact: null,
  mail: false,
  telegram: false,
  missing: [],
}

test('no reason is given for what the service shows', () => {
  assert.equal(noContractsReason(about), undefined)
  assert.equal(noCoinsReason(about, 'btc'), undefined)
})

test('a demo names the missing program and how to install it', () => {
  const missing = [
    { what: 'contracts', reason: 'anvil is not installed (npm has it)' },
    { what: 'litecoin', reason: 'litecoind is not installed (Debian: apt-get install litecoind)' },
  ] as const satisfies About['missing']
  assert.match(noContractsReason({ ...about, missing: [...missing] }) ?? '', /anvil is not installed \(npm has it\)\.$/)
  assert.match(noCoinsReason({ ...about, missing: [...missing] }, 'ltc') ?? '', /apt-get install litecoind\)\.$/)
})

test('a service without a chain names the operator', () => {
  assert.match(
    noContractsReason({ ...about, chains: [{ ...ethereum, enabled: false }] }) ?? '',
    /operator of this service/,
  )
  assert.match(noCoinsReason(about, 'ltc') ?? '', /has not enabled Litecoin/)
})
