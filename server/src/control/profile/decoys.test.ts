/** Setups that show one controller and obey another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import {
  behind,
  type Case,
  council,
  eoa,
  HIDDEN,
  locked,
  signers,
  testCases,
  ZERO,
} from '../../../../testing/evm/sample-cases.ts'
import {
  addresses,
  at,
  type Described,
  FORWARDER,
  SAFE_PROXY,
  SampleWorld,
  safeProxy,
  TRANSPARENT,
} from '../../../../testing/evm/sample-world.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import type { Effect } from '../code/effects.ts'
import { toWord } from './abi-values.ts'
import type { CodeFacts } from './code-facts.ts'
import { type Profile, profileOf } from './profile.ts'
import { DEFAULT_ADMIN, EXECUTOR, roleNamed } from './roles.ts'
import { UNPRIVILEGED_CALLER } from './simulated-calls.ts'
import { SLOTS } from './slots.ts'
import { type ContractState, callKey, malformed, refKey, slotKey, unread, value } from './state.ts'

const STORE: Effect = { kind: 'store', at: 1, position: { type: 'slot', slot: SLOTS.slot0 }, conditions: [] }
const FROM_POINTER = { from: 'slot', slot: SLOTS.implementation } as const
/** A proxy whose admin slot names the timelock. */
const shown = (w: SampleWorld, code: Partial<CodeFacts>, logic: Described = {}, more: Described = {}): Hex =>
  w.add('target', {
    ...more,
    code: { ...TRANSPARENT, ...code },
    slots: { implementation: w.add('logic', logic), admin: locked(w) },
  })
const beaconProxy = (w: SampleWorld, beacon: Hex, code: Partial<CodeFacts> = {}): Hex =>
  w.add('target', {
    code: { delegates: [{ from: 'answer', by: SLOTS.beacon }], delegating: true, callsOut: true, ...code },
    slots: { beacon },
  })
const BEACON: Partial<CodeFacts> = { selectors: new Set<Hex>(['0x3659cfe6']), writes: [toWord(1)] }

const MANAGER = parseAbi([
  'function getTargetFunctionRole(address,bytes4) view returns (uint64)',
  'function getRoleAdmin(uint64) view returns (uint64)',
])
const manager = (w: SampleWorld, target: Hex, selector: Hex, described: Described['manager']): Hex => {
  const asked = encodeFunctionData({ abi: MANAGER, functionName: 'getTargetFunctionRole', args: [target, selector] })
  const above = encodeFunctionData({ abi: MANAGER, functionName: 'getRoleAdmin', args: [5n] })
  return w.add('manager', {
    calls: { adminRole: 0, publicRole: 2n ** 64n - 1n },
    ...(described === undefined ? {} : { manager: described }),
    more: { [callKey(asked)]: toWord(5), [callKey(above)]: toWord(7) },
  })
}

/** Arbitrum's UpgradeExecutor, as its getters describe it. */
const executor = (
  w: SampleWorld,
  calls: Described['calls'],
  roles: NonNullable<Described['roles']>,
  rolesComplete = true,
): Hex =>
  w.add('x', {
    calls: { adminRole: roleNamed('ADMIN_ROLE'), executorRole: EXECUTOR, hasRole: 0, ...calls },
    roles,
    rolesComplete,
  })

