import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksToRequest, FIRST_LIMIT, onRangeEvent, TARGET_LOGS } from './range-reader.ts'

test('a limit grows slowly and only after full ranges', () => {
  const grown = onRangeEvent(FIRST_LIMIT, { type: 'read', blocks: 500, logs: 0 })
  assert.equal(blocksToRequest(grown), 525)
  assert.equal(onRangeEvent(FIRST_LIMIT, { type: 'read', blocks: 499, logs: 0 }), FIRST_LIMIT)
})

test('a refusal halves the limit; only a narrower hint is followed', () => {
  const refused = (blocks: number | undefined) =>
    onRangeEvent(FIRST_LIMIT, {
      type: 'refused',
      blocks: 500,
      hint: blocks === undefined ? undefined : { blocks, isLimit: true },
    })
  assert.equal(blocksToRequest(refused(undefined)), 250)
  assert.equal(blocksToRequest(refused(500)), 250)
  assert.equal(blocksToRequest(refused(2_000)), 250)
  assert.equal(blocksToRequest(refused(100)), 100)
})

test('a stated limit is not exceeded again', () => {
  let limit = onRangeEvent(FIRST_LIMIT, { type: 'refused', blocks: 500, hint: { blocks: 100, isLimit: true } })
  for (let n = 0; n < 100; n += 1) limit = onRangeEvent(limit, { type: 'read', blocks: 100, logs: 0 })
  assert.equal(blocksToRequest(limit), 100)
})

test('a suggested range does not become a ceiling', () => {
  let limit = onRangeEvent(FIRST_LIMIT, { type: 'refused', blocks: 500, hint: { blocks: 16, isLimit: false } })
  assert.equal(blocksToRequest(limit), 16)
  for (let n = 0; n < 100; n += 1)
    limit = onRangeEvent(limit, { type: 'read', blocks: blocksToRequest(limit), logs: 0 })
  assert.ok(blocksToRequest(limit) > 500)
})

test('the limit is at least one block and grows from there', () => {
  let limit = FIRST_LIMIT
  for (let n = 0; n < 20; n += 1)
    limit = onRangeEvent(limit, { type: 'refused', blocks: blocksToRequest(limit), hint: undefined })
  assert.equal(blocksToRequest(limit), 1)
  for (let n = 0; n < 20; n += 1) limit = onRangeEvent(limit, { type: 'read', blocks: blocksToRequest(limit), logs: 0 })
  assert.ok(blocksToRequest(limit) > 1)
})

test('a range with many logs shrinks to the target size', () => {
  const crowded = onRangeEvent(FIRST_LIMIT, { type: 'read', blocks: 500, logs: TARGET_LOGS * 5 })
  assert.equal(blocksToRequest(crowded), 100)
})
