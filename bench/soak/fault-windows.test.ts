import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chainBehind, type Fault, faultWindows, isDuringFault, isExpectedResponse } from './fault-windows.ts'

const fault = (part: string, fromS: number, toS: number, kind = 'drops'): Fault => ({
  part,
  kind,
  from: fromS * 1_000,
  to: toS * 1_000,
})

const response503 = (path: string, atS: number) => ({
  path,
  key: 'a',
  status: 503,
  startedAt: atS * 1_000,
  endedAt: atS * 1_000 + 20,
})

test('an outage of six seconds has effects for six and a half more, plus five to catch up', () => {
  assert.deepEqual(faultWindows([fault('btc', 100, 106)], 'btc'), [{ from: 100_000, to: 117_500 }])
  assert.deepEqual(faultWindows([fault('btc', 100, 106)], 'ltc'), [])
})

test('no pause is longer than 30 seconds, however long the outage', () => {
  assert.deepEqual(faultWindows([fault('ltc', 0, 3_600)], 'ltc'), [{ from: 0, to: 3_635_000 }])
})

test('a fault before the recovery from the last one extends its window', () => {
  assert.deepEqual(faultWindows([fault('btc', 110, 116), fault('btc', 100, 106)], 'btc'), [
    { from: 100_000, to: 137_500 },
  ])
  assert.equal(faultWindows([fault('btc', 100, 106), fault('btc', 118, 120)], 'btc').length, 2)
})

test('503 is expected only for a chain in a fault window', () => {
  const known = { exceedingKeys: [], faults: [fault('btc', 100, 106), fault('ethereum', 300, 310)] }
  assert.ok(isExpectedResponse(response503('/api/v2/fees?chain=btc', 103), known))
  assert.ok(isExpectedResponse(response503('/public/coins/btc/fees', 117), known))
  assert.ok(!isExpectedResponse(response503('/api/v2/fees?chain=btc', 99), known))
  assert.ok(!isExpectedResponse(response503('/api/v2/fees?chain=btc', 118), known))
  assert.ok(!isExpectedResponse(response503('/api/v2/fees?chain=ltc', 103), known))
  assert.ok(!isExpectedResponse(response503('/api/v2/fees?chain=btc', 305), known))
})

test('short faults do not explain half an hour of 503', () => {
  const faults = Array.from({ length: 8 }, (_, n) => fault('btc', n * 200, n * 200 + 7))
  const responses = Array.from({ length: 1_800 }, (_, second) => response503('/api/v2/block/1', second))
  const unexplained = responses.filter((each) => !isExpectedResponse(each, { exceedingKeys: [], faults }))
  assert.ok(unexplained.length > 1_500, String(unexplained.length))
})

test('503 of a route that needs no node is expected only while the database is unreachable', () => {
  const faults = [fault('btc', 100, 106)]
  for (const path of ['/api/v2/usage', '/api/v2/status?chain=btc', '/public/coins/btc/status', '/v1/events', '/']) {
    const response = response503(path, 103)
    assert.ok(!isExpectedResponse(response, { exceedingKeys: [], faults }), path)
    assert.ok(isExpectedResponse(response, { exceedingKeys: [], faults: [fault('database', 100, 106)] }), path)
  }
})

test('429 is expected only for the key that exceeds its limit, and no other error is expected', () => {
  const known = { exceedingKeys: ['a'], faults: [fault('btc', 0, 100)] }
  const response = { ...response503('/api/v2/block/1', 5), status: 429 }
  assert.ok(isExpectedResponse(response, known))
  assert.ok(!isExpectedResponse({ ...response, key: 'b' }, known))
  assert.ok(!isExpectedResponse({ ...response, status: 500 }, known))
})

test('the chain behind a path', () => {
  assert.equal(chainBehind('/api/v2/address/a/txs?chain=ltc'), 'ltc')
  assert.equal(chainBehind('/api/v2/fees'), 'btc')
  assert.equal(chainBehind('/public/coins/btc/projected-blocks'), 'btc')
  assert.equal(chainBehind('/public/control/events'), undefined)
})

test('a fault lasts until a moment after its end', () => {
  const faults = [fault('base', 100, 110)]
  const at = (second: number) => ({ from: second * 1_000, to: second * 1_000 })
  assert.ok(isDuringFault(faults, 'base', at(114)))
  assert.ok(!isDuringFault(faults, 'base', at(116)))
  assert.ok(!isDuringFault(faults, 'ethereum', at(105)))
})
