/** The oracle: setups and the label and reason each must get, on hand-made states. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Hex } from 'viem'
import {
  addresses,
  at,
  FORWARDER,
  SampleWorld,
  TRANSPARENT,
  UUPS,
  withOneFault,
} from '../../../../testing/evm/sample-world.ts'
import type { Label } from '../../../../vocabulary/labels.ts'
import { reasonTexts } from '../../../../vocabulary/reasons.ts'
import { aliasOf } from '../chains/chains.ts'
import { toWord } from './abi-values.ts'
import { isStronger } from './control-node.ts'
import { type Profile, unprofiled } from './profile.ts'
import { EXECUTOR, roleNamed } from './roles.ts'
import { SLOTS } from './slots.ts'
import { callKey, unread } from './state.ts'

const ZERO: Hex = '0x0000000000000000000000000000000000000000'
const DEAD: Hex = '0x000000000000000000000000000000000000dead'
const DEFAULT_ADMIN: Hex = `0x${'0'.repeat(64)}`
const eoa = at('a key')
const signers = (count: number, team = 'team'): readonly Hex[] =>
  Array.from({ length: count }, (_, n) => at(`${team} ${n}`))

const ZOS = {
  delegates: [{ from: 'slot', slot: SLOTS.zosImplementation }],
  delegating: true,
  writes: [SLOTS.zosImplementation, SLOTS.zosAdmin],
  senderSlots: [SLOTS.zosAdmin],
} as const

/** Wormhole's core bridge: guardians sign upgrades. */
const wormhole = (world: SampleWorld, hasUpgrade: boolean) => {
  const writes = [SLOTS.implementation]
  const selectors = new Set<Hex>(hasUpgrade ? ['0x5cb8cae2'] : [])
  const implementation = world.add('core logic', { code: { writes, selectors } })
  const set = addresses(signers(19)).slice(2)
  const answer: Hex = `0x${toWord(32).slice(2)}${toWord(64).slice(2)}${toWord(0).slice(2)}${set.slice(64)}`
  return world.add('target', {
    code: FORWARDER,
    slots: { implementation },
    calls: { guardianSetIndex: 4 },
    more: { [callKey(`0xf951975a${toWord(4).slice(2)}`)]: answer },
  })
}

type Row = {
  readonly row: string
  readonly build: (world: SampleWorld) => Hex
  readonly label: Label
  readonly reason: readonly RegExp[]
  readonly chainId?: number
}

const behindAdmin = (build: (world: SampleWorld) => Hex) => (world: SampleWorld) =>
  world.transparent('target', world.proxyAdmin('admin', build(world)))
const safe35 = (world: SampleWorld) => world.safe('safe', 3, signers(5))
const lockedSafe = (world: SampleWorld, delay: number, more = {}) =>
  world.timelock('timelock', delay, [world.safe('council', 4, signers(7))], more)
const bravo = (world: SampleWorld, admin: Hex) =>
  world.add('bravo', { calls: { votingDelay: 1, votingPeriod: 100, timelock: admin, admin } })
const compound = (world: SampleWorld, admin: Hex) =>
  world.add('compound', { calls: { delay: 172_800, gracePeriod: 1_209_600, admin } })
const managed = (world: SampleWorld, delay: number) => {
  const authority = world.add('manager', {
    calls: { adminRole: 0, publicRole: 2n ** 64n - 1n },
    manager: { '0': [{ account: safe35(world), delay }] },
  })
  return world.uups('target', { authority })
}

