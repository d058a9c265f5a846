import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areIndexesReady } from './index-ready.ts'

const btc = { chain: 'btc', state: 'in_sync', indexHeight: 120 } as const

test('the indexes are ready when each has reached its node', () => {
  const seen = (state: 'in_sync' | 'behind' | 'not_indexed', indexHeight: number | null) =>
    areIndexesReady({ coins: [btc, { chain: 'ltc', state, indexHeight }] }, { btc: 0, ltc: 191 })
  assert.equal(seen('in_sync', 191), true)
  assert.equal(seen('in_sync', 192), true)
  assert.equal(seen('in_sync', 190), false, 'the node is ahead of what the service knows')
  assert.equal(seen('behind', 191), false)
  assert.equal(seen('not_indexed', null), false)
  assert.equal(areIndexesReady({ coins: [btc] }, { btc: 0, ltc: 191 }), false)
})

test('a missing chain is not waited for', () => {
  assert.equal(areIndexesReady({ coins: [btc, { chain: 'ltc', state: 'behind', indexHeight: 3 }] }, { btc: 0 }), true)
})
