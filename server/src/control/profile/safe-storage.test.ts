/** Safes whose storage is or is not proven to hold only what is listed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { at, type Described, SampleWorld } from '../../../../testing/evm/sample-world.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'

const signers = (count: number, team = 'team'): readonly Hex[] =>
  Array.from({ length: count }, (_, n) => at(`${team} ${n}`))

function expect(build: (world: SampleWorld) => Hex, label: Label, reason: RegExp): void {
  const world = new SampleWorld()
  const profile = world.profile(world.transparent('target', world.proxyAdmin('admin', build(world))))
  const reasons = reasonTexts(profile.reasons).join('\n')
  assert.equal(profile.label, label, reasons)
  assert.match(reasons, reason)
}

const council =
  (more: Described) =>
  (world: SampleWorld): Hex =>
    world.safe('council', 3, signers(5), more)

test('a Safe whose storage holds only what is listed is a multisig', () => {
  expect(council({}), 'multisig', /3 of 5/)
})

test('a Safe whose storage holds more is unknown', () => {
  expect(council({ contents: 'others' }), 'unknown', /holds more than its lists and events show/)
})

test('a Safe is unknown where no endpoint proves storage', () => {
  expect(council({ contents: 'unread' }), 'unknown', /no endpoint supports eth_getProof/)
})

test('a nested Safe whose storage holds more counts as if it signed everything', () => {
  const nested =
    (threshold: number) =>
    (world: SampleWorld): Hex => {
      const inner = world.safe('inner', 2, signers(3, 'inner'), { contents: 'others' })
      return world.safe('council', threshold, [inner, ...signers(4)])
    }
  expect(nested(2), 'unknown', /fewer than two keys may be enough/)
  expect(nested(3), 'multisig', /3 of 5/)
})