const ROWS: readonly Row[] = [
  { row: '1 plain code', build: (w) => w.add('target', {}), label: 'immutable', reason: [/not a proxy/] },
  {
    row: '2 no proxy, owner is an EOA',
    build: (w) => w.add('target', { calls: { owner: eoa, paused: 0 } }),
    label: 'immutable',
    reason: [/not upgradeable/, /owner keeps admin functions: 0x.*/],
  },
  {
    row: '3 transparent, admin slot is an EOA',
    build: (w) => w.transparent('target', eoa),
    label: 'single_key',
    reason: [/Proxy admin is 0x.*an EOA/],
  },
  {
    row: '4 ProxyAdmin owned by an EOA',
    build: behindAdmin(() => eoa),
    label: 'single_key',
    reason: [/The owner of ProxyAdmin 0x\w+ is 0x\w+, an EOA/],
  },
  {
    row: '5 owner is an EIP-7702 account',
    build: behindAdmin((w) => w.add('seven', { code: { delegatedTo: at('wallet') } })),
    label: 'single_key',
    reason: [/EIP-7702 account .* still one key/],
  },
  { row: '6 Safe 3 of 5', build: behindAdmin(safe35), label: 'multisig', reason: [/3 of 5/, /no delay/] },
  {
    row: '7 Safe 1 of 5',
    build: behindAdmin((w) => w.safe('safe', 1, signers(5))),
    label: 'single_key',
    reason: [/threshold is 1/],
  },
  {
    row: '9 Safe of two Safes',
    build: behindAdmin((w) =>
      w.safe('both', 2, [w.safe('first', 5, signers(7, 'first')), w.safe('second', 10, signers(13, 'second'))]),
    ),
    label: 'multisig',
    reason: [/two nested Safes \(5 of 7, 10 of 13\); 15 keys/],
  },
  {
    row: '11 timelock 48 h, proposer Safe 4 of 7',
    build: behindAdmin((w) => lockedSafe(w, 172_800)),
    label: 'timelocked',
    reason: [/48 h/, /4 of 7/],
  },
  {
    row: '12 timelock of a day',
    build: behindAdmin((w) => lockedSafe(w, 86_400)),
    label: 'timelocked',
    reason: [/exactly 24 h/],
  },
  {
    row: '13 a second less',
    build: behindAdmin((w) => lockedSafe(w, 86_399)),
    label: 'short_timelock',
    reason: [/under 24 h/],
  },
  { row: '14 no delay', build: behindAdmin((w) => lockedSafe(w, 0)), label: 'multisig', reason: [/delay is zero/] },
  {
    row: '16 proposer is an EOA',
    build: behindAdmin((w) => w.timelock('timelock', 172_800, [eoa])),
    label: 'single_key',
    reason: [/48 h/, /Proposer is .* an EOA/, /does not replace a second signer/],
  },
  {
    row: '18 open executor',
    build: behindAdmin((w) => lockedSafe(w, 172_800, { roles: { [EXECUTOR]: [ZERO] } })),
    label: 'timelocked',
    reason: [/[Aa]nyone may execute after the delay/],
  },
  {
    row: '20 Compound timelock, GovernorBravo',
    build: behindAdmin((w) => compound(w, bravo(w, at('compound')))),
    label: 'timelocked',
    reason: [/token vote/, /48 h \(2 d\)/],
  },
  {
    row: '21 Compound timelock, admin is an EOA',
    build: behindAdmin((w) => compound(w, eoa)),
    label: 'single_key',
    reason: [/The admin of timelock 0x\w+ is .* an EOA/],
  },
  {
    row: '24 Aave pool',
    build: (w) => {
      const payloads = w.add('payloads', {
        calls: { payloadsExecutor: `0x${toWord(at('executor')).slice(2)}${toWord(86_400).slice(2)}` },
      })
      const provider = w.add('provider', { calls: { owner: w.add('executor', { calls: { owner: payloads } }) } })
      const code = { ...FORWARDER, writes: [SLOTS.implementation], senders: [provider] }
      return w.add('target', { code, slots: { implementation: w.add('logic', {}) } })
    },
    label: 'unknown',
    reason: [/payload delay of 24 h \(1 d\)/],
  },
  {
    row: '25 the proxy can be upgraded by an admin that cannot be read',
    build: (w) =>
      w.add('target', {
        code: { ...TRANSPARENT, senderSlots: [toWord(99)] },
        slots: { implementation: w.add('logic', {}) },
      }),
    label: 'unknown',
    reason: [/admin is not readable/],
  },
  {
    row: 'the proxy cannot be upgraded by anyone',
    build: (w) => w.add('target', { code: FORWARDER, slots: { implementation: w.add('logic', {}) } }),
    label: 'immutable',
    reason: [/cannot be upgraded/],
  },
  {
    row: 'the logic writes the pointer',
    build: (w) =>
      w.add('target', {
        code: FORWARDER,
        slots: { implementation: w.add('logic', { code: { writes: [SLOTS.implementation] } }) },
      }),
    label: 'unknown',
    reason: [/can write the pointer/],
  },
  {
    row: '26 UUPS, owner is a Safe',
    build: (w) => w.uups('target', { owner: safe35(w) }),
    label: 'multisig',
    reason: [/UUPS owner is Safe/],
  },
  {
    row: '27 UUPS, renounced',
    build: (w) => w.uups('target', { owner: ZERO }),
    label: 'immutable',
    reason: [/UUPS owner is 0x0{40}, which has no known key \(renounced/],
  },
  {
    row: '28 UUPS with roles',
    build: (w) =>
      w.uups(
        'target',
        { hasRole: 0 },
        {
          roles: { [DEFAULT_ADMIN]: [safe35(w)], [roleNamed('UPGRADER_ROLE')]: [eoa] },
          allows: (from) => from === eoa,
        },
      ),
    label: 'single_key',
    reason: [/UPGRADER_ROLE member is .* an EOA/],
  },
  {
    row: '30 AccessManager, 3 d',
    build: (w) => managed(w, 259_200),
    label: 'timelocked',
    reason: [/AccessManager/, /72 h \(3 d\)/],
  },
  {
    row: '31 AccessManager, no delay',
    build: (w) => managed(w, 0),
    label: 'multisig',
    reason: [/AccessManager/, /no delay/],
  },
  {
    row: '33 admin burned',
    build: (w) => w.transparent('target', DEAD),
    label: 'immutable',
    reason: [/Proxy admin is .*burned/],
  },
  {
    row: '34 ProxyAdmin renounced',
    build: behindAdmin(() => ZERO),
    label: 'immutable',
    reason: [/ProxyAdmin .*renounced/],
  },
  {
    row: '35 beacon owned by an EOA',
    build: (w) => {
      const beacon = w.add('beacon', { calls: { implementation: w.add('logic', {}), owner: eoa } })
      return w.add('target', { code: { delegates: [{ from: 'anything' }], delegating: true }, slots: { beacon } })
    },
    label: 'single_key',
    reason: [/Beacon owner is .* an EOA/],
  },
  {
    row: '37 diamond',
    build: (w) =>
      w.add('target', {
        code: { delegates: [{ from: 'mapping' }], delegating: true },
        calls: { diamondCutFacet: at('cut'), owner: safe35(w) },
        allows: (from) => from === at('safe'),
      }),
    label: 'multisig',
    reason: [/diamondCut by owner is Safe/],
  },
  {
    row: 'diamond without diamondCut',
    build: (w) =>
      w.add('target', {
        code: { delegates: [{ from: 'mapping' }], delegating: true },
        calls: { diamondCutFacet: ZERO, facetAddresses: addresses([w.add('loupe', {})]), owner: eoa },
      }),
    label: 'immutable',
    reason: [/without diamondCut/],
  },
  {
    row: '39 clone',
    build: (w) => w.add('target', { code: { cloneOf: w.add('logic', {}) } }),
    label: 'immutable',
    reason: [/fixed clone/],
  },
  {
    row: '42 ZeppelinOS, EOA',
    build: (w) => w.add('target', { code: ZOS, slots: { zosImplementation: w.add('logic', {}), zosAdmin: eoa } }),
    label: 'single_key',
    reason: [/ZeppelinOS proxy admin is .* an EOA/],
  },
  {
    row: '43 ZeppelinOS, Safe',
    build: (w) => w.add('target', { code: ZOS, slots: { zosImplementation: w.add('logic', {}), zosAdmin: safe35(w) } }),
    label: 'multisig',
    reason: [/3 of 5/],
  },
  {
    row: '44 alias of an L1 Safe of Safes',
    chainId: 8453,
    build: (w) => {
      const below = new SampleWorld(1)
      const both = below.safe('both', 2, [
        below.safe('first', 2, signers(3, 'first')),
        below.safe('second', 2, signers(3, 'second')),
      ])
      for (const state of below.states) w.replace(state)
      return w.transparent('target', w.proxyAdmin('admin', aliasOf(both)))
    },
    label: 'multisig',
    reason: [/alias of L1 contract/, /two nested Safes/],
  },
  {
    row: '47 unknown module',
    build: behindAdmin((w) => w.safe('safe', 3, signers(5), {}, [w.add('module', {})])),
    label: 'multisig',
    reason: [/1 module that can act without signatures/],
  },
  {
    row: 'module is an EOA',
    build: behindAdmin((w) => w.safe('safe', 3, signers(5), {}, [eoa])),
    label: 'single_key',
    reason: [/A module of Safe .* an EOA/],
  },
  {
    row: '50 guard',
    build: behindAdmin((w) => w.safe('safe', 3, signers(5), { slots: { safeGuard: at('guard') } })),
    label: 'multisig',
    reason: [new RegExp(`guard ${at('guard')}`)],
  },
  {
    row: '51 a Safe itself, 4 of 7',
    build: (w) => w.safe('target', 4, signers(7)),
    label: 'multisig',
    reason: [/4 of 7/],
  },
  {
    row: '51 a Safe itself, 1 of 3',
    build: (w) => w.safe('target', 1, signers(3)),
    label: 'single_key',
    reason: [/threshold is 1/],
  },
  {
    row: '52 a timelock itself',
    build: (w) => lockedSafe(w, 172_800),
    label: 'timelocked',
    reason: [/48 h/, /Proposer is Safe/],
  },
  {
    row: '53 unknown controller',
    build: behindAdmin((w) => w.add('thing', {})),
    label: 'unknown',
    reason: [/not recognized/],
  },
  {
    row: '55 two paths',
    build: (w) =>
      w.uups(
        'target',
        { hasRole: 0 },
        {
          roles: {
            [DEFAULT_ADMIN]: [lockedSafe(w, 172_800)],
            [roleNamed('UPGRADER_ROLE')]: [w.safe('direct', 2, signers(3, 'direct'))],
          },
          allows: (from) => from === at('direct'),
        },
      ),
    label: 'multisig',
    reason: [/weakest/],
  },
  {
    row: '62 Unitroller',
    build: (w) =>
      w.add('target', {
        code: {
          delegates: [{ from: 'slot', slot: SLOTS.slot2 }],
          delegating: true,
          selectors: new Set<Hex>(['0xf851a440']),
        },
        calls: { comptrollerImplementation: w.add('logic', {}), admin: compound(w, bravo(w, at('compound'))) },
      }),
    label: 'timelocked',
    reason: [/Compound delegator/],
  },
  {
    row: '63 Wormhole core',
    build: (w) => wormhole(w, true),
    label: 'multisig',
    reason: [/guardian set 4 \(13 of 19 sign an upgrade\)/],
  },
  {
    row: '63 Wormhole core that upgrades by another function',
    build: (w) => wormhole(w, false),
    label: 'unknown',
    reason: [/can write the pointer/],
  },
  {
    row: "a proxy of Solady's factory, admin is a Safe",
    build: (w) => {
      const admin = safe35(w)
      const factory: Hex = '0x0000000000006396ff2a80c067f99b3d2ab4df24'
      w.addAt(factory, { more: { [callKey(`0x2abbef15${toWord(at('target')).slice(2)}`)]: toWord(admin) } })
      const code = { ...FORWARDER, writes: [SLOTS.implementation], senders: [factory] }
      return w.add('target', { code, slots: { implementation: w.add('logic', {}) } })
    },
    label: 'multisig',
    reason: [/kept by the ERC1967Factory\) is Safe/],
  },
  {
    row: '64 StarkWare',
    build: (w) =>
      w.add('target', {
        code: { delegates: [{ from: 'slot', slot: SLOTS.starkwareImplementation }], delegating: true },
        slots: { starkwareImplementation: w.add('logic', {}), starkwareDelay: 691_200 },
        governors: [safe35(w)],
      }),
    label: 'timelocked',
    reason: [/activation delay/, /192 h \(8 d\)/],
  },
]

