import assert from 'node:assert/strict'
import { test } from 'node:test'
import { weakestLabel } from './labels.ts'

test('a single key outweighs an unknown path, which outweighs every other label', () => {
  assert.equal(weakestLabel(['immutable', 'unknown', 'single_key']), 'single_key')
  assert.equal(weakestLabel(['timelocked', 'unknown', 'multisig']), 'unknown')
  assert.equal(weakestLabel(['immutable', 'timelocked', 'short_timelock']), 'short_timelock')
  assert.equal(weakestLabel([]), 'unknown')
})
