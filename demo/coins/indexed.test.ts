import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areIndexed } from './indexed.ts'

const btc = { chain: 'btc', state: 'keeping_up', indexHeight: 120 } as const

test('every index has reached its node, and the blocks made meanwhile', () => {
  const seen = (state: 'keeping_up' | 'behind' | 'not_indexed', indexHeight: number | null) =>
    areIndexed({ coins: [btc, { chain: 'ltc', state, indexHeight }] }, { btc: 0, ltc: 191 })
  assert.equal(seen('keeping_up', 191), true)
  assert.equal(seen('keeping_up', 192), true)
  assert.equal(seen('keeping_up', 190), false, 'the node was further than the service knew')
  assert.equal(seen('behind', 191), false)
  assert.equal(seen('not_indexed', null), false)
  assert.equal(areIndexed({ coins: [btc] }, { btc: 0, ltc: 191 }), false)
})

test('a chain that cannot be shown is not waited for', () => {
  assert.equal(areIndexed({ coins: [btc, { chain: 'ltc', state: 'behind', indexHeight: 3 }] }, { btc: 0 }), true)
})
