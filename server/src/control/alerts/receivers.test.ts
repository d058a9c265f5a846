import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlaces } from './places.ts'
import { createReceivers } from './receivers.ts'

const ROOM = { usual: 2, most: 16, sick: 3 }

test('a new receiver gets little, a good one much, one that failed a single try', () => {
  const receivers = createReceivers(ROOM)
  receivers.begin(1)
  assert.deepEqual([...receivers.rooms(0)], [[1, 1]])
  receivers.begin(1)
  receivers.end(1, { ok: true })
  assert.deepEqual([...receivers.rooms(0)], [[1, 15]])
  receivers.end(1, { ok: false })
  assert.deepEqual([[...receivers.rooms(0)], receivers.inFlight()], [[[1, 1]], 0])
  receivers.begin(1)
  receivers.end(1, { ok: true })
  assert.deepEqual([...receivers.rooms(0)], [], 'nothing is remembered of one that is well and idle')
})

test('one that rests gets nothing until its time', () => {
  const receivers = createReceivers(ROOM)
  receivers.begin(1)
  receivers.end(1, { ok: true, restsUntil: 100 })
  assert.deepEqual([...receivers.rooms(99)], [[1, 0]])
  assert.deepEqual([...receivers.rooms(100)], [])
})

test('those that failed hold only a share of the connections together', () => {
  const receivers = createReceivers(ROOM)
  for (let id = 1; id <= 5; id++) {
    receivers.begin(id)
    receivers.end(id, { ok: false })
  }
  for (let id = 1; id <= 3; id++) receivers.begin(id)
  receivers.begin(6)
  const rooms = receivers.rooms(0)
  assert.deepEqual([rooms.get(4), rooms.get(5), rooms.get(6)], [0, 0, 1])
  receivers.end(1, { ok: false })
  assert.equal(receivers.rooms(0).get(4), 1)
})

test('a place has room for so many, whoever lives there', () => {
  const places = createPlaces(2)
  places.begin('a.example')
  places.begin('a.example')
  places.begin('b.example')
  places.begin(null)
  assert.deepEqual(Object.fromEntries(places.rooms()), { 'a.example': 0, 'b.example': 1 })
  for (const place of ['a.example', 'b.example', null]) places.end(place)
  assert.deepEqual(Object.fromEntries(places.rooms()), { 'a.example': 1 })
})
