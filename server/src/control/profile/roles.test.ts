/** Who has a role, shown by tables and events of members that agree and by such that do not. */
import { concatHex, type Hex, keccak256, stringToHex } from 'viem'
import { type Case, council, eoa, locked, testCases } from '../../../../testing/evm/sample-cases.ts'
import { by, constant, effects, inSlot, run, slot, store, stored } from '../../../../testing/evm/sample-effects.ts'
import type { Described, SampleWorld } from '../../../../testing/evm/sample-world.ts'
import type { Condition, Effect } from '../code/effects.ts'
import type { Position } from '../code/positions.ts'
import { toWord } from './abi-values.ts'
import { DEFAULT_ADMIN } from './roles.ts'
import { slotKey } from './state.ts'

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
]

testCases(CASES)
