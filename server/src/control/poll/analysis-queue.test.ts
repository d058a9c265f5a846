import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAnalysisQueue, REGISTRY } from './analysis-queue.ts'

test('owners take turns, however many analyses one of them waits for', () => {
  const queue = createAnalysisQueue<string>()
  for (let n = 0; n < 50; n += 1) queue.push('mallory', `m${n}`)
  queue.push('alice', 'a0')
  queue.push('bob', 'b0')
  const order = Array.from({ length: 4 }, () => queue.shift())
  assert.deepEqual(order, ['m0', 'a0', 'b0', 'm1'])
})

test('the registry gets every second turn, however many accounts wait', () => {
  const queue = createAnalysisQueue<string>()
  for (let n = 0; n < 20; n += 1) queue.push(`account ${n}`, `x${n}`)
  for (let n = 0; n < 3; n += 1) queue.push(REGISTRY, `r${n}`)
  const order = Array.from({ length: 7 }, () => queue.shift())
  assert.deepEqual(order, ['r0', 'x0', 'r1', 'x1', 'r2', 'x2', 'x3'])
})

test('a full queue of one owner refuses only that owner, and all accounts together cannot refuse the registry', () => {
  const queue = createAnalysisQueue<string>({ perOwner: 2, accounts: 3 })
  assert.deepEqual(
    ['a', 'a', 'a', 'b', 'c', REGISTRY].map((owner) => queue.push(owner, 'x')),
    [true, true, false, true, false, true],
  )
  assert.equal(queue.clear().length, 4)
  assert.equal(queue.shift(), undefined)
})
