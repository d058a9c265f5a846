/** Setups that pretend to be safer than they are, and failed reads that must not count as absences. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainSeparator, type Hex } from 'viem'
import { behind, type Case, eoa, signers, testCases, ZERO } from '../../../../testing/evm/sample-cases.ts'
import {
  addresses,
  at,
  FORWARDER,
  modulePage,
  refusals,
  type SampleWorld,
  safeProxy,
  TRANSPARENT,
  UUPS,
} from '../../../../testing/evm/sample-world.ts'
import { MULTICALL3 } from '../chains/chains.ts'
import { toWord } from './abi-values.ts'
import { DEFAULT_ADMIN, PROPOSER, roleNamed } from './roles.ts'
import { SINGLETONS } from './safe-account.ts'
import { type Signatory, signersNeeded } from './signers.ts'
import { upgradeCalls } from './simulated-calls.ts'
import { SLOTS } from './slots.ts'
import { ABSENT, callKey, slotKey, value } from './state.ts'

/** A Safe that does not know pages of modules. */
const olderSafe = (
  w: SampleWorld,
  version: string,
  more: Readonly<Record<string, Hex>>,
  signedFor: Hex = at('target'),
): Hex => {
  const [singleton] = [...SINGLETONS].find(([, release]) => release === version) ?? []
  assert.ok(singleton)
  const target = w.safe('target', 3, signers(5), { slots: { slot0: singleton } })
  const state = w.state(target)
  assert.ok(state)
  const domain = domainSeparator({ domain: { verifyingContract: signedFor } })
  const answers = Object.entries({ [slotKey(toWord(6))]: domain, ...more })
  const answered = new Map(answers.map(([key, data]) => [key, value(data)]))
  w.replace({ ...state, calls: { ...state.calls, modules: ABSENT }, more: answered })
  return target
}

