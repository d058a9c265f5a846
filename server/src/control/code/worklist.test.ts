import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worklist } from './worklist.ts'

const block = (id: number, depth: number, order: number) => ({ id, depth, order })

function orderOf(blocks: readonly ReturnType<typeof block>[]): readonly number[] {
  const list = new Worklist<ReturnType<typeof block>>()
  for (const each of blocks) list.push(each)
  const ids: number[] = []
  for (let next = list.next(); next !== undefined; next = list.next()) ids.push(next.id)
  return ids
}

test('the deepest block comes first, then the first in the order of blocks, then the last that was reached', () => {
  assert.deepEqual(orderOf([block(1, 2, 0), block(2, 3, 7), block(3, 3, 4), block(4, 3, 4)]), [4, 3, 2, 1])
})

test('the order of blocks does not depend on others that wait', () => {
  const blocks = Array.from({ length: 40 }, (_, id) => block(id, id % 3, id % 2))
  const all = orderOf(blocks)
  for (const left of blocks)
    assert.deepEqual(
      orderOf(blocks.filter((each) => each !== left)),
      all.filter((id) => id !== left.id),
    )
})
