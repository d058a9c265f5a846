import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeViews, narrow, probesOf, startSearch } from './reorg.ts'

const ours = new Map([
  [9, '0xa9'],
  [10, '0xaa'],
] as const)

test('the endpoint with the highest head decides', () => {
  const views = [
    { endpoint: 0, head: 12, number: 10, hash: '0xbb' },
    { endpoint: 1, head: 13, number: 10, hash: '0xaa' },
  ] as const
  assert.deepEqual(judgeViews(views, ours), { type: 'ours', endpoint: 1 })
  assert.deepEqual(judgeViews([{ ...views[0], head: 14 }, views[1]], ours), { type: 'theirs', endpoint: 0 })
})

test('at equal heights the stored branch stays', () => {
  const views = [
    { endpoint: 0, head: 12, number: 10, hash: '0xbb' },
    { endpoint: 1, head: 12, number: 10, hash: '0xaa' },
  ] as const
  assert.deepEqual(judgeViews(views, ours), { type: 'ours', endpoint: 1 })
})

test('a lagging endpoint does not contradict, unless it is on another branch', () => {
  assert.equal(judgeViews([{ endpoint: 0, head: 9, number: 9, hash: '0xa9' }], ours).type, 'ours')
  assert.equal(judgeViews([{ endpoint: 0, head: 9, number: 9, hash: '0xb9' }], ours).type, 'theirs')
  assert.equal(judgeViews([{ endpoint: 0, head: 4, number: 4, hash: '0xb4' }], ours).type, 'ours')
})

test('a fork is found in few rounds at any depth of any window', () => {
  for (const length of [1, 2, 15, 16, 17, 100, 7_200])
    for (const shared of [-1, 0, 1, Math.floor(length / 2), length - 2, length - 1].filter((at) => at < length)) {
      let search = startSearch(length)
      let rounds = 0
      for (let probes = probesOf(search); probes.length > 0; probes = probesOf(search)) {
        assert.ok(probes.length <= 16)
        search = narrow(search, new Map(probes.map((index) => [index, index <= shared])))
        assert.ok(++rounds < 20, `window ${length}, shared ${shared}`)
      }
      assert.equal(search.shared, Math.max(shared, -1))
    }
})
