import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexToBytes } from '@noble/hashes/utils.js'
import { assemble } from '../../../../testing/adversary/assemble.ts'
import { followCode } from './dataflow.ts'
import { effectsOf } from './effects.ts'

const TOPIC = `0x${'dd'.repeat(32)}`
/** LOG2 of a word with the topic. */
const LOG = `${TOPIC} 0x00 0x00 data:0xa2 STOP`
const SLOT = `0x${'36'.repeat(32)}`
const ACCOUNT = `0x${'ff'.repeat(20)}`
const OTHERS = `0x${'ff'.repeat(12)}${'00'.repeat(20)}`

/** The event that reports the only store of code. */
function reportOf(code: string): string | undefined {
  const { effects } = effectsOf(followCode(hexToBytes(assemble(code).slice(2))))
  const stores = effects.filter(({ kind }) => kind === 'store')
  assert.equal(stores.length, 1)
  return stores[0]?.reportedBy
}

test('a log reports an entry only if it names the key with all its bits', () => {
  const stored = (key: string, named: string): string =>
    `0x01 ${key} 0x00 MSTORE 0x01 0x20 MSTORE 0x40 0x00 KECCAK256 SSTORE ${named} ${LOG}`
  const [whole, cut] = ['0x00 CALLDATALOAD', `0x00 CALLDATALOAD ${ACCOUNT} AND`]
  assert.equal(reportOf(stored(whole, whole)), TOPIC)
  assert.equal(reportOf(stored(cut, cut)), TOPIC)
  assert.equal(reportOf(stored(cut, whole)), undefined)
  assert.equal(reportOf(stored(whole, cut)), undefined)
})

test('a log reports a pointer only if no stored bit changes the account that it names', () => {
  const stored = (slot: string, mask: string): string =>
    `0x00 CALLDATALOAD ${ACCOUNT} AND ${slot} SLOAD ${mask} AND OR ${SLOT} SSTORE 0x00 CALLDATALOAD ${LOG}`
  assert.equal(reportOf(stored(SLOT, OTHERS)), TOPIC)
  assert.equal(reportOf(stored(SLOT, ACCOUNT)), undefined)
  assert.equal(reportOf(stored('0x05', ACCOUNT)), undefined)
  assert.equal(reportOf(stored('0x05', OTHERS)), undefined)
})
