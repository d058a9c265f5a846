/** Safes whose storage is or is not proven to hold only what is listed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import { at, type Described, SampleWorld } from '../../../../testing/evm/sample-world.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { toWord } from './abi-values.ts'

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

test('a nested Safe with another fallback handler than the released ones counts as if it signed everything', () => {
  const nested =
    (hash: Hex | undefined) =>
    (world: SampleWorld): Hex => {
      const handler = hash === undefined ? undefined : world.add('handler', { code: { hash } })
      const slots = handler === undefined ? {} : { safeFallbackHandler: handler }
      const inner = world.safe('inner', 2, signers(3, 'inner'), { slots })
      return world.safe('council', 2, [inner, ...signers(4)])
    }
  const released = '0x7c6007a5d711cea8dfd5d91f5940ec29c7f200fe511eb1fc1397b367af3c42f9'
  const extensible = '0xba5bafdfba82e226b6dc8ae29bedf5026bd854ab4bee00128ca322717a5f2acf'
  expect(nested(undefined), 'multisig', /2 of 5/)
  expect(nested(released), 'multisig', /2 of 5/)
  for (const other of [extensible, toWord(1)] as const)
    expect(nested(other), 'unknown', /fewer than two keys may be enough/)
})

test('a nested Safe that stored a message as signed counts as if it signed everything', () => {
  const nested =
    (messages: readonly Hex[]) =>
    (world: SampleWorld): Hex => {
      const used = { messages, approvals: [{ hash: toWord(9), owner: at('inner 0') }] }
      const inner = world.safe('inner', 2, signers(3, 'inner'), { contents: 'used', history: used })
      return world.safe('council', 2, [inner, ...signers(4)])
    }
  expect(nested([]), 'multisig', /2 of 5/)
  expect(nested([toWord(7)]), 'unknown', /fewer than two keys may be enough/)
})

test('signers with a key that run a contract count as if they signed everything', () => {
  const council =
    (threshold: number) =>
    (world: SampleWorld): Hex => {
      const delegated = ['first', 'second'].map((name) => world.add(name, { code: { delegatedTo: at('wallet') } }))
      return world.safe('council', threshold, [...delegated, ...signers(3)])
    }
  expect(council(3), 'unknown', /keys that run one \(EIP-7702\)/)
  expect(council(4), 'multisig', /4 of 5/)
})
