/** Compiled contracts, ours and those of OpenZeppelin, in setups whose label their code decides. */
import type { Hex } from 'viem'
import { artifactCode, deployedCode } from '../../../../testing/evm/compile.ts'
import { type Case, council, eoa, HIDDEN, locked, testCases, ZERO } from '../../../../testing/evm/sample-cases.ts'
import {
  at,
  type Described,
  FORWARDER,
  type SampleWorld,
  TRANSPARENT,
  UUPS,
} from '../../../../testing/evm/sample-world.ts'
import { toWord } from './abi-values.ts'
import { analyzeCode, type CodeFacts } from './code-facts.ts'
import { EXECUTOR, roleNamed } from './roles.ts'
import { SLOTS } from './slots.ts'
import { callKey, slotKey } from './state.ts'

const ours = (name: string): CodeFacts => analyzeCode(deployedCode(name))
const openZeppelin4 = (name: string): CodeFacts => analyzeCode(artifactCode('openzeppelin-contracts-4', name))

/** A transparent proxy of OpenZeppelin 4 whose admin is a timelock, and whose logic keeps one key as owner in slot 0. */
const lockedProxy = (w: SampleWorld, logic: Described, more: Described = {}): Hex =>
  w.add('target', {
    calls: { owner: eoa },
    more: { [slotKey(SLOTS.slot0)]: toWord(eoa) },
    ...more,
    code: openZeppelin4('TransparentUpgradeableProxy'),
    slots: { implementation: w.add('logic', logic), admin: locked(w) },
  })

/** A beacon proxy of OpenZeppelin 4, over logic of ours. */
const behindBeacon = (w: SampleWorld, logic: string, beacon: Described): Hex => {
  const implementation = w.add('logic', { code: ours(logic) })
  return w.add('target', {
    code: openZeppelin4('BeaconProxy'),
    slots: {
      beacon: w.add('beacon', {
        ...beacon,
        slots: { slot0: (beacon.calls?.owner ?? ZERO) as Hex, slot1: implementation },
        calls: { ...beacon.calls, implementation },
      }),
    },
    calls: { owner: eoa },
    more: { [slotKey(SLOTS.slot0)]: toWord(eoa) },
  })
}
const lockedBeacon = (w: SampleWorld): Described => {
  const owner = locked(w)
  return { code: openZeppelin4('UpgradeableBeacon'), calls: { owner }, allows: (from) => from === owner }
}

