import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSearchText } from './search-text.ts'

const ADDRESS = `0x${'aB'.repeat(20)}`
const HASH = `0x${'cd'.repeat(32)}`

test('an address is found alone, without 0x, with the prefix of its chain and in the URL of an explorer', () => {
  for (const text of [
    ADDRESS,
    ADDRESS.slice(2),
    `eth:${ADDRESS}`,
    `https://etherscan.io/address/${ADDRESS}#code`,
    `etherscan.io/token/${ADDRESS}?a=1`,
    `https://app.safe.global/home?safe=eth:${ADDRESS}`,
  ])
    assert.deepEqual(readSearchText(text), { kind: 'address', address: ADDRESS.toLowerCase() }, text)
})

test('a transaction is found alone, without 0x and in the URL of an explorer', () => {
  for (const text of [HASH, HASH.slice(2), HASH.toUpperCase().replace('0X', '0x'), `https://basescan.org/tx/${HASH}`])
    assert.deepEqual(readSearchText(text), { kind: 'transaction', hash: HASH }, text)
})

test('four to 39 hexadecimal digits may be the beginning of an address, and words as well', () => {
  assert.deepEqual(readSearchText('0xAbCd'), { kind: 'words', words: '0xAbCd', digits: 'abcd' })
  assert.deepEqual(readSearchText('beef'), { kind: 'words', words: 'beef', digits: 'beef' })
  for (const text of ['0xabc', 'aave', '0xabcg', `${'ab'.repeat(20)}c`, `0x${'ab'.repeat(30)}`, 'https://aave.com'])
    assert.deepEqual(readSearchText(text), { kind: 'words', words: text, digits: undefined }, text)
})
