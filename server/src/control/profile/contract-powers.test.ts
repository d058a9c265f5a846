import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { at, SampleWorld } from '../../../../testing/evm/sample-world.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { NO_POWERS, POWERS_NOT_FOLLOWED } from '../powers/code-powers.ts'
import { toWord } from './abi-values.ts'
import { slotOf } from './listed-entries.ts'
import { callKey, slotKey, unread } from './state.ts'

test('code that could not be followed to its end is not green', () => {
  const world = new SampleWorld()
  const followed = world.profile(world.add('plain', { code: { powers: NO_POWERS } }))
  assert.deepEqual([followed.label, followed.tone], ['immutable', 'green'])
  const { label, tone, reasons } = world.profile(world.add('hostile', { code: { powers: POWERS_NOT_FOLLOWED } }))
  assert.deepEqual([label, tone], ['immutable', 'grey'])
  assert.match(reasonTexts(reasons)[0] ?? '', /the code could not be analyzed completely/)
})

test('accounts that events name are holders while they are in the table', () => {
  const world = new SampleWorld()
  const table = { type: 'table', base: toWord(6), keys: ['caller'], member: 0 } as const
  const [minter, former] = [at('minter'), at('former minter')]
  const slot = slotOf(table, minter)
  assert.ok(slot !== undefined)
  const guard = { type: 'member', table, mask: toWord(2n ** 256n - 1n) } as const
  const mint = { selector: '0x40c10f19', effect: 'mint', evidence: 'code', guards: [guard] } as const
  const token = world.add('token', {
    code: { powers: { ...NO_POWERS, powers: [mint] } },
    history: { listed: [minter, former] },
    more: { [slotKey(slot)]: toWord(5) },
  })
  const { tone, powers } = world.profile(token)
  const holders = powers?.[0]?.holders.map(({ address, role }) => [address, role])
  assert.deepEqual([tone, powers?.[0]?.unknown, holders], ['red', 'table', [[minter, 'Listed account']]])
})

const MANAGER = parseAbi(['function getTargetFunctionRole(address,bytes4) view returns (uint64)'])

test('the accounts that an AccessManager lets use a power are those of its own function', () => {
  const world = new SampleWorld()
  const [token, MINT, OWNER]: readonly [Hex, Hex, Hex] = [at('token'), '0x40c10f19', toWord(5)]
  const asked = encodeFunctionData({ abi: MANAGER, functionName: 'getTargetFunctionRole', args: [token, MINT] })
  const manager = world.add('manager', {
    calls: { adminRole: 0, publicRole: (1n << 64n) - 1n },
    manager: {
      0: [{ account: world.safe('council', 2, [at('a'), at('b'), at('c')]), delay: 259_200 }],
      5: [{ account: at('minter'), delay: 0 }],
    },
    more: { [callKey(asked)]: toWord(5) },
  })
  const guard = { type: 'slot', slot: OWNER, shift: 0 } as const
  const mint = { selector: MINT, effect: 'mint', evidence: 'code', guards: [guard] } as const
  world.add('token', {
    code: { powers: { ...NO_POWERS, powers: [mint] } },
    more: { [slotKey(OWNER)]: toWord(manager) },
  })
  const { tone, powers } = world.profile(token)
  assert.deepEqual([tone, powers?.[0]?.label], ['red', 'single_key'])
})

test('powers whose new holder cannot be read stay for an hour, marked stale', () => {
  const world = new SampleWorld()
  const slot = toWord(5)
  const guard = { type: 'slot', slot, shift: 0 } as const
  const mint = { selector: '0x40c10f19', effect: 'mint', evidence: 'code', guards: [guard] } as const
  const heldBy = (owner: Hex): Hex =>
    world.add('token', {
      code: { powers: { ...NO_POWERS, powers: [mint] } },
      more: { [slotKey(slot)]: toWord(owner) },
    })
  const previous = world.profile(heldBy(world.safe('council', 2, [at('a'), at('b'), at('c')])))
  assert.deepEqual([previous.tone, previous.stale], ['amber', false])
  const slow = world.add('slow', { calls: { owner: 0 } })
  const state = world.state(slow)
  assert.ok(state)
  world.replace({ ...state, calls: { ...state.calls, owner: unread('execution aborted') } })
  const token = heldBy(slow)
  const [soon, later] = [world.profile(token, previous), world.profile(token, previous, true)]
  assert.deepEqual([soon.label, soon.tone, soon.stale], ['immutable', 'amber', true])
  assert.match(reasonTexts(soon.reasons).at(-1) ?? '', /could not be read \(execution aborted\)/)
  assert.deepEqual([later.label, later.tone, later.stale], ['immutable', 'grey', true])
})

test('funds that one account sends to another are held by the stronger of both', () => {
  const world = new SampleWorld()
  const [caller, recipient] = [toWord(5), toWord(6)]
  const inSlot = (slot: Hex) => ({ type: 'slot', slot, shift: 0 }) as const
  const move = { selector: '0xaaaaaaaa', effect: 'move_funds', evidence: 'code' } as const
  const powers = [{ ...move, guards: [inSlot(caller)], recipients: [inSlot(recipient)] }]
  const council = world.safe('council', 2, [at('a'), at('b'), at('c')])
  const toneOf = (name: string, sender: Hex, to: Hex): string =>
    world.profile(
      world.add(name, {
        code: { powers: { ...NO_POWERS, powers } },
        more: { [slotKey(caller)]: toWord(sender), [slotKey(recipient)]: toWord(to) },
      }),
    ).tone
  assert.equal(toneOf('both keys', at('key'), at('other key')), 'red')
  assert.equal(toneOf('to a council', at('key'), council), 'amber')
  assert.equal(toneOf('by a council', council, at('key')), 'amber')
})