const LENDING: readonly Case[] = [
  {
    setup: 'logic that lets its owner, an EOA, delegatecall arbitrary code',
    build: (w) => lockedProxy(w, { code: ours('OwnerDelegatecall') }),
    label: 'single_key',
    reason: /The owner, who may make it run any code, is .* an EOA/,
  },
  {
    setup: 'logic that lets its owner, a timelock, delegatecall arbitrary code',
    build: (w) =>
      lockedProxy(
        w,
        { code: ours('OwnerDelegatecall') },
        { calls: { owner: locked(w) }, more: { [slotKey(SLOTS.slot0)]: toWord(locked(w)) } },
      ),
    label: 'timelocked',
  },
  ...['UnguardedDelegatecall', 'PartialSenderCheck'].map(
    (name): Case => ({
      setup: `logic that lets callers other than its owner delegatecall arbitrary code (${name})`,
      build: (w) => lockedProxy(w, { code: ours(name) }, { calls: { owner: locked(w) } }),
      label: 'unknown',
      reason: /delegatecalls to addresses its caller chooses/,
    }),
  ),
  {
    setup: 'logic that a timelock upgrades, and that also delegates to what one key names',
    build: (w) => {
      const owner = locked(w)
      const delegates = [{ from: 'input', notAt: at('logic') } as const, { from: 'input', sender: HIDDEN } as const]
      return w.add('target', {
        code: FORWARDER,
        slots: { implementation: w.add('logic', { code: { ...UUPS, delegates, delegating: true } }) },
        calls: { owner },
        more: { [slotKey(HIDDEN)]: toWord(eoa) },
        allows: (from) => from === owner,
      })
    },
    label: 'single_key',
    reason: /who may make it run any code, is .* an EOA/,
  },
  {
    setup: 'an executor behind a proxy: its executors can write the pointer',
    build: (w) => {
      const calls = { adminRole: roleNamed('ADMIN_ROLE'), executorRole: EXECUTOR, hasRole: 0 }
      const logic: Described = { code: { delegates: [{ from: 'input' }], delegating: true } }
      return lockedProxy(w, logic, { calls, roles: { [EXECUTOR]: [council(w)] } })
    },
    label: 'multisig',
    reason: /Executor EXECUTOR_ROLE member is Safe/,
  },
  {
    setup: 'a proxy whose admin is an executor of a timelock, itself behind a proxy',
    build: (w) => {
      const calls = { adminRole: roleNamed('ADMIN_ROLE'), executorRole: EXECUTOR, hasRole: 0 }
      const logic: Described = { code: { delegates: [{ from: 'input' }], delegating: true } }
      const roles = { [EXECUTOR]: [locked(w)], [roleNamed('ADMIN_ROLE')]: [at('target')] }
      const executor = lockedProxy(w, logic, { calls, roles })
      return w.add('below', { code: TRANSPARENT, slots: { implementation: w.add('plain', {}), admin: executor } })
    },
    label: 'timelocked',
  },
  {
    setup: 'a beacon of a timelock, and logic that reads another beacon',
    build: (w) => behindBeacon(w, 'BeaconMover', lockedBeacon(w)),
    label: 'single_key',
    reason: /can write the pointer/,
  },
  {
    setup: 'a beacon that no account can change, and logic that reads another beacon',
    build: (w) => behindBeacon(w, 'BeaconMover', { code: openZeppelin4('UpgradeableBeacon') }),
    label: 'single_key',
    reason: /can write the pointer/,
  },
  {
    setup: 'a beacon of a timelock, and logic that lets its owner, an EOA, delegatecall arbitrary code',
    build: (w) => behindBeacon(w, 'OwnerDelegatecall', lockedBeacon(w)),
    label: 'single_key',
  },
  {
    setup: 'a beacon of a timelock, and logic that does neither',
    build: (w) => behindBeacon(w, 'Plain', lockedBeacon(w)),
    label: 'timelocked',
  },
  {
    setup: 'code that runs what it is given, and mentions a function of upgrades',
    build: (w) => w.add('target', { code: analyzeCode('0x6352d1902d505f5f5f5f5f355af400'), calls: { owner: eoa } }),
    label: 'unknown',
    reason: /delegatecalls to addresses its caller chooses/,
  },
  ...['OwnedUups', 'OwnedUups4'].map(
    (name): Case => ({
      setup: `upgradeable logic itself, which upgrades nothing at its own address (${name})`,
      build: (w) => {
        const self = at('target')
        const code = deployedCode(name).replaceAll(`7f${'0'.repeat(64)}`, `7f${toWord(self).slice(2)}`) as Hex
        return w.add('target', { code: analyzeCode(code), calls: { owner: eoa } })
      },
      label: 'immutable',
    }),
  ),
]

/** Synthetix' proxy with its owner in slot 0, its pending owner in slot 1, and its target in slot 2. */
const synthetix = (w: SampleWorld, owner: Hex, more: Described = {}, offered: Hex = ZERO): Hex =>
  w.add('target', {
    code: ours('SynthetixProxy'),
    calls: { owner, target: w.add('called', {}) },
    allows: (from) => from === owner,
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
    reason: /Proxy owner is .* an EOA/,
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
      const code = { cloneOf: w.add('template', { code: ours('SynthetixProxy') }) }
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
    build: (w) => synthetix(w, locked(w), { allows: () => false }),
    label: 'unknown',
    reason: /can change its target/,
  },
]

