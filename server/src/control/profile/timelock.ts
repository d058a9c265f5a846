/** Timelocks and votes: who may put something in the queue, who may do without it, and how long it waits. */
import type { Hex } from 'viem'
import { type Account, type Controllers, classify, controllersOf, isNobody, rolesOf } from './account.ts'
import type { ControlNode } from './control-node.ts'
import { child, type Hop, type Judged, longer, through, type Walk } from './control-path.ts'
import { each, type Facts } from './facts.ts'
import { labelByDelay } from './label.ts'
import { DEFAULT_ADMIN, EXECUTOR, grantersOf, incomplete, PROPOSER, ROLE_NAMES, roleNamed } from './roles.ts'
import type { RoleBook } from './state.ts'
import { upgradeAuthority } from './upgrade-authority.ts'
import { ownUpgrade } from './upgrader-node.ts'

/** Living accounts that a contract names, as doors beside its rules. */
export function doorsOf(to: Walk, facts: Facts, what: string, hop: Hop): readonly ControlNode[] {
  return controllersOf(facts)
    .filter(({ address }) => !isNobody(address))
    .map(({ role, address }) => child(to, facts, address, { ...hop, role: `The ${role} of ${what}` }))
}

/** Roles of OpenZeppelin's timelock, none of which can do without the delay. */
const QUEUEING: ReadonlySet<Hex> = new Set([
  PROPOSER,
  EXECUTOR,
  DEFAULT_ADMIN,
  roleNamed('CANCELLER_ROLE'),
  roleNamed('TIMELOCK_ADMIN_ROLE'),
])

export function judgeTimelock(to: Walk, facts: Facts, delay: number, hop: Hop): Judged {
  const self = facts.state.address
  const proposers = roleMembers(to, facts, PROPOSER, longer(hop, delay))
  const book = facts.book('roles')
  const notes: string[] = []
  const executors = book?.roles.get(EXECUTOR)?.members ?? []
  if (executors.some((address) => BigInt(address) === 0n))
    notes.push('Anyone may execute after the delay (open executor).')
  const leaders = proposers.map(({ address }) => address)
  const isAtWill = maySetDelay(facts, leaders)
  if (isAtWill) notes.push(AT_WILL)
  // A timelock of OpenZeppelin has no owner and no other roles; one that has may have doors that do not wait.
  const besides =
    book === undefined ? [] : strangers(to, facts, book, [...QUEUEING, ...grantersOf(book, PROPOSER)], hop)
  const led = isAtWill ? roleMembers(to, facts, PROPOSER, hop) : proposers
  const paths = [...led, ...doorsOf(to, facts, `timelock ${self}`, hop), ...besides, ...ownUpgrade(to, facts, hop)]
  const waits = isAtWill ? hop.delay : longer(hop, delay).delay
  if (paths.length > 0) return through(paths, { delay: waits, notes })
  if (book === undefined) return { label: 'unknown', paths, notes: ['Who may propose could not be told.'] }
  return { label: 'immutable', paths, delay: waits, notes: ['Nobody can schedule anything in it any more.'] }
}

/** Members of all other roles than these. */
function strangers(to: Walk, facts: Facts, book: RoleBook, known: readonly Hex[], hop: Hop): readonly ControlNode[] {
  return [...book.roles].flatMap(([role, { members }]) =>
    members
      .filter((address) => !known.includes(role) && address !== facts.state.address)
      .map((address) =>
        child(to, facts, address, { ...hop, role: `${ROLE_NAMES.get(role) ?? `Role ${role}`} member` }),
      ),
  )
}

/** Those who execute, and whoever else it names or gives a role: what that role may do is not written in its getters. */
export function judgeExecutor(to: Walk, facts: Facts, role: Hex, hop: Hop): Judged {
  const book = rolesOf(facts)
  if (!book.complete) throw incomplete(book)
  const paths = [
    ...roleMembers(to, facts, role, hop),
    ...doorsOf(to, facts, `executor ${facts.state.address}`, hop),
    ...strangers(to, facts, book, [role, ...grantersOf(book, role)], hop),
  ]
  const walked = paths.map(({ address }) => address)
  return through([...paths, ...ownUpgrade(to, facts, hop, walked)])
}

/** Functions that change a delay: `setDelay(uint256)`, `updateDelay(uint256)`. */
const DELAY_SETTERS: readonly Hex[] = ['0xe177246e', '0x64d62353']
const AT_WILL = 'Whoever leads the timelock can set its delay to zero at once: it delays nothing.'

