import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coinLinks, coinPath, isWallet } from './coin-links.ts'

const both = ['btc', 'ltc'] as const
const hrefs = (text: string) => coinLinks(text, both).map(({ href }) => href)

test('a search text is recognized as an address, transaction, block hash or height', () => {
  const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
  assert.deepEqual(hrefs(address), [`/coins/btc/address/${address}`])
  assert.deepEqual(hrefs('LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz'), [
    '/coins/ltc/address/LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz',
  ])
  assert.deepEqual(hrefs('840000'), ['/coins/btc/block/840000', '/coins/ltc/block/840000'])
  assert.equal(hrefs('ab'.repeat(32))[0], `/coins/btc/tx/${'ab'.repeat(32)}`)
  assert.equal(hrefs('0'.repeat(64))[0], `/coins/btc/block/${'0'.repeat(64)}`)
  assert.deepEqual(hrefs(`https://mempool.space/address/${address}?page=2`), [`/coins/btc/address/${address}`])
  assert.equal(hrefs(`https://mempool.space/tx/${'ab'.repeat(32)}#vout=0`)[0], `/coins/btc/tx/${'ab'.repeat(32)}`)
  assert.deepEqual(hrefs('Meadow'), [])
  assert.deepEqual(hrefs(`0x${'ab'.repeat(20)}`), [])
})

test('an extended public key leads to the docs of wallets', () => {
  const key = `zpub${'6'.repeat(107)}`
  for (const text of [key, `wpkh(${key}/0/*)`]) {
    assert.ok(isWallet(text))
    assert.deepEqual(hrefs(text), ['/docs/reference/coin-data'])
  }
  assert.ok(!isWallet('xpub') && !isWallet('Transparent'))
})

test('the lookup form leads to the page that the text names', () => {
  assert.equal(coinPath('btc', ' 840000 '), '/coins/btc/block/840000')
  assert.equal(
    coinPath('btc', `${'0'.repeat(10)}${'AB'.repeat(27)}`),
    `/coins/btc/block/${'0'.repeat(10)}${'ab'.repeat(27)}`,
  )
  assert.equal(coinPath('ltc', 'ab'.repeat(32)), `/coins/ltc/tx/${'ab'.repeat(32)}`)
  assert.equal(
    coinPath('btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'),
    '/coins/btc/address/1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  )
  for (const text of ['', 'what?', '../../etc', '1234567890']) assert.equal(coinPath('btc', text), undefined, text)
})
