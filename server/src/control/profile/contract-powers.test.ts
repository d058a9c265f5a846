import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SampleWorld } from '../../../../testing/evm/sample-world.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { NO_POWERS, POWERS_NOT_FOLLOWED } from '../powers/code-powers.ts'

test('code that could not be followed to its end is not green', () => {
  const world = new SampleWorld()
  const followed = world.profile(world.add('plain', { code: { powers: NO_POWERS } }))
  assert.deepEqual([followed.label, followed.tone], ['immutable', 'green'])
  const { label, tone, reasons } = world.profile(world.add('hostile', { code: { powers: POWERS_NOT_FOLLOWED } }))
  assert.deepEqual([label, tone], ['immutable', 'grey'])
  assert.match(reasonTexts(reasons)[0] ?? '', /the code could not be followed to its end/)
})
