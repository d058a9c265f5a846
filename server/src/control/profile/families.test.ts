/** Compiled contracts, ours and those of OpenZeppelin, in setups whose label their code decides. */
import type { Hex } from 'viem'
import { artifactCode, deployedCode } from '../../../test/chain/compile.ts'
import { type CodeFacts, codeFacts } from './code.ts'
import { EXECUTOR, roleNamed } from './roles.ts'
import { type Case, council, eoa, locked, testCases, ZERO } from './sample-cases.ts'
import { at, type Described, type SampleWorld, TRANSPARENT, UUPS } from './sample-world.ts'
import { SLOTS } from './slots.ts'
import { slotKey } from './state.ts'
import { toWord } from './words.ts'

const ours = (name: string): CodeFacts => codeFacts(deployedCode(name))
const openZeppelin4 = (name: string): CodeFacts => codeFacts(artifactCode('openzeppelin-contracts-4', name))

/** A transparent proxy of OpenZeppelin 4 whose admin is a timelock, and whose logic keeps one key as owner in slot 0. */
const lockedProxy = (w: SampleWorld, logic: Described, more: Described = {}): Hex =>
  w.put('target', {
    calls: { owner: eoa },
    more: { [slotKey(SLOTS.slot0)]: toWord(eoa) },
    ...more,
    code: openZeppelin4('TransparentUpgradeableProxy'),
    slots: { implementation: w.put('logic', logic), admin: locked(w) },
  })

/** A beacon proxy of OpenZeppelin 4, over logic of ours. */
const behindBeacon = (w: SampleWorld, logic: string, beacon: Described): Hex => {
  const implementation = w.put('logic', { code: ours(logic) })
  return w.put('target', {
    code: openZeppelin4('BeaconProxy'),
    slots: { beacon: w.put('beacon', { ...beacon, calls: { ...beacon.calls, implementation } }) },
    calls: { owner: eoa },
    more: { [slotKey(SLOTS.slot0)]: toWord(eoa) },
  })
}
const lockedBeacon = (w: SampleWorld): Described => {
  const owner = locked(w)
  return { code: openZeppelin4('UpgradeableBeacon'), calls: { owner }, lets: (from) => from === owner }
}

const LENDING: readonly Case[] = [
  {
    setup: 'logic that runs what its owner of one key names',
    build: (w) => lockedProxy(w, { code: ours('OwnerRuns') }),
    label: 'single_key',
    says: /The owner, who may have it run any code, is .* an EOA/,
  },
  {
    setup: 'logic that runs what its owner names, who is the timelock too',
    build: (w) =>
      lockedProxy(
        w,
        { code: ours('OwnerRuns') },
        { calls: { owner: locked(w) }, more: { [slotKey(SLOTS.slot0)]: toWord(locked(w)) } },
      ),
    label: 'timelocked',
  },
  ...['AnyoneRuns', 'PartlyAsks'].map(
    (name): Case => ({
      setup: `logic that runs what others name than its owner (${name})`,
      build: (w) => lockedProxy(w, { code: ours(name) }, { calls: { owner: locked(w) } }),
      label: 'unknown',
      says: /runs code at addresses it is given/,
    }),
  ),
  {
    setup: 'an executor behind a proxy: whoever executes can move its pointer',
    build: (w) => {
      const calls = { adminRole: roleNamed('ADMIN_ROLE'), executorRole: EXECUTOR, hasRole: 0 }
      const logic: Described = { code: { delegates: [{ from: 'input' }], delegating: true } }
      return lockedProxy(w, logic, { calls, roles: { [EXECUTOR]: [council(w)] } })
    },
    label: 'multisig',
    says: /Executor EXECUTOR_ROLE member is Safe/,
  },
  {
    setup: 'a proxy that an executor of a timelock leads, behind a proxy of its own',
    build: (w) => {
      const calls = { adminRole: roleNamed('ADMIN_ROLE'), executorRole: EXECUTOR, hasRole: 0 }
      const logic: Described = { code: { delegates: [{ from: 'input' }], delegating: true } }
      const roles = { [EXECUTOR]: [locked(w)], [roleNamed('ADMIN_ROLE')]: [at('target')] }
      const executor = lockedProxy(w, logic, { calls, roles })
      return w.put('below', { code: TRANSPARENT, slots: { implementation: w.put('plain', {}), admin: executor } })
    },
    label: 'timelocked',
  },
  {
    setup: 'a beacon of a timelock, and logic that looks for another beacon',
    build: (w) => behindBeacon(w, 'BeaconMover', lockedBeacon(w)),
    label: 'unknown',
    says: /rules of its own/,
  },
  {
    setup: 'a beacon that cannot change, and logic that looks for another beacon',
    build: (w) => behindBeacon(w, 'BeaconMover', {}),
    label: 'unknown',
    says: /rules of its own/,
  },
  {
    setup: 'a beacon of a timelock, and logic that runs what its owner of one key names',
    build: (w) => behindBeacon(w, 'OwnerRuns', lockedBeacon(w)),
    label: 'single_key',
  },
  {
    setup: 'a beacon of a timelock, and logic that does neither',
    build: (w) => behindBeacon(w, 'Plain', lockedBeacon(w)),
    label: 'timelocked',
  },
  {
    setup: 'code that runs what it is given, and mentions a function of upgrades',
    build: (w) => w.put('target', { code: codeFacts('0x6352d1902d505f5f5f5f5f355af400'), calls: { owner: eoa } }),
    label: 'unknown',
    says: /runs code at addresses it is given/,
  },
  ...['OwnedUups', 'OwnedUups4'].map(
    (name): Case => ({
      setup: `upgradeable logic itself, which upgrades nothing at its own address (${name})`,
      build: (w) => {
        const self = at('target')
        const code = deployedCode(name).replaceAll(`7f${'0'.repeat(64)}`, `7f${toWord(self).slice(2)}`) as Hex
        return w.put('target', { code: codeFacts(code), calls: { owner: eoa } })
      },
      label: 'immutable',
    }),
  ),
]