for (const { row, build, label, reason, chainId } of ROWS)
  test(`${row}: ${label}`, () => {
    const world = new SampleWorld(chainId)
    const profile = world.profile(build(world))
    const reasons = reasonTexts(profile.reasons).join('\n')
    assert.equal(profile.label, label, reasons)
    assert.equal(profile.stale, false)
    for (const words of reason) assert.match(reasons, words)
  })

test('58 a failed read of the admin keeps the last profile, stale', () => {
  const world = new SampleWorld()
  const target = behindAdmin((w) => lockedSafe(w, 172_800))(world)
  const previous = world.profile(target)
  const broken = world.clone()
  const state = world.state(target)
  assert.ok(state)
  broken.replace({ ...state, slots: { ...state.slots, admin: unread('timeout') } })
  const now = broken.profile(target, previous)
  assert.equal(now.label, 'timelocked')
  assert.equal(now.stale, true)
  assert.match(reasonTexts(now.reasons).at(-1) ?? '', /slot admin of 0x\w+ could not be read \(timeout\)/)
  assert.equal(broken.profile(target, now).reasons.length, now.reasons.length, 'reported once, however often it fails')
  assert.equal(broken.profile(target).label, 'unknown')
})

test('66 never polled', () => {
  const { label, reasons } = unprofiled({ chainId: 1, address: eoa })
  assert.equal(label, 'unknown')
  assert.match(reasonTexts(reasons).join(), /Not profiled yet/)
})