/** Whether one of them can set the delay at will. */
function maySetDelay(facts: Facts, leaders: readonly Hex[]): boolean {
  const setters = DELAY_SETTERS.filter((selector) => facts.code()?.selectors.has(selector))
  const trials = leaders.flatMap((address) => setters.map((selector) => ({ address, selector })))
  const passes = each(trials, ({ address, selector }) => facts.call(`${selector}${'0'.repeat(64)}`, address))
  return passes.some((answer) => answer !== undefined)
}

/** A timelock led by those it names; where one of them can set the delay at will, it keeps nobody waiting. */
export function judgeQueue(to: Walk, facts: Facts, delay: number, controllers: Controllers, hop: Hop): Judged {
  const isAtWill = maySetDelay(
    facts,
    controllers.map(({ address }) => address),
  )
  const held = isAtWill ? hop : longer(hop, delay)
  const paths = [
    ...controllers.map(({ role, address }) => child(to, facts, address, { ...held, role })),
    ...ownUpgrade(to, facts, hop),
  ]
  return through(paths, { delay: held.delay, notes: isAtWill ? [AT_WILL] : [] })
}

/** The admin queues; whoever else is named may have a door that does not wait. */
export function judgeCompound(
  to: Walk,
  facts: Facts,
  { admin, delay }: { admin: Hex; delay: number },
  hop: Hop,
): Judged {
  const queue = judgeQueue(to, facts, delay, [{ role: 'Admin of the timelock', address: admin }], hop)
  const doors = doorsOf(to, facts, `timelock ${facts.state.address}`, hop).filter(({ address }) => address !== admin)
  const { delay: waits = 0, notes } = queue
  return through([...queue.paths, ...doors], { delay: waits, notes })
}

/** Members of a role and of every role that may grant it, but not the contract itself: it administers itself by them. */
export function roleMembers(to: Walk, facts: Facts, role: Hex, hop: Hop): readonly ControlNode[] {
  const book = rolesOf(facts)
  const granters = grantersOf(book, role)
  const missing = [role, ...granters].find((wanted) => !book.roles.has(wanted))
  if (missing !== undefined && !book.complete) throw incomplete(book)
  const seen = new Set<Hex>([facts.state.address])
  return [role, ...granters].flatMap((each) => {
    const name = ROLE_NAMES.get(each) ?? `role ${each}`
    const title =
      each === role
        ? role === PROPOSER
          ? 'Proposer'
          : `${name} member`
        : `${name} member, who may grant ${ROLE_NAMES.get(role) ?? role},`
    const members = (book.roles.get(each)?.members ?? []).filter((address) => !seen.has(address))
    for (const address of members) seen.add(address)
    return members.map((address) => child(to, facts, address, { ...hop, role: title }))
  })
}

/** Votes take days of their own, yet only a timelock that nobody else can use is a delay one can count on. */
export function judgeGovernor(to: Walk, facts: Facts, governor: Account & { kind: 'governor' }, hop: Hop): Judged {
  const { timelock } = governor
  const delay = Math.max(hop.delay, timelock === undefined ? 0 : soleDelay(facts, timelock))
  const notes = delay > 0 ? [] : ['There is no timelock between its vote and the change.']
  if (governor.quorumPercent === 0n || governor.quorumVotes === 0n)
    notes.push('Its votes need no quorum: whoever votes at all decides.')
  // Whoever stands above the vote, or beside it as the guardian of GovernorAlpha does, decides without it.
  const guardian = facts.code()?.selectors.has(ALPHA_GUARDIAN) === true ? facts.address('guardian') : undefined
  const held: Hop = { ...hop, delay }
  const beside =
    guardian === undefined || isNobody(guardian)
      ? []
      : [child(to, facts, guardian, { ...held, role: 'The guardian of the governor' })]
  const above = [...doorsOf(to, facts, 'the governor', held), ...beside]
  return through([...above, ...ownUpgrade(to, facts, hop)], { delay, own: labelByDelay(delay), notes })
}

/** `__queueSetTimelockPendingAdmin(address,uint256)`. */
const ALPHA_GUARDIAN: Hex = '0x91500671'

/** The delay of a timelock that obeys this governor alone, and that nobody can replace. */
function soleDelay(facts: Facts, timelock: Hex): number {
  const there = facts.beside(timelock)
  const account = classify(there)
  const self = facts.state.address
  if (upgradeAuthority(there).type !== 'immutable') return 0
  if (account.kind === 'timelock_compound') return account.admin === self ? account.delay : 0
  if (account.kind !== 'timelock_oz' || controllersOf(there).some(({ address }) => !isNobody(address))) return 0
  const book = there.book('roles')
  if (book === undefined) return 0
  const able = [PROPOSER, ...grantersOf(book, PROPOSER)].flatMap((role) => book.roles.get(role)?.members ?? [])
  return book.complete && able.length > 0 && able.every((address) => address === self || address === timelock)
    ? account.delay
    : 0
}
