/** What proves that a governor acts only after a vote, each rule shown by a governor that breaks it and by one that keeps it. */
import type { Hex } from 'viem'
import { behind, type Case, eoa, testCases } from '../../../../testing/evm/sample-cases.ts'
import {
  by,
  call,
  constant,
  effects,
  inSlot,
  run,
  slot,
  store,
  stored,
} from '../../../../testing/evm/sample-effects.ts'
import { at, type SampleWorld } from '../../../../testing/evm/sample-world.ts'
import type { Condition, Effect } from '../code/effects.ts'
import type { Key, Position } from '../code/positions.ts'
import type { Target } from '../code/targets.ts'
import { NO_POWERS } from '../powers/code-powers.ts'
import { toWord } from './abi-values.ts'

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

/** A governor that calls its timelock after a vote, and has these other effects. */
const voting = (w: SampleWorld, ...others: readonly Effect[]): Hex =>
  governor(w, voted(inSlot(11)), cast, record, ...others)
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

const QUEUED: Position & { type: 'table' } = { type: 'table', base: toWord(13), keys: ['#1'], member: 0 }
/** A governor that lets every caller use a function of its timelock which is named like a cancellation and does this. */
const canceling = (w: SampleWorld, act: Effect): Hex => {
  const passes: Hex = '0x591fcdfe'
  const cancel: Effect = { ...call(inSlot(11), { type: 'entry', table: votes(1) }), passes }
  const target = governor(w, voted(inSlot(11)), cancel, cast, record)
  const due = call({ type: 'input' }, { type: 'due', table: QUEUED })
  const executed: Effect = { ...due, boundBy: [QUEUED.base], selector: '0x0825f38f' }
  w.timelock('lock', 172_800, [at('governor')], { code: { effects: effects(executed, { ...act, selector: passes }) } })
  return target
}

const CASES: readonly Case[] = [
  {
    setup: 'a governor that calls its timelock after a vote',
    build: (w) => voting(w),
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
      return voting(w)
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
    build: (w) => voting(w, { ...store(VOTED.table), keeps: toWord(254) }),
    label: 'unknown',
  },
  {
    setup: 'a governor with a function that leaves the record of a vote as it is',
    build: (w) => voting(w, { ...store(VOTED.table), keeps: toWord(255) }),
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
    build: (w) => voting(w, { ...store(VOTED.table), sets: toWord(1) }),
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
    build: (w) => voting(w, ...executingQueued(passed)),
    label: 'timelocked',
  },
  {
    setup: 'a governor that executes what was queued without a vote',
    build: (w) => voting(w, ...executingQueued()),
    label: 'unknown',
  },
  {
    setup: 'a governor that executes what was queued after a vote for another proposal',
    build: (w) => voting(w, ...executingQueued({ ...passed, table: votes(2) })),
    label: 'unknown',
  },
  {
    setup: 'a governor that begins the count of a new proposal',
    build: (w) => voting(w, ...restarting()),
    label: 'timelocked',
  },
  {
    setup: 'a governor that begins the count of a proposal, which may not be new after that',
    build: (w) => voting(w, ...restarting({ isCertain: false })),
    label: 'unknown',
  },
  {
    setup: 'a governor that tests something else than it sets where it begins a count',
    build: (w) => {
      const position = { ...votes(5), member: 4 }
      return voting(w, ...restarting({ position }))
    },
    label: 'unknown',
  },
  {
    setup: 'a governor that begins the count of a proposal again when its mark was removed',
    build: (w) => {
      const removed = { ...store({ ...votes(6), member: 3 }), isClear: true }
      return voting(w, ...restarting(), removed)
    },
    label: 'unknown',
  },
  {
    setup: 'a governor that restarts the count of another proposal',
    build: (w) => {
      const unset: Condition = { type: 'unset', table: { ...votes(4), keys: ['?4'] } }
      const restart = { ...store({ ...votes(5), keys: ['?5'] }, unset), isClear: true }
      return voting(w, restart)
    },
    label: 'unknown',
  },
  {
    setup: 'a governor whose votes one key mints',
    build: (w) => {
      const guard = { type: 'constant', address: eoa } as const
      const mint = { selector: '0x40c10f19', effect: 'mint', evidence: 'code', guards: [guard] } as const
      w.add('token', { code: { powers: { ...WEIGHING, powers: [mint] } } })
      return voting(w)
    },
    label: 'single_key',
  },
  {
    setup: 'a governor whose votes the timelock mints',
    build: (w) => {
      const guard = { type: 'constant', address: at('lock') } as const
      const mint = { selector: '0x40c10f19', effect: 'mint', evidence: 'code', guards: [guard] } as const
      w.add('token', { code: { powers: { ...WEIGHING, powers: [mint] } } })
      return voting(w)
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
      return voting(w)
    },
    label: 'single_key',
  },
  {
    setup: 'a governor whose votes any caller may write',
    build: (w) => voting(w, store({ ...votes(3), keys: ['?3'] })),
    label: 'unknown',
  },
  {
    setup: 'a governor that calls its timelock for any caller',
    build: (w) => voting(w, call(inSlot(11))),
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
    build: (w) => voting(w, store(TIME)),
    label: 'unknown',
  },
  {
    setup: 'a governor that stores the time of a proposal that has none',
    build: (w) => voting(w, store(TIME, { type: 'unset', table: TIME })),
    label: 'timelocked',
  },
  {
    setup: 'a governor that stores the time of a proposal of a new number',
    build: (w) => voting(w, { ...store(TIME), freshBy: toWord(20) }),
    label: 'timelocked',
  },
  {
    setup: 'a governor that stores the time of a proposal of a new number, and counts elsewhere too',
    build: (w) => voting(w, { ...store(TIME), freshBy: toWord(20) }, { ...store(slot(20)), isNext: true }),
    label: 'timelocked',
  },
  {
    setup: 'a governor whose callers set back the number of proposals',
    build: (w) => voting(w, { ...store(TIME), freshBy: toWord(20) }, store(slot(20))),
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
    build: (w) => voting(w, { ...store(TIME), keeps: toWord(0xffff) }),
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
]

testCases(CASES)
