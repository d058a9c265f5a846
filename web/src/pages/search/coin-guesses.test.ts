import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coinGuesses } from './coin-guesses.ts'

const both = ['btc', 'ltc'] as const
const hrefs = (text: string) => coinGuesses(text, both).map(({ href }) => href)

test('addresses, transactions, blocks and heights are told apart by their form', () => {
  const address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
  assert.deepEqual(hrefs(address), [`/coins/btc/address/${address}`])
  assert.deepEqual(hrefs('LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz'), [
    '/coins/ltc/address/LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz',
  ])
  assert.deepEqual(hrefs('840000'), ['/coins/btc/block/840000', '/coins/ltc/block/840000'])
  assert.equal(hrefs('ab'.repeat(32))[0], `/coins/btc/tx/${'ab'.repeat(32)}`)
  assert.equal(hrefs('0'.repeat(64))[0], `/coins/btc/block/${'0'.repeat(64)}`)
  assert.deepEqual(hrefs('Meadow'), [])
  assert.deepEqual(hrefs(`0x${'ab'.repeat(20)}`), [])
})
