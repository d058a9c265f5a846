import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Hex } from '../../lib/hex.ts'
import { createCodeAnalyzer } from './code-analyzer.ts'

const analyzer = createCodeAnalyzer()
after(() => analyzer.close())

/** Conditional jumps on call data, each of which both continues and jumps back: more states than the analysis follows. */
const LARGE: Hex = `0x5b${'6000356000576001'.repeat(2_900)}`

test('the event loop runs while a large contract is analyzed', async () => {
  await analyzer.analyze('0x6001600255') // starts a thread
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const facts = await analyzer.analyze(LARGE)
  isDone = true
  assert.equal(facts.settled, false, 'the analysis gave up at its limit')
  assert.ok(turns > 10, `${turns} turns`)
})

test('the same code is analyzed once, also while the first analysis runs', async () => {
  const code: Hex = '0x60003560005500'
  const [first, second] = await Promise.all([analyzer.analyze(code), analyzer.analyze(code)])
  assert.equal(first, second)
  assert.equal(await analyzer.analyze(code), first)
  assert.equal(analyzer.find(first.hash), first)
})

test('a closed analyzer rejects what it did not finish', async () => {
  const closing = createCodeAnalyzer({ threads: 1 })
  const results = Promise.allSettled([closing.analyze(LARGE), closing.analyze('0x6001')])
  await closing.close()
  assert.deepEqual(
    (await results).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})