/** Synthetix' proxy with its owner in slot 0, whoever it was offered to in slot 1, and its target in slot 2. */
const synthetix = (w: SampleWorld, owner: Hex, more: Described = {}, offered: Hex = ZERO): Hex =>
  w.put('target', {
    code: ours('SynthetixProxy'),
    calls: { owner, target: w.put('called', {}) },
    lets: (from) => from === owner,
    more: {
      [slotKey(SLOTS.slot0)]: toWord(owner),
      [slotKey(SLOTS.slot1)]: toWord(offered),
      [slotKey(SLOTS.slot2)]: toWord(at('called')),
    },
    ...more,
  })

const CALLING: readonly Case[] = [
  {
    setup: 'a proxy that calls its target, and an owner of one key',
    build: (w) => synthetix(w, eoa),
    label: 'single_key',
    says: /Proxy owner is .* an EOA/,
  },
  {
    setup: 'a proxy that calls its target, and a timelock',
    build: (w) => synthetix(w, locked(w)),
    label: 'timelocked',
  },
  {
    setup: 'a proxy that calls its target, and a key that it was offered to',
    build: (w) => synthetix(w, locked(w), {}, eoa),
    label: 'single_key',
  },
  {
    setup: 'a clone of a proxy that calls its target, and an owner of one key',
    build: (w) => {
      const code = { cloneOf: w.put('template', { code: ours('SynthetixProxy') }) }
      return synthetix(w, eoa, { code })
    },
    label: 'single_key',
  },
  {
    setup: 'a proxy that calls its target, whose owner left',
    build: (w) => synthetix(w, ZERO),
    label: 'immutable',
  },
  {
    setup: 'a proxy that calls its target, and an owner whom it does not obey',
    build: (w) => synthetix(w, locked(w), { lets: () => false }),
    label: 'unknown',
    says: /refuses another target/,
  },
]

const NOT_UUPS: readonly Case[] = [
  {
    setup: 'a timelock as admin, and logic that upgrades other proxies for an owner of one key',
    build: (w) => lockedProxy(w, { code: ours('ProxyFactory') }),
    label: 'timelocked',
  },
  {
    setup: 'the same logic, which names nobody',
    build: (w) => lockedProxy(w, { code: ours('ProxyFactory') }, { calls: {} }),
    label: 'timelocked',
  },
  {
    setup: 'the same logic behind a beacon of a timelock',
    build: (w) => behindBeacon(w, 'ProxyFactory', lockedBeacon(w)),
    label: 'timelocked',
  },
  {
    setup: 'a timelock as admin, and logic that its owner of one key upgrades',
    build: (w) => lockedProxy(w, { code: ours('OwnedUups4') }, { lets: (from) => from === eoa }),
    label: 'single_key',
  },
  {
    setup: 'a timelock as admin, and logic that says it can be upgraded and refuses everyone',
    build: (w) => lockedProxy(w, { code: ours('OwnedUups4'), calls: { proxiableUUID: SLOTS.implementation } }),
    label: 'single_key',
  },
  {
    setup: 'a timelock as admin, and logic that moves the pointer for others than it names',
    build: (w) => lockedProxy(w, { code: UUPS }),
    label: 'unknown',
    says: /rules of its own/,
  },
  {
    setup: 'logic that upgrades other proxies, behind a proxy without an admin',
    build: (w) =>
      w.put('target', {
        code: openZeppelin4('ERC1967Proxy'),
        slots: { implementation: w.put('logic', { code: ours('ProxyFactory') }) },
        calls: { owner: eoa },
      }),
    label: 'immutable',
  },
]

testCases([...LENDING, ...CALLING, ...NOT_UUPS])
