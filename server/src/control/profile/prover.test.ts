/** Rules of the proof, each shown by a system that breaks it and by one that keeps it. */
import { concatHex, type Hex, keccak256, numberToHex, stringToHex } from 'viem'
import {
  behind,
  type Case,
  council,
  eoa,
  locked,
  signers,
  testCases,
  ZERO,
} from '../../../../testing/evm/sample-cases.ts'
import { at, type Described, type SampleWorld } from '../../../../testing/evm/sample-world.ts'
import type { Answer, CodeEffects, Condition, Effect } from '../code/effects.ts'
import { OP } from '../code/instructions.ts'
import type { Key, Position } from '../code/positions.ts'
import type { Target } from '../code/targets.ts'
import { NO_POWERS } from '../powers/code-powers.ts'
import { toWord } from './abi-values.ts'
import { DEFAULT_ADMIN, PROPOSER } from './roles.ts'
import { SLOTS } from './slots.ts'
import { slotKey } from './state.ts'

const slot = (number: number): Position => ({ type: 'slot', slot: toWord(number) })
const inSlot = (number: number): Target => ({ type: 'slot', slot: toWord(number), shift: 0 })
const by = (is: Target): Condition => ({ type: 'caller', is })
const constant = (address: Hex): Target => ({ type: 'constant', address })

const effects = (...list: readonly Effect[]): CodeEffects => ({ effects: list, asks: [], answers: [], settled: true })
const store = (position: Position, ...conditions: readonly Condition[]): Effect => ({
  kind: 'store',
  at: 1,
  position,
  conditions,
})
const call = (target: Target, ...conditions: readonly Condition[]): Effect => ({
  kind: 'call',
  at: 2,
  target,
  conditions,
})
const run = (target: Target, more: Partial<Effect> = {}): Effect => ({
  kind: 'delegatecall',
  at: 3,
  target,
  isForwarded: true,
  conditions: [],
  ...more,
})
const stored = (...words: readonly (readonly [number, Hex | number])[]): Described['more'] =>
  Object.fromEntries(words.map(([number, word]) => [slotKey(toWord(number)), toWord(word)]))

/** A proxy whose pointer in slot 7 needs the account in slot 8. */
const OWN_PROXY = effects(run(inSlot(7)), store(slot(7), by(inSlot(8))))
const proxy = (w: SampleWorld, owner: Hex, logic: Described = {}): Hex =>
  w.add('target', {
    code: {
      effects: OWN_PROXY,
      delegating: true,
      delegates: [{ from: 'slot', slot: SLOTS.implementation }],
      writes: [SLOTS.implementation],
      senderSlots: [SLOTS.admin],
    },
    slots: { implementation: w.add('logic', logic), admin: owner },
    more: stored([7, at('logic')], [8, owner]) ?? {},
  })

/** A beacon whose answer is in slot 1, which only the account in slot 0 may set. */
const beaconProxy = (
  w: SampleWorld,
  answers: readonly Answer[],
  more: readonly (readonly [number, Hex])[] = [],
): Hex => {
  const logic = w.add('logic', {})
  const owner = locked(w)
  const beacon = w.add('beacon', {
    code: { effects: { ...effects(store(slot(1), by(inSlot(0)))), answers } },
    slots: { slot0: owner, slot1: logic },
    calls: { implementation: logic, owner },
    more: stored(...more) ?? {},
    allows: (from) => from === owner,
  })
  return w.add('target', {
    code: {
      delegating: true,
      delegates: [{ from: 'answer', by: SLOTS.beacon }],
      effects: effects(
        run({ type: 'returned', by: { type: 'slot', slot: SLOTS.beacon, shift: 0 }, selector: '0x5c60da1b' }),
      ),
    },
    slots: { beacon },
  })
}

const ROLE = keccak256(stringToHex('UPGRADER_ROLE'))
const GRANTING = keccak256(stringToHex('GRANTING_ROLE'))
const ROLE_GRANTED = keccak256(stringToHex('RoleGranted(bytes32,address,address)'))
const member: Position & { type: 'table' } = { type: 'table', base: toWord(5), keys: [ROLE, '?1'], member: 0 }
const isMember: Condition = {
  type: 'listed',
  table: { ...member, keys: [ROLE, 'caller'] },
  mask: `0x${'f'.repeat(64)}`,
}
/** Logic that members of a role upgrade, and a store that adds a member. */
const roled = (w: SampleWorld, grant: Partial<Effect>, described: Described = {}): Hex =>
  w.add('target', {
    ...described,
    code: {
      effects: effects(run(inSlot(7)), store(slot(7), isMember), {
        ...store(member, by(constant(locked(w)))),
        ...grant,
      }),
    },
    calls: { hasRole: 0 },
    roles: { [DEFAULT_ADMIN]: [], [ROLE]: [council(w)] },
    more: { ...stored([7, w.add('logic', {})]), ...described.more },
  })
const elementOf = (key: Hex, base: Hex): Hex => keccak256(concatHex([toWord(key), base]))
/** The slots of the table of roles: an entry of a member, and the role that grants a role. */
const entryOf = (role: Hex, account: Hex): string => slotKey(elementOf(account, elementOf(role, toWord(5))))
const adminOf = (role: Hex): string => slotKey(toWord(BigInt(elementOf(role, toWord(5))) + 1n))

