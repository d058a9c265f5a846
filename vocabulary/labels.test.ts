import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LABEL_TEXTS, LABELS, labelText, weakestLabel } from './labels.ts'

test('a single key outweighs an unknown path, which outweighs every other label', () => {
  assert.equal(weakestLabel(['immutable', 'unknown', 'single_key']), 'single_key')
  assert.equal(weakestLabel(['timelocked', 'unknown', 'multisig']), 'unknown')
  assert.equal(weakestLabel(['immutable', 'timelocked', 'short_timelock']), 'short_timelock')
  assert.equal(weakestLabel([]), 'unknown')
})

test('no multisig is claimed where a vote decides; other texts stay', () => {
  for (const label of LABELS) {
    assert.equal(labelText(label), LABEL_TEXTS[label])
    assert.equal(labelText(label, null), LABEL_TEXTS[label])
    assert.doesNotMatch(labelText(label, 'vote'), /Multisig/)
  }
  assert.equal(labelText('timelocked', 'vote'), 'Vote + 24h+ timelock')
})
