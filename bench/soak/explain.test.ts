import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainBehind, type Fault, isDuring, isExpectedAnswer, troubles } from './explain.ts'

const fault = (part: string, fromS: number, toS: number, kind = 'drops'): Fault => ({
  part,
  kind,
  from: fromS * 1_000,
  to: toS * 1_000,
})

const answer503 = (path: string, atS: number) => ({
  path,
  key: 'a',
  status: 503,
  startedAt: atS * 1_000,
  endedAt: atS * 1_000 + 20,
})

test('a node that was away for six seconds may be felt for six and a half more, and five to catch up', () => {
  assert.deepEqual(troubles([fault('btc', 100, 106)], 'btc'), [{ from: 100_000, to: 117_500 }])
  assert.deepEqual(troubles([fault('btc', 100, 106)], 'ltc'), [])
})

test('no pause is longer than 32 seconds, however long the node was away', () => {
  assert.deepEqual(troubles([fault('ltc', 0, 3_600)], 'ltc'), [{ from: 0, to: 3_637_000 }])
})

test('a fault that begins while the last one is still felt makes one trouble of both', () => {
  assert.deepEqual(troubles([fault('btc', 110, 116), fault('btc', 100, 106)], 'btc'), [{ from: 100_000, to: 137_500 }])
  assert.equal(troubles([fault('btc', 100, 106), fault('btc', 118, 120)], 'btc').length, 2)
})

test('503 is expected of a chain in trouble, and of no other', () => {
  const known = { greedy: [], faults: [fault('btc', 100, 106), fault('ethereum', 300, 310)] }
  assert.ok(isExpectedAnswer(answer503('/api/v2/fees?chain=btc', 103), known))
  assert.ok(isExpectedAnswer(answer503('/public/coins/btc/fees', 117), known))
  assert.ok(!isExpectedAnswer(answer503('/api/v2/fees?chain=btc', 99), known))
  assert.ok(!isExpectedAnswer(answer503('/api/v2/fees?chain=btc', 118), known))
  assert.ok(!isExpectedAnswer(answer503('/api/v2/fees?chain=ltc', 103), known))
  assert.ok(!isExpectedAnswer(answer503('/api/v2/fees?chain=btc', 305), known))
})

test('an index that answers 503 for half an hour is explained by none of its faults', () => {
  const faults = Array.from({ length: 8 }, (_, n) => fault('btc', n * 200, n * 200 + 7))
  const asked = Array.from({ length: 1_800 }, (_, second) => answer503('/api/v2/block/1', second))
  const unexplained = asked.filter((each) => !isExpectedAnswer(each, { greedy: [], faults }))
  assert.ok(unexplained.length > 1_500, String(unexplained.length))
})

test('what needs no node is never away because of one, only because of the database', () => {
  const faults = [fault('btc', 100, 106)]
  for (const path of ['/api/v2/usage', '/api/v2/status?chain=btc', '/public/coins/btc/status', '/v1/events', '/']) {
    assert.ok(!isExpectedAnswer(answer503(path, 103), { greedy: [], faults }), path)
    assert.ok(isExpectedAnswer(answer503(path, 103), { greedy: [], faults: [fault('database', 100, 106)] }), path)
  }
})

test('only the greedy key may be told to wait, and nobody anything else', () => {
  const known = { greedy: ['a'], faults: [fault('btc', 0, 100)] }
  const answer = { ...answer503('/api/v2/block/1', 5), status: 429 }
  assert.ok(isExpectedAnswer(answer, known))
  assert.ok(!isExpectedAnswer({ ...answer, key: 'b' }, known))
  assert.ok(!isExpectedAnswer({ ...answer, status: 500 }, known))
})

test('the chain behind a path', () => {
  assert.equal(chainBehind('/api/v2/address/a/txs?chain=ltc'), 'ltc')
  assert.equal(chainBehind('/api/v2/fees'), 'btc')
  assert.equal(chainBehind('/public/coins/btc/projected-blocks'), 'btc')
  assert.equal(chainBehind('/public/control/events'), undefined)
})

test('what is told during a fault is told at once, or a moment after it', () => {
  const faults = [fault('base', 100, 110)]
  const at = (second: number) => ({ from: second * 1_000, to: second * 1_000 })
  assert.ok(isDuring(faults, 'base', at(114)))
  assert.ok(!isDuring(faults, 'base', at(116)))
  assert.ok(!isDuring(faults, 'ethereum', at(105)))
})