const votes = (key: number): Position & { type: 'table' } => ({
  type: 'table',
  base: toWord(9),
  keys: [`#${key}`],
  member: 1,
})
const passed: Condition & { type: 'above' } = { type: 'above', table: votes(1), other: 0 }
/** A call after a vote for a proposal whose number is a hash of the call. */
const voted = (target: Target, ...conditions: readonly Condition[]): Effect => ({
  ...call(target, passed, ...conditions),
  namedBy: [toWord(9)],
})
/** A call after a vote for a proposal that is stored by its number. `readsInput`: what the function reads of the input. */
const numbered = (...readsInput: readonly Key[]): Effect => ({
  ...call(inSlot(11), { type: 'above', table: { ...votes(1), keys: ['?1'] }, other: 0 }),
  readsOf: ['?1'],
  readsLists: [],
  readsInput,
})
/** A token that answers how many votes an account has, and had at a time. */
const [NOW, PAST] = ['0x9ab24eb0', '0x3a46b1a8'] as const
const WEIGHING = {
  ...NO_POWERS,
  functions: [NOW, PAST].map((selector) => ({ selector, access: 'every caller' })),
  answers: { timed: [PAST], lasting: [] },
}
/** A vote for a proposal, and the same vote against it where it does not state which votes need as much. */
const both = (vote: Effect): readonly Effect[] => {
  const { weighed, position, openAs, at: place } = vote
  if (weighed === undefined || openAs !== undefined || position?.type !== 'table') return [vote]
  return [vote, { ...vote, position: { ...position, member: 0 }, openAs: [place] }]
}
const governor = (w: SampleWorld, ...list: readonly Effect[]): Hex => {
  if (w.state(at('token')) === undefined) w.add('token', { code: { powers: WEIGHING } })
  const self = at('governor')
  const timelock = w.timelock('lock', 172_800, [self])
  w.add('governor', {
    code: { effects: effects(...list.flatMap(both)) },
    calls: { votingDelay: 1, votingPeriod: 100, timelock },
    more: stored([11, timelock], [12, at('token')]) ?? {},
  })
  return behind(w, timelock)
}
const VOTED: Condition & { type: 'unset' } = {
  type: 'unset',
  table: { type: 'table', base: toWord(9), keys: ['?2', '0x3', 'caller'], member: 0 },
  mask: toWord(1),
}
/** The time as of which the votes for a proposal count. */
const TIME: Position & { type: 'table' } = { ...votes(2), keys: ['?2'], member: 5 }
const cast: Effect = {
  ...store({ ...votes(2), keys: ['?2'] }, VOTED),
  selector: '0x56781388',
  weighed: {
    by: inSlot(12),
    selector: PAST,
    account: 'caller',
    time: `@${JSON.stringify(TIME)}`,
    timeMask: toWord(0xffff),
  },
  isCast: true,
}
const castNow = { ...cast, weighed: { by: inSlot(12), selector: NOW, account: 'caller' } } as const
const record: Effect = {
  ...store(VOTED.table, VOTED),
  selector: '0x56781388',
  sets: toWord(1),
  isCertain: true,
  isCast: true,
}
const { isCertain: _, ...uncertain } = record

/** A call of anything that is chosen, once for a proposal whose mark is not set. */
const MARK: Condition & { type: 'unset' } = { type: 'unset', table: { ...votes(1), member: 4 }, mask: toWord(1) }
const executing = (more: Partial<Effect> = {}): readonly Effect[] => [
  { ...voted({ type: 'input' }, MARK), selector: '0xfe0d94c1' },
  { ...store(MARK.table, MARK), sets: toWord(1), isCertain: true, selector: '0xfe0d94c1', ...more },
]
/** A governor that is the owner itself. */
const ownGovernor = (w: SampleWorld, ...list: readonly Effect[]): Hex => {
  const timelock = w.timelock('lock', 172_800, [at('governor')])
  const more = stored([12, w.add('token', { code: { powers: WEIGHING } })]) ?? {}
  const calls = { votingDelay: 1, votingPeriod: 100, timelock }
  return behind(w, w.add('governor', { code: { effects: effects(...list.flatMap(both)) }, calls, more }))
}

/** Executes what is queued where an entry of the proposal is set, which another function sets under these conditions. */
const executingQueued = (...conditions: readonly Condition[]): readonly Effect[] => {
  const entry: Position & { type: 'table' } = { type: 'table', base: toWord(14), keys: ['#1'], member: 0 }
  return [
    { ...call(inSlot(11), { type: 'entry', table: entry }), namedBy: [entry.base], selector: '0x2656227d' },
    { ...store(entry, ...conditions), selector: '0x160cbed7' },
  ]
}

/** Removes the votes for a proposal whose mark is not set, and sets the mark. */
const restarting = (more: Partial<Effect> = {}): readonly Effect[] => {
  const mark = { ...votes(5), member: 3 }
  const unset: Condition = { type: 'unset', table: mark }
  return [
    { ...store(votes(5), unset), isClear: true, selector: '0x7d5e81e2' },
    { ...store(mark, unset), sets: toWord(1), isCertain: true, selector: '0x7d5e81e2', ...more },
  ]
}

