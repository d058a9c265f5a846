import assert from 'node:assert/strict'
import { test } from 'node:test'
import { banner, type Shown } from './banner.ts'

const pool: Shown['known'][number] = {
  chain: 'ethereum',
  address: `0x${'ab'.repeat(20)}`,
  name: 'Harbor Pool',
  protocol: 'Harbor Lending',
  kind: 'proxy_transparent',
  source: 'demo',
  verified: true,
}
const shown: Shown = {
  url: 'http://127.0.0.1:8080',
  login: { accountId: '1', email: 'demo@example.org', password: 'a-password', keys: { v1: 'of-v1', v2: 'of-v2' } },
  known: [pool],
  ltcAddress: 'rltc1qaddress',
  missing: [],
}
const curlLines = (text: string) => text.split('\n').filter((line) => line.startsWith('  curl '))

test('a complete demo offers both APIs and mentions no missing part', () => {
  const text = banner(shown)
  assert.ok(curlLines(text).some((line) => line.includes('of-v1')))
  assert.ok(curlLines(text).some((line) => line.includes('chain=ltc')))
  assert.doesNotMatch(text, /not available/)
})

test('a demo without chains gives the reasons and offers only working curl lines', () => {
  const missing = [
    'Contracts are not available: anvil is not installed.',
    'Litecoin is not available: litecoind did not start.',
  ]
  const text = banner({ ...shown, known: [], ltcAddress: undefined, missing })
  for (const sentence of missing) assert.ok(text.includes(sentence))
  assert.match(text, /Sign in {3}demo@example\.org {3}a-password/)
  assert.ok(curlLines(text).length > 0)
  for (const line of curlLines(text)) assert.match(line, /of-v2.*chain=btc/)
})