const CASES: readonly Case[] = [
  {
    setup: 'a decoy admin of a proxy that only forwards, and logic that writes the pointer',
    build: (w) => shown(w, FORWARDER, { code: { writes: [SLOTS.implementation] } }),
    label: 'unknown',
    reason: /can write the pointer/,
  },
  { setup: 'an admin that the proxy checks', build: (w) => shown(w, {}), label: 'timelocked' },
  {
    setup: 'an admin, and a key in another slot of the proxy',
    build: (w) => shown(w, { senderSlots: [SLOTS.admin, HIDDEN] }, {}, { more: { [slotKey(HIDDEN)]: toWord(eoa) } }),
    label: 'single_key',
    reason: /Address in slot 99 is .* an EOA/,
  },
  {
    setup: 'an admin that the code of the proxy does not check',
    build: (w) => shown(w, { senderSlots: [] }),
    label: 'unknown',
    reason: /does not check the admin/,
  },
  {
    setup: 'a proxy that looks up in a table who may upgrade',
    build: (w) => shown(w, { looksUpSender: true }),
    label: 'unknown',
    reason: /reads from a table/,
  },
  {
    setup: 'decoy slots, and code that delegates to what another contract names',
    build: (w) => shown(w, { delegates: [FROM_POINTER, { from: 'anything' }] }),
    label: 'unknown',
    reason: /not in its known slots/,
  },
  {
    setup: 'decoy slots, and code that delegates to what its caller names',
    build: (w) => shown(w, { delegates: [FROM_POINTER, { from: 'input' }] }),
    label: 'unknown',
  },
  {
    setup: 'code that delegates to what its caller names while another slot is empty',
    build: (w) => shown(w, { delegates: [FROM_POINTER, { from: 'input', unless: SLOTS.slot0 }] }),
    label: 'unknown',
  },
  {
    setup: 'code that delegates to what its caller names while the pointer is empty, which it is not',
    build: (w) => shown(w, { delegates: [FROM_POINTER, { from: 'input', unless: SLOTS.implementation }] }),
    label: 'timelocked',
  },
  {
    setup: 'a proxy whose logic has its own table of code',
    build: (w) => shown(w, {}, { code: { delegates: [{ from: 'mapping' }], delegating: true } }),
    label: 'unknown',
    reason: /can write the pointer/,
  },
  {
    setup: 'a proxy whose logic is a delegator with its own slot',
    build: (w) => shown(w, {}, { code: { delegates: [{ from: 'slot', slot: SLOTS.slot2 }], delegating: true } }),
    label: 'unknown',
  },
  {
    setup: 'a frozen proxy whose logic lends its storage to a library that moves the pointer',
    build: (w) => {
      const library = w.add('library', { code: { writes: [SLOTS.implementation] } })
      const logic = w.add('logic', { code: { delegates: [{ from: 'fixed', address: library }], delegating: true } })
      return w.add('target', { code: FORWARDER, slots: { implementation: logic } })
    },
    label: 'unknown',
  },
  {
    setup: 'a frozen proxy whose logic runs what its caller names',
    build: (w) => {
      const logic = w.add('logic', { code: { delegates: [{ from: 'input' }], delegating: true } })
      return w.add('target', { code: FORWARDER, slots: { implementation: logic } })
    },
    label: 'unknown',
  },
  {
    setup: 'a clone of code that could not be followed',
    build: (w) =>
      w.add('target', { code: { cloneOf: w.add('logic', { code: { settled: false, delegating: true } }) } }),
    label: 'unknown',
  },
  {
    setup: 'a clone of code that runs what its caller names',
    build: (w) => {
      const logic = w.add('logic', { code: { delegates: [{ from: 'input' }], delegating: true } })
      return w.add('target', { code: { cloneOf: logic } })
    },
    label: 'unknown',
  },
  {
    setup: 'code that runs fixed code, which runs what stands in a slot',
    build: (w) => {
      const code: Partial<CodeFacts> = { delegates: [{ from: 'slot', slot: HIDDEN }], delegating: true }
      const address = w.add('middle', { code })
      return w.add('target', { code: { delegates: [{ from: 'fixed', address }], delegating: true } })
    },
    label: 'unknown',
  },
  {
    setup: 'code that runs fixed code where none is yet',
    build: (w) =>
      w.add('target', { code: { delegates: [{ from: 'fixed', address: at('nothing') }], delegating: true } }),
    label: 'unknown',
  },
  {
    setup: 'an owner that the upgrade does not check',
    build: (w) => w.uups('target', { owner: locked(w) }, { allows: () => false }),
    label: 'unknown',
    reason: /no account that it names can upgrade it/,
  },
  {
    setup: 'an owner that renounced and was never checked',
    build: (w) => w.uups('target', { owner: ZERO }, { allows: () => false }),
    label: 'unknown',
  },
  {
    setup: 'one key that was offered the contract and may take it',
    build: (w) => {
      const owner = locked(w)
      const allows: Described['allows'] = (from, data) => (data === '0x79ba5097' ? from === eoa : from === owner)
      return w.uups('target', { owner, pendingOwner: eoa }, { allows })
    },
    label: 'single_key',
    reason: /UUPS pending owner is .* an EOA/,
  },
  {
    setup: 'one key that was offered the contract and may not take it yet',
    build: (w) => w.uups('target', { owner: locked(w), pendingOwner: eoa }),
    label: 'timelocked',
  },
  {
    setup: 'an owner that renounced, and one key as pending owner',
    build: (w) => w.uups('target', { owner: ZERO, pendingOwner: eoa }, { allows: (from) => from === eoa }),
    label: 'single_key',
  },
  {
    setup: 'an authority that one key leads',
    build: (w) => w.uups('target', { owner: locked(w), authority: w.add('authority', { calls: { owner: eoa } }) }),
    label: 'single_key',
  },
  {
    setup: 'an authority that decides whom to let pass',
    build: (w) => {
      const code = { selectors: new Set<Hex>(['0xb7009613']) }
      return w.uups('target', {
        owner: locked(w),
        authority: w.add('authority', { code, calls: { owner: locked(w) } }),
      })
    },
    label: 'unknown',
    reason: /Further accounts that .* permits are not read/,
  },
  {
    setup: 'one key that may grant the role that may upgrade',
    build: (w) => {
      const [gardener, keeper] = [roleNamed('GARDENER_ROLE'), roleNamed('KEEPER_ROLE')]
      const lock = locked(w)
      const roles = { [DEFAULT_ADMIN]: [lock], [gardener]: [lock], [keeper]: [eoa] }
      return w.uups(
        'target',
        { hasRole: 0 },
        { roles, roleAdmins: { [gardener]: keeper }, allows: (from) => from === lock },
      )
    },
    label: 'single_key',
  },
  {
    setup: 'one key that may grant a role, where the role that may upgrade is not known',
    build: (w) => {
      const [gardener, keeper] = [roleNamed('GARDENER_ROLE'), roleNamed('KEEPER_ROLE')]
      const roles = { [DEFAULT_ADMIN]: [locked(w)], [gardener]: [], [keeper]: [eoa] }
      return w.uups('target', { hasRole: 0 }, { roles, roleAdmins: { [gardener]: keeper } })
    },
    label: 'unknown',
    reason: /no account that it names can upgrade it/,
  },
  {
    setup: 'roles of a timelock, and an upgrade that checks something else',
    build: (w) => w.uups('target', { hasRole: 0 }, { roles: { [DEFAULT_ADMIN]: [locked(w)] }, allows: () => false }),
    label: 'unknown',
    reason: /no account that it names can upgrade it/,
  },
  {
    setup: 'a timelock as ward, and an upgrade that checks something else',
    build: (w) => w.uups('target', { wards: 0 }, { wards: [locked(w)], allows: () => false }),
    label: 'unknown',
    reason: /no account that it names can upgrade it/,
  },
  {
    setup: 'an executor that names an owner of one key',
    build: (w) => behind(w, executor(w, { owner: eoa }, { [EXECUTOR]: [locked(w)] })),
    label: 'single_key',
    reason: /The owner of executor 0x\w+ is .* an EOA/,
  },
  {
    setup: 'an executor with a role of one key besides its executor role',
    build: (w) => behind(w, executor(w, {}, { [EXECUTOR]: [locked(w)], [roleNamed('ADMIN_ROLE')]: [eoa] })),
    label: 'single_key',
    reason: /ADMIN_ROLE member is .* an EOA/,
  },
  {
    setup: 'an executor whose roles are not all known',
    build: (w) => behind(w, executor(w, {}, { [EXECUTOR]: [locked(w)], [DEFAULT_ADMIN]: [] }, false)),
    label: 'unknown',
  },
  {
    setup: 'an executor of a timelock alone',
    build: (w) =>
      behind(
        w,
        executor(w, {}, { [EXECUTOR]: [locked(w)], [DEFAULT_ADMIN]: [], [roleNamed('ADMIN_ROLE')]: [at('x')] }),
      ),
    label: 'timelocked',
  },
  {
    setup: 'a ProxyAdmin that obeys a key in its storage',
    build: (w) => {
      const admin = w.add('admin', {
        calls: { owner: locked(w) },
        code: { selectors: new Set<Hex>(['0x9623609d']), senderSlots: [HIDDEN] },
        more: { [slotKey(HIDDEN)]: toWord(eoa) },
        allows: (from) => from === eoa,
      })
      return w.transparent('target', admin)
    },
    label: 'single_key',
  },
  {
    setup: 'a ProxyAdmin that obeys anyone',
    build: (w) => {
      const code = { selectors: new Set<Hex>(['0x9623609d']) }
      return w.transparent('target', w.add('admin', { calls: { owner: locked(w) }, code, allows: () => true }))
    },
    label: 'single_key',
    reason: new RegExp(`open to anyone; one example is ${UNPRIVILEGED_CALLER}`),
  },
  {
    setup: 'a ProxyAdmin that does not obey its owner',
    build: (w) => {
      const code = { selectors: new Set<Hex>(['0x9623609d']) }
      return w.transparent('target', w.add('admin', { calls: { owner: locked(w) }, code }))
    },
    label: 'unknown',
    reason: /refuses an upgrade from the owner it names/,
  },
  {
    setup: 'a beacon that a role of one key controls, next to renounced roles',
    build: (w) =>
      beaconProxy(
        w,
        w.add('beacon', {
          code: BEACON,
          calls: { implementation: w.add('logic', {}), hasRole: 0 },
          roles: { [DEFAULT_ADMIN]: [], [roleNamed('GARDENER_ROLE')]: [eoa] },
          allows: (from) => from === eoa,
        }),
      ),
    label: 'single_key',
  },
  {
    setup: 'a beacon that obeys another than its owner',
    build: (w) =>
      beaconProxy(
        w,
        w.add('beacon', { code: BEACON, calls: { implementation: w.add('logic', {}), owner: locked(w) } }),
      ),
    label: 'unknown',
    reason: /no account that the beacon names can change it/,
  },
  {
    setup: 'a beacon without an owner that calls another contract',
    build: (w) =>
      beaconProxy(w, w.add('beacon', { code: { callsOut: true }, calls: { implementation: w.add('logic', {}) } })),
    label: 'unknown',
  },
  {
    setup: 'a beacon in the slot, and another in the code',
    build: (w) => {
      const beacon = w.add('beacon', { calls: { implementation: w.add('logic', {}), owner: locked(w) } })
      return beaconProxy(w, beacon, { delegates: [{ from: 'answer', by: at('another beacon') }] })
    },
    label: 'unknown',
    reason: /does not take its logic from the beacon/,
  },
  {
    setup: 'a Safe proxy with an added function that replaces the singleton',
    build: (w) => w.safe('target', 3, signers(5), { code: safeProxy(SLOTS.slot0, STORE) }),
    label: 'unknown',
    reason: /unofficial singleton/,
  },
  {
    setup: 'a Safe proxy that may destroy itself',
    build: (w) => {
      const code = safeProxy(SLOTS.slot0, { kind: 'selfdestruct', at: 1, conditions: [] })
      return w.safe('target', 3, signers(5), { code })
    },
    label: 'unknown',
    reason: /unofficial singleton/,
  },
  {
    setup: 'a Safe proxy that answers in place of the singleton',
    build: (w) => {
      const { effects } = SAFE_PROXY
      const answers = [...(effects?.answers ?? []), { is: { type: 'unknown' } } as const]
      return w.safe('target', 3, signers(5), {
        code: { ...SAFE_PROXY, ...(effects && { effects: { ...effects, answers } }) },
      })
    },
    label: 'unknown',
    reason: /unofficial singleton/,
  },
  {
    setup: 'a Safe proxy with an added function that calls',
    build: (w) => w.safe('target', 3, signers(5), { code: { ...SAFE_PROXY, callsOut: true } }),
    label: 'unknown',
  },
  {
    setup: 'a Safe that needs more signatures than it has owners',
    build: (w) => w.safe('target', 3, signers(2)),
    label: 'unknown',
    reason: /beyond the number of its owners/,
  },
  {
    setup: 'a Safe that hands on to its ProxyAdmin whatever anyone sends it',
    build: (w) => behind(w, w.safe('safe', 3, signers(5), { slots: { safeFallbackHandler: at('admin') } })),
    label: 'single_key',
    reason: /any account can call the handler as this Safe/,
  },
  {
    setup: 'a Safe whose owners are one key and a contract of that key',
    build: (w) => w.safe('target', 2, [eoa, w.add('wallet', { calls: { owner: eoa } })]),
    label: 'single_key',
    reason: /One key signs for all/,
  },
  {
    setup: 'a Safe whose owners are one key and a Safe with a module of that key',
    build: (w) => {
      const module = w.add('module', { calls: { owner: eoa } })
      return w.safe('target', 2, [eoa, w.safe('other', 3, signers(5), {}, [module])])
    },
    label: 'single_key',
  },
  {
    setup: 'a multisig that one key can replace',
    build: (w) =>
      w.add('target', {
        code: TRANSPARENT,
        slots: { implementation: w.add('logic', {}), admin: eoa },
        calls: { required: 3, getOwners: addresses(signers(5)) },
      }),
    label: 'single_key',
  },
  {
    setup: 'a multisig that one key owns',
    build: (w) => behind(w, w.add('multi', { calls: { required: 3, getOwners: addresses(signers(5)), owner: eoa } })),
    label: 'single_key',
  },
  {
    setup: 'a timelock with a role that need not wait',
    build: (w) =>
      behind(w, w.timelock('lock', 172_800, [council(w)], { roles: { [roleNamed('BYPASSER_ROLE')]: [eoa] } })),
    label: 'single_key',
    reason: /BYPASSER_ROLE member is/,
  },
  {
    setup: 'a timelock whose proposer can set the delay at will',
    build: (w) => {
      const safe = council(w)
      const code = { selectors: new Set<Hex>(['0x64d62353']) }
      return behind(w, w.timelock('lock', 172_800, [safe], { code, allows: (from) => from === safe }))
    },
    label: 'multisig',
    reason: /delays nothing/,
  },
  {
    setup: 'a Compound timelock that one key was offered',
    build: (w) =>
      behind(
        w,
        w.add('lock', {
          calls: { delay: 172_800, gracePeriod: 1_209_600, admin: council(w), pendingAdmin: eoa },
          allows: (from, data) => from === eoa && data === '0x0e18b681',
        }),
      ),
    label: 'single_key',
    reason: /pending admin of timelock/,
  },
  {
    setup: 'a Compound timelock that names an owner too',
    build: (w) =>
      behind(w, w.add('lock', { calls: { delay: 172_800, gracePeriod: 1_209_600, admin: council(w), owner: eoa } })),
    label: 'single_key',
  },
  {
    setup: 'a manager in which one key may grant the role that may upgrade',
    build: (w) => {
      const members = {
        '0': [{ account: council(w), delay: 259_200 }],
        '5': [{ account: council(w), delay: 259_200 }],
        '7': [{ account: eoa, delay: 0 }],
      }
      return w.uups('target', { authority: manager(w, at('target'), '0x4f1ef286', members) })
    },
    label: 'single_key',
    reason: /role 7 member, who may grant role 5, is/,
  },
  {
    setup: 'a ProxyAdmin of a manager that permits one key',
    build: (w) => {
      const members = { '0': [{ account: council(w), delay: 259_200 }], '5': [{ account: eoa, delay: 0 }] }
      return behind(w, manager(w, at('admin'), '0x9623609d', members))
    },
    label: 'single_key',
    reason: /AccessManager role 5 member is/,
  },
  {
    setup: 'a payload queue that one key owns',
    build: (w) => {
      const payloadsExecutor: Hex = `0x${toWord(at('executor')).slice(2)}${toWord(86_400).slice(2)}`
      return behind(w, w.add('payloads', { calls: { payloadsExecutor, owner: eoa } }))
    },
    label: 'single_key',
  },
  {
    setup: 'a controller whose owner left, and whose roles one key gives',
    build: (w) =>
      w.transparent(
        'target',
        w.add('thing', { calls: { owner: ZERO, hasRole: 0 }, roles: { [DEFAULT_ADMIN]: [eoa] } }),
      ),
    label: 'single_key',
  },
  {
    setup: 'a controller whose owner left, and that obeys a key in its storage',
    build: (w) =>
      w.transparent(
        'target',
        w.add('thing', {
          code: { senderSlots: [HIDDEN] },
          calls: { owner: ZERO },
          more: { [slotKey(HIDDEN)]: toWord(eoa) },
        }),
      ),
    label: 'single_key',
  },
  {
    setup: 'a vote without a quorum, over a timelock that one key can replace',
    build: (w) => {
      const lock = w.timelock('lock', 172_800, [at('governor')], {
        code: TRANSPARENT,
        slots: { implementation: w.add('lock logic', {}), admin: eoa },
      })
      const calls = { votingDelay: 1, votingPeriod: 100, timelock: lock, quorumNumerator: 0 }
      return behind(w, w.add('governor', { calls }))
    },
    label: 'unknown',
    reason: /voting delay 1 block, voting period 100 blocks, quorum 0 %[^]*need no quorum/,
  },
  {
    setup: 'a vote that lasts for one block, without a timelock',
    build: (w) => behind(w, w.add('governor', { calls: { votingDelay: 1, votingPeriod: 1, quorumNumerator: 4 } })),
    label: 'unknown',
    reason: /end so soon/,
  },
  {
    setup: 'a vote without a quorum, behind a timelock of its own',
    build: (w) => {
      const lock = w.timelock('lock', 172_800, [at('governor')])
      return behind(
        w,
        w.add('governor', { calls: { votingDelay: 1, votingPeriod: 100, timelock: lock, quorumNumerator: 0 } }),
      )
    },
    label: 'timelocked',
    reason: /need no quorum/,
  },
  {
    setup: 'wards, one of whom is one key',
    build: (w) => w.uups('target', { wards: 0 }, { wards: [locked(w), eoa] }),
    label: 'single_key',
    reason: /UUPS ward is .* an EOA/,
  },
  {
    setup: 'a timelock as the only ward',
    build: (w) => w.uups('target', { wards: 0 }, { wards: [locked(w)], allows: (from) => from === at('lock') }),
    label: 'timelocked',
  },
  {
    setup: 'an Aragon app as admin',
    build: (w) => behind(w, w.add('agent', { calls: { kernel: at('kernel'), appId: toWord(7) } })),
    label: 'unknown',
    reason: /Aragon app .* access lists of kernel/,
  },
  {
    setup: 'an Aragon app itself',
    build: (w) =>
      w.add('target', {
        code: { delegates: [{ from: 'anything' }], delegating: true },
        calls: { kernel: at('kernel'), appId: toWord(7) },
      }),
    label: 'unknown',
    reason: /Aragon app of kernel/,
  },
  {
    setup: "Lido's timelock as admin, which shows an owner",
    build: (w) => {
      const code = { selectors: new Set<Hex>(['0x6608e2e2']) }
      return behind(w, w.add('lido', { code, calls: { getGovernance: at('governance'), owner: locked(w) } }))
    },
    label: 'unknown',
    reason: /Lido timelock .* submits/,
  },
  { setup: 'a contract that owns itself', build: (w) => w.uups('target', { owner: at('target') }), label: 'unknown' },
]