/** A library that its code destroys where these conditions hold, and that logic of a timelock runs. */
const withLibrary = (w: SampleWorld, ...conditions: readonly Condition[]): Hex => {
  const library = w.add('library', { code: { effects: effects({ kind: 'selfdestruct', at: 4, conditions }) } })
  return proxy(w, locked(w), { code: { effects: effects(run(constant(library), { isForwarded: false })) } })
}
const isAt = (address: Hex): Condition => ({ type: 'state', expression: [OP.EQ, 'self', address], isZero: false })

/** A store of the owner that only the contract itself may make, and a call of another function of what the caller names. */
const OWN_STORE: Effect = { ...store(slot(8), by({ type: 'self' })), selector: '0x11111111' }
const ping: Effect = { ...call({ type: 'input' }), passes: '0x22222222' }

/** A pointer that the owner may set, or whom a contract in slot 5 lets pass, which these conditions let set. */
const authorized = (w: SampleWorld, authority: Hex, ...conditions: readonly Condition[]): Hex => {
  const answered: Condition = { type: 'answered', by: { type: 'slot', slot: toWord(5), shift: 0 } }
  return w.add('target', {
    code: {
      effects: effects(
        run(inSlot(7)),
        store(slot(7), by(inSlot(8))),
        store(slot(7), answered),
        store(slot(5), ...conditions),
      ),
    },
    more: stored([5, authority], [7, w.add('logic', {})], [8, locked(w)]) ?? {},
  })
}

/** A list with lengths in these places, and a store of any word, or to one slot, under these conditions. */
const listed = (
  w: SampleWorld,
  lengths: readonly Position[],
  condition?: Condition,
  position: Position = { type: 'anywhere' },
): Hex => {
  const element: Position = { type: 'near', slot: keccak256(toWord(5)), lengths }
  const any = store(position, ...(condition === undefined ? [] : [condition]))
  return w.add('target', {
    code: { effects: effects(run(inSlot(7)), store(slot(7), by(inSlot(8))), store(element), any) },
    more: stored([5, 3], [7, w.add('logic', {})], [8, locked(w)], [9, numberToHex(1n << 64n)]) ?? {},
  })
}

const QUEUED: Position & { type: 'table' } = { type: 'table', base: toWord(13), keys: ['#1'], member: 0 }
const DUE: readonly Condition[] = [{ type: 'due', table: QUEUED }]
/** A flag, and a time in the fifth word of its key. */
const FLAGGED: readonly Condition[] = [{ type: 'entry', table: QUEUED, comeAt: [128] }]
const ANY_CALL = call({ type: 'input' })
const AT_128 = { timeAt: 128 } as const
/** A governor that lets every caller use a function of its timelock which is named like a cancellation and does this. */
const canceling = (w: SampleWorld, act: Effect): Hex => {
  const passes: Hex = '0x591fcdfe'
  const cancel: Effect = { ...call(inSlot(11), { type: 'entry', table: votes(1) }), passes }
  const target = governor(w, voted(inSlot(11)), cancel, cast, record)
  const due: Effect = { ...ANY_CALL, conditions: DUE, boundBy: [QUEUED.base], selector: '0x0825f38f' }
  w.timelock('lock', 172_800, [at('governor')], { code: { effects: effects(due, { ...act, selector: passes }) } })
  return target
}
/** A timelock that queues operations of the council, and lets those with an entry do this. */
const queueing = (
  w: SampleWorld,
  act: Effect,
  {
    conditions = DUE,
    queued = {},
    others = [],
  }: {
    readonly conditions?: readonly Condition[]
    readonly queued?: Partial<Effect>
    readonly others?: readonly Effect[]
  } = {},
): Hex => {
  const [safe, lock] = [council(w), at('lock')]
  const queue: Effect = { ...store({ ...QUEUED, keys: ['#2'] }, by(constant(safe))), delaySlot: toWord(2), ...queued }
  const executed: Effect = { boundBy: [QUEUED.base], ...act, conditions }
  w.add('lock', {
    code: { effects: effects(queue, executed, ...others) },
    calls: { getMinDelay: 172_800, hasRole: 0 },
    roles: { [PROPOSER]: [safe], [DEFAULT_ADMIN]: [lock] },
    more: stored([2, 172_800]) ?? {},
  })
  return behind(w, lock)
}

/** Roles that grant each other, one after the other from the one that upgrades on, and a key that has the last one. */
const chainOfRoles = (w: SampleWorld, length: number): Hex => {
  const roles = [ROLE, ...Array.from({ length }, (_, n) => keccak256(toWord(n)))]
  const last = roles.at(-1) as Hex
  const admins = roles.map((role, n) => [adminOf(role), roles[n + 1] ?? role])
  const more = { ...Object.fromEntries(admins), [entryOf(last, eoa)]: toWord(1) }
  return roled(w, { reportedBy: ROLE_GRANTED }, { history: { granted: new Map([[last, [eoa]]]) }, more })
}