test('no single failed read strengthens a label, and none changes a known label', () => {
  let tried = 0
  for (const { row, build, label, chainId } of ROWS) {
    const world = new SampleWorld(chainId)
    const target = build(world)
    const settled: Profile = world.profile(target)
    for (const { what, world: broken } of withOneFault(world)) {
      tried += 1
      const alone = broken.profile(target)
      assert.ok(alone.label === label || alone.label === 'unknown', `${row}: ${what}: ${alone.label}`)
      assert.equal(isStronger(alone.label, label), false)
      assert.equal(broken.profile(target, settled).label, label, `${row}: ${what}`)
    }
  }
  assert.ok(tried > 5_000)
})

test('a hidden key that a simulated upgrade accepts decides the label', () => {
  const world = new SampleWorld()
  const key = at('hidden key')
  const slot = toWord(7)
  const implementation = world.add('logic', { code: { ...UUPS, senderSlots: [slot] } })
  const data: Hex = `0x4f1ef286${toWord(implementation).slice(2)}${toWord(64).slice(2)}${toWord(0).slice(2)}`
  const target = world.add('target', {
    code: FORWARDER,
    slots: { implementation },
    calls: { owner: ZERO },
    more: { [`slot|${slot}`]: toWord(key), [callKey(data, key)]: '0x' },
  })
  assert.equal(world.profile(target).label, 'single_key', 'owner() returns zero, but the chain allows another key')
  assert.ok(addresses([]).length > 0)
})
