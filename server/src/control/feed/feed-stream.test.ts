import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ControlEvent } from '../registry/control-event.ts'
import { changeOfHead } from './feed-stream.ts'

const event = (id: number, seconds: number) => ({ id, blockTime: new Date(seconds * 1000) }) as ControlEvent
const ids = ({ published, retracted }: ReturnType<typeof changeOfHead>) => [
  published.map(({ id }) => id),
  retracted.map(({ id }) => id),
]

test('a new event is published, and a missing one is retracted', () => {
  const before = [event(3, 30), event(2, 20), event(1, 10)]
  assert.deepEqual(ids(changeOfHead(before, before, 10)), [[], []])
  assert.deepEqual(ids(changeOfHead(before, [event(4, 40), ...before], 10)), [[4], []])
  assert.deepEqual(ids(changeOfHead(before, [event(4, 30), event(2, 20), event(1, 10)], 10)), [[4], [3]])
  assert.deepEqual(ids(changeOfHead([], before, 10)), [[3, 2, 1], []])
})

test('an event that newer ones push out is not retracted, and one that moves into range is not published', () => {
  const before = [event(3, 30), event(2, 20)]
  assert.deepEqual(ids(changeOfHead(before, [event(4, 40), event(3, 30)], 2)), [[4], []])
  assert.deepEqual(ids(changeOfHead(before, [event(2, 20), event(1, 10)], 2)), [[], [3]])
  assert.deepEqual(
    ids(changeOfHead(before, [event(9, 30), event(3, 30)], 2)),
    [[9], []],
    'the same instant, a later id',
  )
})