const CASES: readonly Case[] = [
  {
    setup: 'a contract that is not a Safe and returns what a Safe returns',
    build: (w) =>
      behind(
        w,
        w.add('fake', {
          calls: { getThreshold: 3, getOwners: addresses(signers(5)), nonce: 1, modules: modulePage([]) },
        }),
      ),
    label: 'unknown',
    reason: /unofficial singleton/,
  },
  {
    setup: 'the same, owned by one key',
    build: (w) =>
      behind(w, w.add('fake', { calls: { getThreshold: 3, getOwners: addresses(signers(5)), nonce: 1, owner: eoa } })),
    label: 'single_key',
  },
  {
    setup: 'a Safe whose singleton was replaced',
    build: (w) => w.safe('target', 3, signers(5), { slots: { slot0: w.add('evil singleton', {}) } }),
    label: 'unknown',
    reason: /unofficial singleton/,
  },
  {
    setup: 'a Safe whose threshold getter and storage disagree',
    build: (w) => w.safe('target', 3, signers(5), { slots: { slot4: 1 } }),
    label: 'unknown',
    reason: /disagree/,
  },
  {
    setup: 'a Safe that was never set up',
    build: (w) => w.safe('target', 0, []),
    label: 'unknown',
    reason: /never set up/,
  },
  {
    setup: 'an official singleton in slot 0 of code that runs something else',
    build: (w) => w.safe('target', 3, signers(5), { code: safeProxy(toWord(5)) }),
    label: 'unknown',
  },
  {
    setup: 'a Safe whose owners are all Safes of the same key',
    build: (w) => w.safe('target', 2, [w.safe('one', 1, [eoa]), w.safe('two', 1, [eoa])]),
    label: 'single_key',
    reason: /One key signs for all/,
  },
  {
    setup: 'a Safe that owns itself through another',
    build: (w) => w.safe('target', 2, [w.safe('inner', 1, [at('target')]), eoa]),
    label: 'multisig',
  },
  {
    setup: 'a Safe whose signers are all gone',
    build: (w) => behind(w, w.safe('safe', 2, ['0x000000000000000000000000000000000000dead', at('alive')])),
    label: 'immutable',
    reason: /never sign/,
  },
  {
    setup: 'more modules than a page',
    build: (w) => w.safe('target', 3, signers(5), { calls: { modules: modulePage([], at('next')) } }),
    label: 'unknown',
  },
  {
    setup: 'a Safe of the first release, which lists its modules with another function',
    build: (w) => olderSafe(w, '1.0.0', { [callKey('0xb2494df3')]: addresses([]) }),
    label: 'multisig',
  },
  {
    setup: 'a Safe of the first release with one key as a module',
    build: (w) => olderSafe(w, '1.0.0', { [callKey('0xb2494df3')]: addresses([eoa]) }),
    label: 'single_key',
  },
  {
    setup: 'a Safe of an old release for which signatures for another Safe are valid',
    build: (w) => olderSafe(w, '1.0.0', { [callKey('0xb2494df3')]: addresses([]) }, at('other')),
    label: 'unknown',
  },
  {
    setup: 'a Safe of the first release whose modules cannot be listed',
    build: (w) => olderSafe(w, '1.0.0', {}),
    label: 'unknown',
    reason: /could not all be listed/,
  },
  {
    setup: 'a Safe of a later release, where that function lists only ten modules',
    build: (w) => olderSafe(w, '1.1.1', { [callKey('0xb2494df3')]: addresses([]) }),
    label: 'unknown',
  },
  {
    setup: 'a module that delays, led by one key',
    build: (w) => {
      const delay = w.add('delay', {
        calls: { txCooldown: 172_800, avatar: at('target'), owner: at('target'), modules: modulePage([eoa]) },
      })
      return w.safe('target', 3, signers(5), {}, [delay])
    },
    label: 'single_key',
  },
  {
    setup: 'a timelock whose admin can make himself proposer',
    build: (w) =>
      behind(
        w,
        w.timelock('lock', 172_800, [w.safe('safe', 3, signers(5))], { roles: { [DEFAULT_ADMIN]: [at('lock'), eoa] } }),
      ),
    label: 'single_key',
    reason: /DEFAULT_ADMIN_ROLE member, who may grant PROPOSER_ROLE, is .* an EOA/,
  },
  {
    setup: 'a timelock with a back door for its owner',
    build: (w) =>
      behind(
        w,
        w.timelock('lock', 172_800, [w.safe('safe', 3, signers(5))], {
          calls: { owner: w.safe('back', 2, signers(3)) },
        }),
      ),
    label: 'multisig',
  },
  {
    setup: 'a timelock that can be upgraded by one key',
    build: (w) =>
      behind(
        w,
        w.timelock('lock', 172_800, [w.safe('safe', 3, signers(5))], {
          code: TRANSPARENT,
          slots: { implementation: w.add('lock logic', {}), admin: eoa },
        }),
      ),
    label: 'single_key',
  },
  {
    setup: 'a timelock whose roles were only never enumerated',
    build: (w) => behind(w, w.add('lock', { calls: { getMinDelay: 172_800, hasRole: 0 } })),
    label: 'unknown',
  },
  {
    setup: 'a timelock that lists roles, but not the one above',
    build: (w) =>
      behind(
        w,
        w.add('lock', {
          calls: { getMinDelay: 172_800, hasRole: 0 },
          roles: { [PROPOSER]: [w.safe('safe', 3, signers(5))] },
          rolesComplete: false,
        }),
      ),
    label: 'unknown',
  },
  {
    setup: 'a timelock without proposers',
    build: (w) => behind(w, w.timelock('lock', 172_800, [])),
    label: 'immutable',
    reason: /No account can schedule/,
  },
  {
    setup: 'two contracts that own each other',
    build: (w) => {
      w.add('one', { calls: { owner: at('two') } })
      return behind(w, w.add('two', { calls: { owner: at('one') } }))
    },
    label: 'unknown',
    reason: /circle/,
  },
  { setup: 'a chain of nine owners', build: (w) => behind(w, chain(w, 7)), label: 'single_key' },
  { setup: 'a chain of ten owners', build: (w) => behind(w, chain(w, 8)), label: 'unknown' },
  {
    setup: 'an admin slot packed with something else',
    build: (w) => w.transparent('target', eoa, { slots: { admin: `0x01${toWord(eoa).slice(4)}` } }),
    label: 'unknown',
    reason: /something other than an address/,
  },
  {
    setup: 'a beacon proxy that also has an admin',
    build: (w) => {
      const beacon = w.add('beacon', {
        calls: { implementation: w.add('logic', {}), owner: w.safe('safe', 3, signers(5)) },
      })
      return w.add('target', {
        code: { delegates: [{ from: 'anything' }], delegating: true },
        slots: { beacon, admin: eoa },
      })
    },
    label: 'single_key',
  },
  {
    setup: 'logic behind a transparent proxy that can be upgraded by its own owner too',
    build: (w) =>
      w.add('target', {
        code: TRANSPARENT,
        slots: { implementation: w.add('logic', { code: UUPS }), admin: w.safe('safe', 3, signers(5)) },
        calls: { owner: eoa },
        allows: (from) => from === eoa,
      }),
    label: 'single_key',
  },
  {
    setup: 'an owner that the slot of the owner contradicts',
    build: (w) => w.uups('target', { owner: w.safe('safe', 3, signers(5)) }, { slots: { ownable5: eoa } }),
    label: 'unknown',
    reason: /disagree/,
  },
  {
    setup: 'upgradeable logic that names no controller',
    build: (w) => w.uups('target', {}),
    label: 'unknown',
    reason: /Who can upgrade it could not be determined/,
  },
  {
    setup: 'roles of which the well-known ones are empty',
    build: (w) => w.uups('target', { hasRole: 0 }, { roles: { [roleNamed('KEEPER_ROLE')]: [eoa] } }),
    label: 'unknown',
  },
  {
    setup: 'roles without members, one of which an upgrade requires',
    build: (w) => {
      const target = w.uups(
        'target',
        { hasRole: 0 },
        { roles: { [DEFAULT_ADMIN]: [], [roleNamed('UPGRADER_ROLE')]: [] } },
      )
      const [trial] = upgradeCalls(UUPS.selectors, at('target logic'))
      w.addAt(MULTICALL3, refusals(target, trial as Hex, roleNamed('UPGRADER_ROLE')))
      return target
    },
    label: 'immutable',
    reason: /no known key/,
  },
  {
    setup: 'the same, where an upgrade may require something else',
    build: (w) =>
      w.uups('target', { hasRole: 0 }, { roles: { [DEFAULT_ADMIN]: [], [roleNamed('UPGRADER_ROLE')]: [] } }),
    label: 'unknown',
  },
  {
    setup: 'the same, when not every role is known',
    build: (w) => w.uups('target', { hasRole: 0 }, { roles: { [DEFAULT_ADMIN]: [] }, rolesComplete: false }),
    label: 'unknown',
  },
  {
    setup: 'a governor without a timelock',
    build: (w) => behind(w, w.add('governor', { calls: { votingDelay: 1, votingPeriod: 100 } })),
    label: 'multisig',
    reason: /no timelock/,
  },
  {
    setup: 'a single key and a Safe as proposers',
    build: (w) => behind(w, w.timelock('lock', 172_800, [w.safe('safe', 3, signers(5)), eoa])),
    label: 'single_key',
  },
  {
    setup: 'a stored pointer that no standard knows',
    build: (w) => w.add('target', { code: { delegates: [{ from: 'slot', slot: toWord(77) }], delegating: true } }),
    label: 'unknown',
    reason: /slot 0x0{62}4d/,
  },
  {
    setup: 'code that could not be followed to its end',
    build: (w) => w.add('target', { code: { delegating: true, settled: false } }),
    label: 'unknown',
  },
  {
    setup: 'a proxy whose logic was cloned from code that writes the pointer',
    build: (w) => {
      const writer = w.add('writer', { code: { writes: [SLOTS.implementation] } })
      return w.add('target', {
        code: FORWARDER,
        slots: { implementation: w.add('logic', { code: { cloneOf: writer } }) },
      })
    },
    label: 'unknown',
  },
  {
    setup: 'a beacon without an owner, next to the pointer that is used',
    build: (w) => {
      const beacon = w.add('beacon', { calls: { implementation: w.add('logic', {}), owner: ZERO } })
      const implementation = w.add('used logic', { code: UUPS })
      return w.add('target', { code: FORWARDER, slots: { beacon, implementation }, calls: { owner: eoa } })
    },
    label: 'single_key',
  },
  {
    setup: 'an EIP-1967 pointer that the code does not use, next to a ZeppelinOS pointer',
    build: (w) =>
      w.add('target', {
        code: {
          delegates: [{ from: 'slot', slot: SLOTS.zosImplementation }],
          delegating: true,
          writes: [SLOTS.zosImplementation],
        },
        slots: { implementation: w.add('shown', {}), zosImplementation: w.add('logic', {}), zosAdmin: eoa },
      }),
    label: 'single_key',
  },
  {
    setup: 'a timelocked admin as a decoy, and code that delegates to another slot',
    build: (w) =>
      w.add('target', {
        code: { ...TRANSPARENT, delegates: [{ from: 'slot', slot: toWord(77) }] },
        slots: {
          implementation: w.add('shown', {}),
          admin: w.timelock('lock', 172_800, [w.safe('safe', 3, signers(5))]),
        },
      }),
    label: 'unknown',
    reason: /not in its known slots/,
  },
  {
    setup: 'the same, with one key among those that are known',
    build: (w) =>
      w.add('target', {
        code: { ...TRANSPARENT, delegates: [{ from: 'slot', slot: toWord(77) }] },
        slots: { implementation: w.add('shown', {}), admin: eoa },
      }),
    label: 'single_key',
  },
  {
    setup: 'a clone of a proxy: its own admin decides, not that of the proxy it was cloned from',
    build: (w) => {
      const template = w.transparent('template', ZERO)
      return w.add('target', {
        code: { cloneOf: template },
        slots: { implementation: w.add('logic', {}), admin: eoa },
      })
    },
    label: 'single_key',
  },
  {
    setup: 'a clone of a clone of fixed code',
    build: (w) => w.add('target', { code: { cloneOf: w.add('middle', { code: { cloneOf: w.add('logic', {}) } }) } }),
    label: 'immutable',
  },
  {
    setup: 'code that runs whatever address it is given',
    build: (w) =>
      w.add('target', { code: { delegates: [{ from: 'input' }], delegating: true }, calls: { owner: eoa } }),
    label: 'unknown',
    reason: /delegatecalls to addresses its caller chooses/,
  },
  {
    setup: 'a module that one key can replace',
    build: (w) => w.safe('target', 3, signers(5), {}, [w.transparent('module', eoa)]),
    label: 'single_key',
  },
  {
    setup: 'a module that one key owns',
    build: (w) => w.safe('target', 3, signers(5), {}, [w.add('module', { calls: { owner: eoa } })]),
    label: 'single_key',
  },
  {
    setup: 'a module that the Safe itself owns',
    build: (w) => w.safe('target', 3, signers(5), {}, [w.add('module', { calls: { owner: at('target') } })]),
    label: 'multisig',
  },
  {
    setup: 'Safes as owners, each with the same key as a module',
    build: (w) =>
      w.safe('target', 2, [w.safe('one', 3, signers(5), {}, [eoa]), w.safe('two', 4, signers(7), {}, [eoa])]),
    label: 'single_key',
    reason: /One key signs for all/,
  },
  {
    setup: 'a governor with a single key as guardian',
    build: (w) =>
      behind(
        w,
        w.add('alpha', {
          code: { selectors: new Set<Hex>(['0x91500671']) },
          calls: { votingDelay: 1, votingPeriod: 100, guardian: eoa },
        }),
      ),
    label: 'single_key',
    reason: /guardian of governor/,
  },
  {
    setup: 'a vote that one key owns',
    build: (w) => behind(w, w.add('votes', { calls: { votingDelay: 1, votingPeriod: 100, owner: eoa } })),
    label: 'single_key',
  },
  {
    setup: 'a timelock whose admin can set the delay at will',
    build: (w) => {
      const council = w.safe('safe', 3, signers(5))
      const lock = w.add('lock', {
        code: { selectors: new Set<Hex>(['0xe177246e']) },
        calls: { delay: 172_800, gracePeriod: 1_209_600, admin: council },
        more: { [callKey(`0xe177246e${'0'.repeat(64)}`, council)]: '0x' },
      })
      return behind(w, lock)
    },
    label: 'multisig',
    reason: /delays nothing/,
  },
  {
    setup: 'an owner that renounced, and a proxy admin that did not',
    build: (w) => w.transparent('target', eoa, { calls: { owner: ZERO } }),
    label: 'single_key',
  },
  {
    setup: 'a Safe that may upgrade, and one key that may grant its role',
    build: (w) =>
      w.uups(
        'target',
        { hasRole: 0 },
        { roles: { [DEFAULT_ADMIN]: [eoa], [roleNamed('UPGRADER_ROLE')]: [w.safe('safe', 3, signers(5))] } },
      ),
    label: 'single_key',
  },
  { setup: 'no contract at all', build: () => eoa, label: 'unknown', reason: /no contract at this address/ },
]

