/** Safes whose storage is or is not proven to hold only what is listed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concatHex, type Hex, keccak256 } from 'viem'
import { at, type Described, SampleWorld } from '../../../../testing/evm/sample-world.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { toWord } from './abi-values.ts'
import { type Approval, slotKey } from './state.ts'

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
  // Code may still be deployed there.
  const slots = { safeFallbackHandler: at('handler') }
  const later = (world: SampleWorld): Hex => world.safe('inner', 2, signers(3, 'inner'), { slots })
  expect((world) => world.safe('council', 2, [later(world), ...signers(4)]), 'unknown', /fewer than two keys may be/)
})

test('a nested Safe that stored a message as signed counts as if it signed everything', () => {
  const nested =
    (messages: readonly Hex[]) =>
    (world: SampleWorld): Hex => {
      const used = { messages, approvals: [{ hash: toWord(9), owner: at('inner 0'), isSent: true }] }
      const inner = world.safe('inner', 2, signers(3, 'inner'), { contents: 'used', history: used })
      return world.safe('council', 2, [inner, ...signers(4)])
    }
  expect(nested([]), 'multisig', /2 of 5/)
  expect(nested([toWord(7)]), 'unknown', /fewer than two keys may be enough/)
})

const entry = (table: Hex, key: Hex): Hex => keccak256(concatHex([toWord(key), table]))
const stored = (owner: Hex, hash: Hex): string => slotKey(entry(entry(toWord(8), owner), hash))

/** A Safe of three of five that stores approvals. Its next transaction has the nonce 4. */
const approving = (approvals: readonly Approval[], nonce: Hex = toWord(4)): ((world: SampleWorld) => Hex) => {
  const entries = approvals.map(({ owner, hash }) => [stored(owner, hash), toWord(1)] as const)
  const more: Readonly<Record<string, Hex>> = { [slotKey(toWord(5))]: nonce, ...Object.fromEntries(entries) }
  return council({ contents: 'used', history: { approvals }, more })
}
const approvals = (count: number, more: Partial<Approval> = {}): readonly Approval[] =>
  signers(count).map((owner) => ({ hash: toWord(9), owner, ...more }))

test('approvals that no transaction of the owners gives count as if these owners signed', () => {
  expect(approving(approvals(1)), 'multisig', /3 of 5/)
  expect(approving(approvals(2)), 'unknown', /one further signer may be enough/)
  expect(approving(approvals(2, { isSent: true })), 'multisig', /3 of 5/)
  // Approvals of different transactions do not add up.
  const [first, second] = approvals(2) as [Approval, Approval]
  expect(approving([first, { ...second, hash: toWord(10) }]), 'multisig', /3 of 5/)
})

test('approvals of a transaction whose nonce was used are harmless, of others any account may execute it', () => {
  expect(approving(approvals(3, { nonce: 3 })), 'multisig', /3 of 5/)
  expect(approving(approvals(3, { nonce: 4 })), 'unknown', /any account may execute it/)
  expect(approving(approvals(3, { isSent: true })), 'unknown', /any account may execute it/)
  // After the last nonce comes the first one again.
  const last = toWord(`0x${'f'.repeat(64)}`)
  expect(approving(approvals(3, { nonce: 3 }), last), 'unknown', /any account may execute it/)
})

test('signers with a key that run a contract count as if they signed everything', () => {
  const council =
    (threshold: number) =>
    (world: SampleWorld): Hex => {
      const delegated = ['first', 'second'].map((name) => world.add(name, { code: { delegatedTo: at('wallet') } }))
      return world.safe('council', threshold, [...delegated, ...signers(3)])
    }
  expect(council(3), 'unknown', /accounts that delegate to one \(EIP-7702\)/)
  expect(council(4), 'multisig', /4 of 5/)
})
