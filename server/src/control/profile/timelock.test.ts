/** What proves that a timelock makes its users wait, each rule shown by a timelock that breaks it and by one that keeps it. */
import type { Hex } from 'viem'
import { behind, type Case, council, testCases } from '../../../../testing/evm/sample-cases.ts'
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
import type { Position } from '../code/positions.ts'
import { toWord } from './abi-values.ts'
import { DEFAULT_ADMIN, PROPOSER } from './roles.ts'

const QUEUED: Position & { type: 'table' } = { type: 'table', base: toWord(13), keys: ['#1'], member: 0 }
const DUE: readonly Condition[] = [{ type: 'due', table: QUEUED }]
/** A flag, and a time in the fifth word of its key. */
const FLAGGED: readonly Condition[] = [{ type: 'entry', table: QUEUED, comeAt: [128] }]

const ANY_CALL = call({ type: 'input' })
const AT_128 = { timeAt: 128 } as const
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
]

testCases(CASES)