const NOT_UUPS: readonly Case[] = [
  {
    setup: 'a timelock as admin, and logic that upgrades other proxies for an owner of one key',
    build: (w) => lockedProxy(w, { code: ours('ProxyFactory') }),
    label: 'timelocked',
  },
  {
    setup: 'the same logic, which names no controller',
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
    build: (w) => lockedProxy(w, { code: ours('OwnedUups4') }, { allows: (from) => from === eoa }),
    label: 'single_key',
  },
  {
    setup: 'a timelock as admin, and logic whose upgrade functions refuse every caller',
    build: (w) => lockedProxy(w, { code: ours('OwnedUups4'), calls: { proxiableUUID: SLOTS.implementation } }),
    label: 'single_key',
  },
  {
    setup: 'a timelock as admin, and logic that moves the pointer for others than it names',
    build: (w) => lockedProxy(w, { code: UUPS }),
    label: 'unknown',
    reason: /can write the pointer/,
  },
  {
    setup: 'logic that upgrades other proxies, behind a proxy without an admin',
    build: (w) =>
      w.add('target', {
        code: openZeppelin4('ERC1967Proxy'),
        slots: { implementation: w.add('logic', { code: ours('ProxyFactory') }) },
        calls: { owner: eoa },
      }),
    label: 'immutable',
  },
]

const admins = [
  ['FiatTokenProxy', 'zosImplementation', 'zosAdmin'],
  ['PolygonProxy', 'polygonImplementation', 'polygonOwner'],
  ['L1ChugSplashProxy', 'implementation', 'admin'],
] as const
const ASKING: readonly Case[] = [
  ...admins.map(
    ([name, implementation, admin]): Case => ({
      setup: `${name}, whose admin is a Safe`,
      build: (w) =>
        w.add('target', {
          code: ours(name),
          slots: { [implementation]: w.add('logic', {}), [admin]: council(w) },
        }),
      label: 'multisig',
    }),
  ),
  {
    setup: 'a proxy that calls its logic before an upgrade, for any caller',
    build: (w) => shown(w, { callsOut: analyzeCode('0x5f5f5f5f5f305af1').callsOut }),
    label: 'unknown',
    reason: /reads from a table or another contract/,
  },
  {
    setup: 'a proxy that calls a contract in another slot',
    build: (w) => shown(w, { calledSlots: [HIDDEN] }),
    label: 'unknown',
    reason: /reads from a table or another contract/,
  },
]

const UNGUARDED = ['UnguardedUpgrade', 'UnguardedAdmin', 'WrongSlotCheck', 'PartialZeroCheck', 'NonzeroSenderCheck']
const OPEN: readonly Case[] = [
  {
    setup: 'a proxy that any caller could initialize once, and that now checks its admin',
    build: (w) => adminChecked(w, 'InitializableProxy', { admin: locked(w) }),
    label: 'timelocked',
  },
  {
    setup: 'the same without an admin',
    build: (w) => adminChecked(w, 'InitializableProxy', {}),
    label: 'immutable',
  },
  ...UNGUARDED.map(
    (name): Case => ({
      setup: `a proxy that checks its admin, but has another unguarded write of its pointer (${name})`,
      build: (w) => adminChecked(w, name, { admin: locked(w) }),
      label: 'unknown',
      reason: /lets any account change its implementation/,
    }),
  ),
  {
    setup: 'a proxy without an admin that lets any caller upgrade',
    build: (w) => adminChecked(w, 'UnguardedUpgrade', {}),
    label: 'unknown',
  },
]
const adminChecked = (w: SampleWorld, name: string, slots: Described['slots']): Hex =>
  w.add('target', { code: ours(name), slots: { implementation: w.add('logic', {}), ...slots } })

/** A proxy that checks the timelock in its admin slot. */
const shown = (w: SampleWorld, code: Partial<CodeFacts>): Hex =>
  w.add('target', {
    code: { ...TRANSPARENT, ...code },
    slots: { implementation: w.add('logic', {}), admin: locked(w) },
  })

/** Solady's ERC1967Factory and a proxy of it (https://github.com/vectorized/solady, src/utils/ERC1967Factory.sol). */
const FACTORY: Hex = '0x0000000000006396ff2a80c067f99b3d2ab4df24'
const FACTORY_PROXY: Hex = `0x3d3d336d6396ff2a80c067f99b3d2ab4df2414605157363d3d37363d7f${SLOTS.implementation.slice(2)}545af43d6000803e604c573d6000fd5b3d6000f35b3d3560203555604080361115604c5736038060403d373d3d355af43d6000803e604c573d6000fd`