testCases(CASES)

test('a weaker path that was read decides the label, though another could not be read', () => {
  const world = new SampleWorld()
  const roles = (weaker: boolean): Described => ({
    roles: {
      [DEFAULT_ADMIN]: [locked(world)],
      [roleNamed('UPGRADER_ROLE')]: [weaker ? council(world) : locked(world)],
    },
    allows: (from) => from === (weaker ? council(world) : locked(world)),
  })
  const previous = world.profile(world.uups('target', { hasRole: 0 }, roles(false)))
  assert.equal(previous.label, 'timelocked')
  const target = world.uups('target', { hasRole: 0 }, roles(true))
  const state = world.state(at('lock'))
  assert.ok(state)
  world.replace({ ...state, calls: { ...state.calls, getMinDelay: unread('timeout') } })
  const now = world.profile(target, previous)
  assert.deepEqual([now.label, now.tone, now.stale], ['multisig', 'amber', true])
})

test('a manager with invalid results is unknown, whatever the last profile was', () => {
  const target = at('target')
  const roleOf = encodeFunctionData({
    abi: MANAGER,
    functionName: 'getTargetFunctionRole',
    args: [target, '0x4f1ef286'],
  })
  const adminOf = encodeFunctionData({ abi: MANAGER, functionName: 'getRoleAdmin', args: [5n] })
  const tries: readonly Readonly<Record<string, Hex>>[] = [
    { [callKey(roleOf)]: toWord(2n ** 64n) },
    { [callKey(roleOf)]: '0x05' },
    { [callKey(roleOf)]: toWord(5), [callKey(adminOf)]: toWord(2n ** 64n) },
  ]
  for (const more of tries) {
    const world = new SampleWorld()
    const members = { '0': [{ account: council(world), delay: 259_200 }] }
    world.uups('target', { authority: manager(world, target, '0x4f1ef286', members) })
    const previous = world.profile(target)
    assert.equal(previous.label, 'timelocked')
    world.add('manager', { calls: { adminRole: 0, publicRole: 2n ** 64n - 1n }, manager: members, more })
    const now = world.profile(target, previous)
    assert.deepEqual([now.label, now.stale], ['unknown', false])
    assert.match(reasonTexts(now.reasons).join('\n'), /returns an invalid result/)
  }
})