function chain(world: SampleWorld, links: number): Hex {
  let owner = eoa
  for (let n = 0; n < links; n += 1) owner = world.add(`link ${n}`, { calls: { owner } })
  return owner
}

testCases(CASES)

test('a key counts once, in however many groups it is', () => {
  const key = (id: string): Signatory => ({ type: 'key', id })
  const group = (needed: number, ...members: readonly Signatory[]): Signatory => ({ type: 'group', needed, members })
  assert.equal(signersNeeded(group(2, key('a'), key('b'), key('c'))), 2)
  assert.equal(signersNeeded(group(2, key('a'), key('a'))), undefined, 'an owner listed twice signs once')
  assert.equal(
    signersNeeded(group(2, group(2, key('x'), key('y'), key('z')), group(2, key('x'), key('y'), key('w')))),
    2,
  )
  assert.equal(signersNeeded(group(2, group(1, key('x'), key('y')), group(1, key('x'), key('z')))), 1)
  assert.equal(signersNeeded(group(2, group(3, key('a'), key('b'), key('c')), key('d'), key('e'))), 2)
  assert.equal(signersNeeded(group(2, { type: 'none' }, key('a'))), undefined)
  // A single key that suffices is found among any number of others.
  const crowd = (name: string): Signatory =>
    group(1, ...Array.from({ length: 9_000 }, (_, n) => key(`${name}${n}`)), key('x'))
  assert.equal(signersNeeded(group(3, crowd('a'), crowd('b'), crowd('c'))), 1)
  assert.equal(signersNeeded(group(0, key('a'))), undefined)
})