const GIVING: readonly Case[] = [
  {
    setup: 'OssifiableProxy, whose admin is a Safe',
    build: (w) =>
      w.add('target', {
        code: ours('OssifiableProxy'),
        slots: { implementation: w.add('logic', {}), admin: council(w) },
        calls: { isOssified: 0 },
      }),
    label: 'multisig',
  },
  {
    setup: 'OssifiableProxy, ossified',
    build: (w) =>
      w.add('target', {
        code: ours('OssifiableProxy'),
        slots: { implementation: w.add('logic', {}) },
        calls: { isOssified: 1 },
      }),
    label: 'immutable',
    reason: /ossified/,
  },
  {
    setup: 'the same with a function that runs what anyone names',
    build: (w) =>
      w.add('target', { code: ours('OpenProxy'), slots: { implementation: w.add('logic', {}), admin: locked(w) } }),
    label: 'unknown',
    reason: /not in its known slots/,
  },
  {
    setup: 'a transparent proxy by its functions, that runs what anyone names',
    build: (w) =>
      shown(w, {
        delegates: [{ from: 'slot', slot: SLOTS.implementation }, { from: 'input' }],
        selectors: new Set<Hex>(['0x4f1ef286']),
      }),
    label: 'unknown',
  },
  {
    setup: 'a proxy that delegates to what another account than its admin names',
    build: (w) =>
      shown(w, {
        delegates: [
          { from: 'slot', slot: SLOTS.implementation },
          { from: 'input', sender: HIDDEN },
        ],
      }),
    label: 'unknown',
  },
  {
    setup: "a proxy of Solady's factory, whose admin is a Safe",
    build: (w) => {
      const more = { [callKey(`0x2abbef15${toWord(at('target')).slice(2)}`)]: toWord(council(w)) }
      w.addAt(FACTORY, { more })
      return w.add('target', { code: analyzeCode(FACTORY_PROXY), slots: { implementation: w.add('logic', {}) } })
    },
    label: 'multisig',
    reason: /kept by the ERC1967Factory/,
  },
]

/** Code that keeps its owner in slot 0. */
const ownedCode = (w: SampleWorld, name: string, code: string, owner: Hex): Hex =>
  w.add(name, { code: ours(code), calls: { owner }, more: { [slotKey(SLOTS.slot0)]: toWord(owner) } })

const RUNNING: readonly Case[] = [
  {
    setup: 'an Aave pool, whose executor runs payloads in its own name',
    build: (w) => {
      const payloadsExecutor: Hex = `0x${toWord(at('executor')).slice(2)}${toWord(86_400).slice(2)}`
      const payloads = w.add('payloads', { calls: { payloadsExecutor, owner: at('executor') } })
      const provider = w.add('provider', { calls: { owner: ownedCode(w, 'executor', 'AaveExecutor', payloads) } })
      const code = { ...FORWARDER, writes: [SLOTS.implementation], senders: [provider] }
      return w.add('target', { code, slots: { implementation: w.add('logic', {}) } })
    },
    label: 'unknown',
    reason: /payload delay of 24 h/,
  },
  {
    setup: 'a DSPauseProxy of a timelock as admin',
    build: (w) => w.transparent('target', ownedCode(w, 'pause', 'DSPauseProxy', locked(w))),
    label: 'timelocked',
  },
  {
    setup: 'a DSPauseProxy of one key as admin',
    build: (w) => w.transparent('target', ownedCode(w, 'pause', 'DSPauseProxy', eoa)),
    label: 'single_key',
  },
  {
    setup: 'a DSPauseProxy that shows another owner than it obeys',
    build: (w) => {
      const code = ours('DSPauseProxy')
      const more = { [slotKey(SLOTS.slot0)]: toWord(eoa) }
      return w.transparent('target', w.add('pause', { code, calls: { owner: locked(w) }, more }))
    },
    label: 'single_key',
  },
  {
    setup: 'an admin of a timelock that runs what anyone names',
    build: (w) => w.transparent('target', ownedCode(w, 'open', 'UnguardedDelegatecall', locked(w))),
    label: 'unknown',
    reason: /delegatecalls to addresses its caller chooses/,
  },
  {
    setup: 'a DSPauseProxy itself',
    build: (w) => ownedCode(w, 'target', 'DSPauseProxy', locked(w)),
    label: 'timelocked',
  },
]

testCases([...LENDING, ...CALLING, ...NOT_UUPS, ...ASKING, ...OPEN, ...GIVING, ...RUNNING])
