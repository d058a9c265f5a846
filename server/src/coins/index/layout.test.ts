import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../../../testing/support/random.ts'
import {
  coinEntry,
  coinKey,
  coinRow,
  MAX_SCRIPT_COIN_KEY,
  MAX_VOUT,
  readCoinEntries,
  readScriptCoinKey,
  scriptCoinKey,
  voutOfCoinKey,
} from './layout.ts'

const random = seededRandom(21)
const script = Buffer.from('00112233445566778899', 'hex')
/** Amounts and indexes around the limits of every size, and random ones. */
const amounts = [
  0,
  Number.MAX_SAFE_INTEGER,
  ...[5, 13, 21, 29, 37, 45].flatMap((bits) => [2 ** bits - 1, 2 ** bits]),
  ...Array.from({ length: 40 }, () => Math.floor(2 ** (53 * random.next()))),
]
const vouts = [0, 1, 0xef, 0xf0, 0xff, 0x100, 0xffff, 0x1_0000, MAX_VOUT]

test('coins of a script sort by amount, the largest first, then by number and output', () => {
  const coins = amounts.flatMap((value) =>
    [1, 2 ** 32, 2 ** 40 - 1].flatMap((txnum) => vouts.map((vout) => ({ value, txnum, vout }))),
  )
  const keys = coins.map(({ value, txnum, vout }) => scriptCoinKey(script, 0, value, txnum, vout))
  for (const [i, key] of keys.entries()) {
    assert.deepEqual(readScriptCoinKey(key), coins[i])
    assert.ok(key.length <= MAX_SCRIPT_COIN_KEY)
  }
  assert.deepEqual(
    keys.toSorted((a, b) => a.compare(b)).map(readScriptCoinKey),
    coins.toSorted((a, b) => b.value - a.value || a.txnum - b.txnum || a.vout - b.vout),
  )
})

test('outputs of a transaction sort by index', () => {
  const txid = Buffer.alloc(32, 7)
  const keys = vouts.map((vout) => coinKey(txid, 0, vout))
  assert.deepEqual(
    keys.toSorted((a, b) => a.compare(b)).map(voutOfCoinKey),
    vouts.toSorted((a, b) => a - b),
  )
})

test('coins that share a row are read back', () => {
  const entries = amounts.map((value, i) => ({ txnum: i, script, value }))
  assert.deepEqual(readCoinEntries(coinRow(entries)), entries)
  assert.equal(coinEntry(1, script, 0, 100_000_000).length, 19)
})