const CASES: readonly Case[] = [
  {
    setup: 'a timelock that makes a call that is due',
    build: (w) => queueing(w, call({ type: 'input' })),
    label: 'timelocked',
  },
  {
    setup: 'a timelock that makes a call whose time, which its key contains, has come',
    build: (w) => queueing(w, ANY_CALL, { conditions: FLAGGED, queued: AT_128 }),
    label: 'timelocked',
  },
  {
    setup: 'a timelock that checks another time when it executes than when it queues',
    build: (w) => queueing(w, ANY_CALL, { conditions: FLAGGED, queued: { timeAt: 32 } }),
    label: 'multisig',
  },
  {
    setup: 'a timelock that stores a time and does not look at it',
    build: (w) => queueing(w, ANY_CALL, { conditions: FLAGGED }),
    label: 'multisig',
  },
  {
    setup: 'a timelock that stores a flag and takes it for a time',
    build: (w) => queueing(w, ANY_CALL, { queued: AT_128 }),
    label: 'multisig',
  },
  {
    setup: 'a timelock whose entries do not stand for what is called',
    build: (w) => queueing(w, { ...ANY_CALL, boundBy: [toWord(14)] }),
    label: 'unknown',
  },
  {
    setup: 'a timelock that calls the contract in a slot',
    build: (w) => queueing(w, call(inSlot(4))),
    label: 'timelocked',
  },
  {
    setup: 'a timelock that calls the contract in a slot, which the council can replace at once',
    build: (w) => queueing(w, call(inSlot(4)), { others: [store(slot(4), by(constant(council(w))))] }),
    label: 'multisig',
  },
  {
    setup: 'a timelock that runs a library if something is due, which makes any call',
    build: (w) => {
      const library = w.add('library', { code: { effects: effects(call({ type: 'input' })) } })
      return queueing(w, run(constant(library), { isForwarded: false }))
    },
    label: 'unknown',
  },
  {
    setup: 'a key that grants a role over several others',
    build: (w) => chainOfRoles(w, 12),
    label: 'single_key',
  },
  {
    setup: 'a key that grants a role over more others than are followed',
    build: (w) => chainOfRoles(w, 20),
    label: 'unknown',
  },
  {
    setup: 'a call to itself whose selector, cut after three bytes, is that of a function reserved to the contract',
    build: (w) => proxy(w, locked(w), { code: { effects: effects({ ...OWN_STORE, selector: '0x22222200' }, ping) } }),
    label: 'unknown',
  },
  {
    setup:
      'a call to itself of a function that passes a part of its input on, where another is reserved to the contract',
    build: (w) =>
      proxy(w, locked(w), { code: { effects: effects(OWN_STORE, run({ type: 'self' }, { isRenamed: true }), ping) } }),
    label: 'unknown',
  },
  {
    setup: 'a library that one key destroys when it is called itself',
    build: (w) => withLibrary(w, isAt(at('library')), by(constant(eoa))),
    label: 'single_key',
  },
  {
    setup: 'a library that any caller destroys when it is called itself',
    build: (w) => withLibrary(w, isAt(at('library'))),
    label: 'unknown',
  },
  {
    setup: 'a library that could be destroyed at another address only',
    build: (w) => withLibrary(w, isAt(eoa)),
    label: 'timelocked',
  },
  {
    setup: 'a function that is reserved to the contract, and a call to itself of another function',
    build: (w) => proxy(w, locked(w), { code: { effects: effects(OWN_STORE, ping) } }),
    label: 'timelocked',
  },
  {
    setup: 'a call to itself of a function that runs a library, where a function is reserved to the contract',
    build: (w) => {
      const library = w.add('library', { code: { effects: effects(OWN_STORE) } })
      return proxy(w, locked(w), { code: { effects: effects(run(constant(library), { isForwarded: false }), ping) } })
    },
    label: 'unknown',
  },
  {
    setup:
      'a call to itself of a function that passes its input on to logic, which reserves another one to the contract',
    build: (w) => {
      const library = w.add('library', { code: { effects: effects(OWN_STORE) } })
      return proxy(w, locked(w), { code: { effects: effects(run(constant(library)), ping) } })
    },
    label: 'timelocked',
  },
  {
    setup: 'a call to itself of a function that makes a batch of calls, where another one is reserved to the contract',
    build: (w) =>
      proxy(w, locked(w), {
        code: { effects: effects(OWN_STORE, run({ type: 'self' }, { isForwarded: false }), ping) },
      }),
    label: 'unknown',
  },
  {
    setup: 'an authority that is not set, and that only the owner may set',
    build: (w) => authorized(w, ZERO, by(inSlot(8))),
    label: 'timelocked',
  },
  {
    setup: 'an authority that is set',
    build: (w) => authorized(w, eoa, by(inSlot(8))),
    label: 'unknown',
  },
  {
    setup: 'an authority that is not set, and that any caller may set',
    build: (w) => authorized(w, ZERO),
    label: 'unknown',
  },
  {
    setup: 'a list, and an owner who may store any word',
    build: (w) => listed(w, [slot(5)], by(inSlot(8))),
    label: 'timelocked',
  },
  {
    setup: 'a list of a length that is stored already, and an owner who may store any word',
    build: (w) => listed(w, [slot(9)], by(inSlot(8))),
    label: 'unknown',
  },
  {
    setup: 'a list in a table, whose length an earlier owner may have stored',
    build: (w) => listed(w, [{ type: 'table', base: toWord(5), keys: ['?1'], member: 0 }], by(inSlot(8))),
    label: 'unknown',
  },
  {
    setup: 'a list, and any caller who may store any word',
    build: (w) => listed(w, [slot(5)]),
    label: 'unknown',
  },
  {
    setup: 'a list, and one key that may store any word',
    build: (w) => listed(w, [slot(5)], by(constant(eoa))),
    label: 'single_key',
  },
  {
    setup: 'a list, and one key that may store its length',
    build: (w) => listed(w, [slot(5)], by(constant(eoa)), slot(5)),
    label: 'unknown',
  },
  {
    setup: 'a contract that owns its owner, and that any caller may use to call it',
    build: (w) => {
      const owner = w.add('owner', { code: { effects: effects(call({ type: 'input' }, by(constant(at('target'))))) } })
      return proxy(w, owner, { code: { effects: effects(call({ type: 'input' })) } })
    },
    label: 'unknown',
  },
  {
    setup: 'an owner with an open function that sends tokens, and an upgrade function of the same name',
    build: (w) => {
      const transfer: Hex = '0xa9059cbb'
      const rescue = { ...call({ type: 'input' }), passes: transfer }
      const owner = w.add('owner', { code: { effects: effects(rescue) }, calls: { owner: locked(w) } })
      return w.add('target', {
        code: { effects: effects(run(inSlot(7)), { ...store(slot(7), by(inSlot(8))), selector: transfer }) },
        more: stored([7, w.add('logic', {})], [8, owner]) ?? {},
      })
    },
    label: 'unknown',
    reason: /makes a call in the name of the contract/,
  },
  {
    setup: 'an owner with an open function that sends tokens',
    build: (w) => {
      const rescue: Effect = { ...call({ type: 'input' }), passes: '0xa9059cbb' }
      const owner = w.add('owner', { code: { effects: effects(rescue) }, calls: { owner: locked(w) } })
      return w.add('target', {
        code: { effects: effects(run(inSlot(7)), { ...store(slot(7), by(inSlot(8))), selector: '0x3659cfe6' }) },
        more: stored([7, w.add('logic', {})], [8, owner]) ?? {},
      })
    },
    label: 'timelocked',
  },
  {
    setup: 'a Safe whose fallback handler is a contract with state',
    build: (w) => {
      const handler = w.add('handler', { code: { effects: effects(store(slot(1), by(constant(at('safe'))))) } })
      return behind(w, w.safe('safe', 3, signers(5), { slots: { safeFallbackHandler: handler } }))
    },
    label: 'unknown',
    reason: /fallback handler/,
  },
  {
    setup: 'a Safe whose fallback handler calls others',
    build: (w) => {
      const handler = w.add('handler', { code: { effects: effects(call({ type: 'caller' })) } })
      return behind(w, w.safe('safe', 3, signers(5), { slots: { safeFallbackHandler: handler } }))
    },
    label: 'unknown',
  },
  {
    setup: 'a Safe with a released fallback handler, which calls others',
    build: (w) => {
      const hash = '0x7c6007a5d711cea8dfd5d91f5940ec29c7f200fe511eb1fc1397b367af3c42f9'
      const handler = w.add('handler', { code: { hash, effects: effects(call({ type: 'caller' })) } })
      return behind(w, w.safe('safe', 3, signers(5), { slots: { safeFallbackHandler: handler } }))
    },
    label: 'multisig',
  },
  {
    setup: 'a beacon that answers with its slot',
    build: (w) => beaconProxy(w, [{ selector: '0x5c60da1b', is: inSlot(1) }]),
    label: 'timelocked',
  },
  {
    setup: 'a beacon that answers some callers otherwise',
    build: (w) =>
      beaconProxy(w, [
        { selector: '0x5c60da1b', is: inSlot(1) },
        { selector: '0x5c60da1b', is: { type: 'unknown' } },
      ]),
    label: 'unknown',
  },
  {
    setup: 'a beacon that answers at times with another slot, where an address without code is',
    build: (w) =>
      beaconProxy(
        w,
        [
          { selector: '0x5c60da1b', is: inSlot(1) },
          { selector: '0x5c60da1b', is: inSlot(9) },
        ],
        [[9, at('later')]],
      ),
    label: 'unknown',
  },
  {
    setup: 'members of a role that an event reports',
    build: (w) => roled(w, { reportedBy: ROLE_GRANTED }),
    label: 'multisig',
  },
  {
    setup: 'members of a role that were added without an event',
    build: (w) => roled(w, {}),
    label: 'unknown',
    reason: /without the event/,
  },
  {
    setup: 'an account that was given the role, that hasRole denies and that the table still has',
    build: (w) =>
      roled(
        w,
        { reportedBy: ROLE_GRANTED },
        { history: { granted: new Map([[ROLE, [eoa]]]) }, more: { [entryOf(ROLE, eoa)]: toWord(1) } },
      ),
    label: 'single_key',
  },
  {
    setup: 'an account that was given the role and lost it',
    build: (w) => roled(w, { reportedBy: ROLE_GRANTED }, { history: { granted: new Map([[ROLE, [eoa]]]) } }),
    label: 'multisig',
  },
  {
    setup: 'a role that another one grants, according to the table alone',
    build: (w) =>
      roled(
        w,
        { reportedBy: ROLE_GRANTED },
        {
          history: { granted: new Map([[GRANTING, [eoa]]]) },
          more: { [adminOf(ROLE)]: GRANTING, [entryOf(GRANTING, eoa)]: toWord(1) },
        },
      ),
    label: 'single_key',
  },
  {
    setup: 'earlier logic that added members of the role without an event',
    build: (w) => {
      const earlier = w.add('earlier', { code: { effects: effects(store(member)) } })
      return roled(w, { reportedBy: ROLE_GRANTED }, { history: { logics: [earlier] } })
    },
    label: 'unknown',
    reason: /without the event/,
  },
  {
    setup: 'earlier logic that reported the members it added',
    build: (w) => {
      const reported = { ...store(member), reportedBy: ROLE_GRANTED }
      const earlier = w.add('earlier', { code: { effects: effects(reported) } })
      return roled(w, { reportedBy: ROLE_GRANTED }, { history: { logics: [earlier] } })
    },
    label: 'multisig',
  },
  {
    setup: 'a pointer to an address without code',
    build: (w) => w.add('target', { code: { effects: effects(run(inSlot(7))) }, more: stored([7, at('later')]) ?? {} }),
    label: 'unknown',
  },
  {
    setup: 'code at the address of a precompiled contract',
    build: (w) => {
      w.addAt('0x0000000000000000000000000000000000000064', { code: { effects: effects(store(slot(7))) } })
      const target = constant('0x0000000000000000000000000000000000000064')
      return w.add('target', {
        code: { effects: effects(run(inSlot(7)), run(target)) },
        more: stored([7, w.add('logic', {})]) ?? {},
      })
    },
    label: 'unknown',
  },
  {
    setup: 'a holder at a small address with code',
    build: (w) => {
      const holder: Hex = '0x0000000000000000000000000000000000000001'
      w.addAt(holder, { code: { effects: effects(call({ type: 'input' })) } })
      return w.add('target', {
        code: { effects: effects(run(inSlot(7)), store(slot(7), by(constant(holder)))) },
        more: stored([7, w.add('logic', {})]) ?? {},
      })
    },
    label: 'unknown',
  },
  {
    setup: 'a governor that calls its timelock after a vote',
    build: (w) => governor(w, voted(inSlot(11)), cast, record),
    label: 'timelocked',
  },
  {
    setup: 'a governor that asks for the votes of now',
    build: (w) => governor(w, voted(inSlot(11)), castNow, record),
    label: 'unknown',
    reason: /function getVotes\(address\) of .* returns at the time of the vote/,
  },
  {
    setup: 'a governor that asks for the votes of now, which only holders of a power change',
    build: (w) => {
      w.add('token', { code: { powers: { ...WEIGHING, answers: { timed: [], lasting: [NOW] } } } })
      return governor(w, voted(inSlot(11)), castNow, record)
    },
    label: 'timelocked',
  },
  {
    setup: 'a governor whose token may change its answer about a past time',
    build: (w) => {
      w.add('token', { code: { powers: { ...WEIGHING, answers: { timed: [], lasting: [] } } } })
      return governor(w, voted(inSlot(11)), cast, record)
    },
    label: 'unknown',
    reason: /function getPastVotes\(address,uint256\) of .* about a past time/,
  },
  {
    setup: 'a governor whose accounts may vote again',
    build: (w) => governor(w, voted(inSlot(11)), cast),
    label: 'unknown',
  },
  {
    setup: 'a governor that records some votes',
    build: (w) => governor(w, voted(inSlot(11)), cast, uncertain),
    label: 'unknown',
  },
  {
    setup: 'a governor that records votes in another function',
    build: (w) => governor(w, voted(inSlot(11)), cast, { ...record, selector: '0x11111111' }),
    label: 'unknown',
  },
  {
    setup: 'a governor that records votes under a number of the caller',
    build: (w) => {
      const noted: Condition = { ...VOTED, table: { ...VOTED.table, keys: ['?2', '?9', 'caller'] } }
      const tally = { ...cast, conditions: [noted] }
      return governor(w, voted(inSlot(11)), tally, {
        ...record,
        position: noted.table,
        conditions: [noted],
      })
    },
    label: 'unknown',
  },
  {
    setup: 'a governor that records next to what it tests',
    build: (w) => governor(w, voted(inSlot(11)), cast, { ...record, position: { ...VOTED.table, member: 1 } }),
    label: 'unknown',
  },
  {
    setup: 'a governor that records something else than it tests',
    build: (w) => governor(w, voted(inSlot(11)), cast, { ...record, sets: toWord(256) }),
    label: 'unknown',
  },
  {
    setup: 'a governor that records votes after other code may have run',
    build: (w) => governor(w, voted(inSlot(11)), cast, { ...record, conditions: [{ ...VOTED, isStale: true }] }),
    label: 'unknown',
  },
  {
    setup: 'a governor with a function that removes the record of a vote',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, { ...store(VOTED.table), keeps: toWord(254) }),
    label: 'unknown',
  },
  {
    setup: 'a governor with a function that leaves the record of a vote as it is',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, { ...store(VOTED.table), keeps: toWord(255) }),
    label: 'timelocked',
  },
  {
    setup: 'a governor without votes against a proposal',
    build: (w) => governor(w, voted(inSlot(11)), { ...cast, openAs: [] }, record),
    label: 'unknown',
  },
  {
    setup: 'a governor whose votes against a proposal need more than those for it',
    build: (w) =>
      governor(
        w,
        voted(inSlot(11)),
        { ...cast, openAs: [cast.at] },
        { ...cast, position: votes(0), openAs: [] },
        record,
      ),
    label: 'unknown',
  },
  {
    setup: 'a governor with a proposal that passes also if more votes are against it',
    build: (w) => {
      const contrary: Condition = { type: 'above', table: { ...votes(1), member: 0 }, other: 1 }
      return governor(w, voted(inSlot(11)), { ...voted(inSlot(11)), conditions: [contrary] }, cast, record)
    },
    label: 'unknown',
  },
  {
    setup: 'a governor whose votes need a slot that every caller changes',
    build: (w) => {
      const needs: readonly Position[] = [{ type: 'slot', slot: toWord(13) }]
      return governor(w, voted(inSlot(11)), { ...cast, needs }, record, store({ type: 'slot', slot: toWord(13) }))
    },
    label: 'unknown',
  },
  {
    setup: 'a governor that counts votes of accounts that have not cast them',
    build: (w) => governor(w, voted(inSlot(11)), { ...cast, isCast: false }, record),
    label: 'unknown',
  },
  {
    setup: 'a governor with a function that records the vote of another account',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, { ...store(VOTED.table), sets: toWord(1) }),
    label: 'unknown',
  },
  {
    setup: 'a governor whose callers name the contract that weighs their votes',
    build: (w) =>
      governor(w, voted(inSlot(11)), { ...cast, weighed: { ...castNow.weighed, by: { type: 'input' } } }, record),
    label: 'unknown',
  },
  {
    setup: 'a governor that executes what was queued after a vote',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, ...executingQueued(passed)),
    label: 'timelocked',
  },
  {
    setup: 'a governor that executes what was queued without a vote',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, ...executingQueued()),
    label: 'unknown',
  },
  {
    setup: 'a governor that executes what was queued after a vote for another proposal',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, ...executingQueued({ ...passed, table: votes(2) })),
    label: 'unknown',
  },
  {
    setup: 'a governor that begins the count of a new proposal',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, ...restarting()),
    label: 'timelocked',
  },
  {
    setup: 'a governor that begins the count of a proposal, which may not be new after that',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, ...restarting({ isCertain: false })),
    label: 'unknown',
  },
  {
    setup: 'a governor that tests something else than it sets where it begins a count',
    build: (w) => {
      const position = { ...votes(5), member: 4 }
      return governor(w, voted(inSlot(11)), cast, record, ...restarting({ position }))
    },
    label: 'unknown',
  },
  {
    setup: 'a governor that begins the count of a proposal again when its mark was removed',
    build: (w) => {
      const removed = { ...store({ ...votes(6), member: 3 }), isClear: true }
      return governor(w, voted(inSlot(11)), cast, record, ...restarting(), removed)
    },
    label: 'unknown',
  },
  {
    setup: 'a governor that restarts the count of another proposal',
    build: (w) => {
      const unset: Condition = { type: 'unset', table: { ...votes(4), keys: ['?4'] } }
      const restart = { ...store({ ...votes(5), keys: ['?5'] }, unset), isClear: true }
      return governor(w, voted(inSlot(11)), cast, record, restart)
    },
    label: 'unknown',
  },
  {
    setup: 'a governor whose votes one key mints',
    build: (w) => {
      const guard = { type: 'constant', address: eoa } as const
      const mint = { selector: '0x40c10f19', effect: 'mint', evidence: 'code', guards: [guard] } as const
      w.add('token', { code: { powers: { ...WEIGHING, powers: [mint] } } })
      return governor(w, voted(inSlot(11)), cast, record)
    },
    label: 'single_key',
  },
  {
    setup: 'a governor whose votes the timelock mints',
    build: (w) => {
      const guard = { type: 'constant', address: at('lock') } as const
      const mint = { selector: '0x40c10f19', effect: 'mint', evidence: 'code', guards: [guard] } as const
      w.add('token', { code: { powers: { ...WEIGHING, powers: [mint] } } })
      return governor(w, voted(inSlot(11)), cast, record)
    },
    label: 'timelocked',
  },
  {
    setup: 'a governor whose token one key can replace',
    build: (w) => {
      const logic = w.add('token logic', {})
      w.add('token', {
        code: { effects: effects(run(inSlot(7)), store(slot(7), by(constant(eoa)))) },
        more: stored([7, logic]) ?? {},
      })
      return governor(w, voted(inSlot(11)), cast, record)
    },
    label: 'single_key',
  },
  {
    setup: 'a governor whose votes any caller may write',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, store({ ...votes(3), keys: ['?3'] })),
    label: 'unknown',
  },
  {
    setup: 'a governor that calls its timelock for any caller',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, call(inSlot(11))),
    label: 'unknown',
  },
  {
    setup: 'a governor without a vote',
    build: (w) => governor(w, call(inSlot(11), { type: 'entry', table: votes(1) })),
    label: 'unknown',
  },
  {
    setup: 'a governor that owns the contract itself, and has a timelock that it need not use',
    build: (w) => ownGovernor(w, ...executing(), cast, record),
    label: 'multisig',
    reason: /no timelock/,
  },
  {
    setup: 'a governor whose numbers of proposals are not hashes of the call',
    build: (w) => governor(w, { ...voted(inSlot(11)), namedBy: [] }, cast, record),
    label: 'unknown',
    reason: /makes a call in the name of the contract/,
  },
  {
    setup: 'a governor that stores its proposals by their numbers',
    build: (w) => governor(w, numbered('?1'), cast, record),
    label: 'timelocked',
  },
  {
    setup: 'a governor whose caller gives more than the number of a proposal',
    build: (w) => governor(w, numbered('?1', '?2'), cast, record),
    label: 'unknown',
    reason: /makes a call in the name of the contract/,
  },
  {
    setup: 'a governor whose caller gives the call and a number',
    build: (w) => governor(w, call(inSlot(11), { ...passed, table: { ...votes(1), keys: ['?1'] } }), cast, record),
    label: 'unknown',
    reason: /makes a call in the name of the contract/,
  },
  {
    setup: 'a governor that asks its timelock for the delay',
    build: (w) => governor(w, { ...voted(inSlot(11)), isAsking: true }, cast, record),
    label: 'timelocked',
  },
  {
    setup: 'a governor that asks a contract without a delay what to call it with',
    build: (w) => ownGovernor(w, ...executing().map((effect) => ({ ...effect, isAsking: true })), cast, record),
    label: 'unknown',
    reason: /need not be what was voted on/,
  },
  {
    setup: 'a governor that executes a proposal again',
    build: (w) => ownGovernor(w, voted({ type: 'input' }), cast, record),
    label: 'unknown',
    reason: /may be executed again/,
  },
  {
    setup: 'a governor that marks some proposals as executed',
    build: (w) => ownGovernor(w, ...executing({ isCertain: false }), cast, record),
    label: 'unknown',
    reason: /may be executed again/,
  },
  {
    setup: 'a governor that marks a proposal as executed after other code may have run',
    build: (w) => ownGovernor(w, ...executing({ conditions: [{ ...MARK, isStale: true }] }), cast, record),
    label: 'unknown',
    reason: /may be executed again/,
  },
  {
    setup: 'a governor that removes the mark of an executed proposal',
    build: (w) => ownGovernor(w, ...executing(), cast, record, { ...store(MARK.table), isClear: true }),
    label: 'unknown',
  },
  {
    setup: 'a governor whose callers change the time as of which votes count',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, store(TIME)),
    label: 'unknown',
  },
  {
    setup: 'a governor that stores the time of a proposal that has none',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, store(TIME, { type: 'unset', table: TIME })),
    label: 'timelocked',
  },
  {
    setup: 'a governor that stores the time of a proposal of a new number',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, { ...store(TIME), freshBy: toWord(20) }),
    label: 'timelocked',
  },
  {
    setup: 'a governor that stores the time of a proposal of a new number, and counts elsewhere too',
    build: (w) =>
      governor(
        w,
        voted(inSlot(11)),
        cast,
        record,
        { ...store(TIME), freshBy: toWord(20) },
        { ...store(slot(20)), isNext: true },
      ),
    label: 'timelocked',
  },
  {
    setup: 'a governor whose callers set back the number of proposals',
    build: (w) =>
      governor(w, voted(inSlot(11)), cast, record, { ...store(TIME), freshBy: toWord(20) }, store(slot(20))),
    label: 'unknown',
  },
  {
    setup: 'a governor whose callers cancel what its timelock queued',
    build: (w) => canceling(w, { ...store({ ...QUEUED, keys: ['?1'] }, by(constant(at('governor')))), isClear: true }),
    label: 'timelocked',
  },
  {
    setup: 'a governor whose callers make its timelock execute what they call a cancellation',
    build: (w) => canceling(w, call({ type: 'input' }, by(constant(at('governor'))))),
    label: 'unknown',
  },
  {
    setup: 'a governor that stores something next to the time of a proposal',
    build: (w) => governor(w, voted(inSlot(11)), cast, record, { ...store(TIME), keeps: toWord(0xffff) }),
    label: 'timelocked',
  },
  {
    setup: 'a governor whose callers change the end of a vote',
    build: (w) => {
      const end = { ...TIME, member: 6 }
      const ended: Condition = { type: 'clocked', table: end, mask: toWord(0xff) }
      const counted = { ...cast, conditions: [...cast.conditions, ended] }
      return governor(w, voted(inSlot(11)), counted, record, store(end))
    },
    label: 'unknown',
  },
  {
    setup: 'a proposer that may also act at once',
    build: (w) => {
      const safe = council(w)
      const lock = w.add('lock', {
        code: { effects: effects(call({ type: 'input' }, by(constant(safe)))) },
        calls: { getMinDelay: 172_800, hasRole: 0 },
        roles: { [PROPOSER]: [safe], [DEFAULT_ADMIN]: [at('lock')] },
      })
      return behind(w, lock)
    },
    label: 'multisig',
  },
  {
    setup: 'a renounced owner',
    build: (w) => proxy(w, ZERO),
    label: 'immutable',
  },
  {
    setup: 'one key as owner',
    build: (w) => proxy(w, eoa),
    label: 'single_key',
  },
]

testCases(CASES)