test('logic without role events loses the label, and a failed read keeps it', () => {
  const world = new SampleWorld()
  const previous = world.profile(world.uups('target', { owner: locked(world) }))
  assert.equal(previous.label, 'timelocked')
  const target = world.uups('target', { owner: eoa, hasRole: 0 })
  const state = world.state(target)
  assert.ok(state)
  const listed = { roles: new Map(), complete: false }
  const lookWith = (roles: typeof state.roles): Profile => {
    world.replace({ ...state, ...(roles === undefined ? {} : { roles }) })
    return world.profile(target, previous)
  }
  for (const roles of [malformed({ code: 'roles_without_events' }), value({ ...listed, hasNoGrants: true })]) {
    const now = lookWith(roles)
    assert.deepEqual([now.label, now.stale], ['unknown', false])
  }
  for (const roles of [unread('timeout'), value({ ...listed, hasNoGrants: false })]) {
    const now = lookWith(roles)
    assert.deepEqual([now.label, now.stale], ['timelocked', true])
  }
})

test('reads that a contract may make fail keep a label for an hour, those of the node for longer', () => {
  const world = new SampleWorld()
  const target = world.uups('target', { owner: locked(world) })
  const previous = world.profile(target)
  assert.equal(previous.label, 'timelocked')
  const slow = world.add('slow', { calls: { owner: 0 } })
  world.uups('target', { owner: slow })
  const failing = (address: Hex, unreadOf: (state: ContractState) => Partial<ContractState>): SampleWorld => {
    const broken = world.clone()
    const state = broken.state(address)
    assert.ok(state)
    broken.replace({ ...state, ...unreadOf(state) })
    return broken
  }
  const byContract = failing(slow, ({ calls }) => ({ calls: { ...calls, owner: unread('execution aborted') } }))
  const byNode = failing(target, ({ slots }) => ({ slots: { ...slots, implementation: unread('timeout') } }))
  const outcome = (of: SampleWorld, isOverdue: boolean): readonly unknown[] => {
    const { label, stale } = of.profile(target, previous, isOverdue)
    return [label, stale]
  }
  assert.deepEqual(outcome(byContract, false), ['timelocked', true])
  assert.deepEqual(outcome(byContract, true), ['unknown', true])
  assert.deepEqual(outcome(byNode, false), ['timelocked', true])
  assert.deepEqual(outcome(byNode, true), ['timelocked', true])
})

test('an unexpected error makes the account unknown, is reported, and keeps no label', () => {
  const world = new SampleWorld()
  const target = behind(world, locked(world))
  const previous = world.profile(target)
  assert.equal(previous.label, 'timelocked')
  const state = world.state(at('lock'))
  assert.ok(state)
  world.replace({ ...state, slots: undefined as never })
  const now = world.profile(target, previous)
  assert.deepEqual([now.label, now.stale], ['unknown', false])
  assert.match(reasonTexts(now.reasons).join('\n'), /could not be judged/)
  const graph = new Map(world.states.map((each) => [refKey(each), each]))
  const { faults } = profileOf({ graph, target: { chainId: 1, address: target } })
  assert.deepEqual([faults.length, faults[0]?.ref.address], [1, at('lock')])
})
