/** Judges timelocks: who may queue an operation, who can bypass the queue, and how long an operation waits. */
import type { Hex } from 'viem'
import type { ControlRole } from '../../../../vocabulary/control-roles.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { announcedDelay, DELAY_SETTERS, TIMESTAMP } from './announced-delay.ts'
import type { ControlNode } from './control-node.ts'
import { child, delayedBy, type Hop, type Judgment, namedControllers, through, type Walk } from './control-path.ts'
import { otherRoleMembers, ownControl, roleMembers, upgraderNode } from './controller-nodes.ts'
import { type Controllers, isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { proveActs } from './proof.ts'
import { DEFAULT_ADMIN, EXECUTOR, grantersOf, PROPOSER, roleNamed } from './roles.ts'
import type { Revoked } from './state.ts'

/** Roles of OpenZeppelin's TimelockController, none of which can bypass the delay. */
const DELAYED_ROLES: readonly Hex[] = [
  PROPOSER,
  EXECUTOR,
  DEFAULT_ADMIN,
  roleNamed('CANCELLER_ROLE'),
  roleNamed('TIMELOCK_ADMIN_ROLE'),
]

/** OpenZeppelin's TimelockController. */
export function judgeTimelockController(walk: Walk, facts: Facts, reported: number, hop: Hop): Judgment {
  const delay = enforcedDelay(facts, reported)
  const proposers = roleMembers(walk, facts, PROPOSER, delayedBy(hop, delay))
  const members = facts.members('roles')
  const notes: Reason[] = []
  const executors = members?.roles.get(EXECUTOR)?.members ?? []
  if (executors.some((address) => BigInt(address) === 0n)) notes.push({ code: 'open_executor' })
  const isSettable = canSetDelay(
    facts,
    proposers.map(({ address }) => address),
  )
  if (isSettable) notes.push({ code: 'delay_settable' })
  // TimelockController has no owner and no other roles; a contract that has them may have functions without a delay.
  const others =
    members === undefined
      ? []
      : otherRoleMembers(walk, facts, members, [...DELAYED_ROLES, ...grantersOf(members, PROPOSER)], hop)
  const left = leftByFormerProposers(walk, facts, { proposers, executors }, hop, delayedBy(hop, delay))
  const named = [
    ...left,
    ...(isSettable ? roleMembers(walk, facts, PROPOSER, hop) : proposers),
    ...namedControllers(walk, facts, 'timelock', hop),
    ...others,
  ]
  const queuers = otherQueuers(walk, facts, named, isSettable ? hop : delayedBy(hop, delay))
  const paths = [...named, ...queuers, ...ownControl(walk, facts, hop, 'queue')]
  const { delaySeconds } = isSettable ? hop : delayedBy(hop, delay)
  if (paths.length > 0) return through(paths, { delaySeconds, notes })
  if (members === undefined) return { label: 'unknown', paths, notes: [{ code: 'proposers_unknown' }] }
  return { label: 'immutable', paths, delaySeconds, notes: [{ code: 'no_proposer' }] }
}

type Holders = { readonly proposers: readonly ControlNode[]; readonly executors: readonly Hex[] }

/** Who decides about what former proposers left: they alone, if it is executed in any case, otherwise those who execute. */
function leftByFormerProposers(
  walk: Walk,
  facts: Facts,
  { proposers, executors }: Holders,
  hop: Hop,
  delayed: Hop,
): readonly ControlNode[] {
  const former = formerProposers(walk, facts, proposers, hop)
  if (former.length === 0 || hasFreeExecutor(facts, executors)) return former
  // What they execute was announced for the delay.
  return roleMembers(walk, facts, EXECUTOR, delayed)
}

/** Former proposers that may have queued an operation which is still pending: its execution does what they chose. */
function formerProposers(walk: Walk, facts: Facts, present: readonly ControlNode[], hop: Hop): readonly ControlNode[] {
  const { operations, revoked } = facts.members('history') ?? { operations: [], revoked: [] }
  const known = new Set(present.map(({ address }) => address))
  const former = revoked.filter(({ role, account }) => role === PROPOSER && !known.has(account))
  const queuedIn = ({ from, to }: Revoked) => operations.filter(({ block }) => block >= from && block <= to)
  const queued = [...new Set(former.flatMap(queuedIn))]
  const pending = each(queued, (operation) => {
    const time = facts.call(`${TIMESTAMP}${operation.id.slice(2)}`)
    return time === undefined || BigInt(time) > 1n ? [operation] : []
  }).flat()
  return former
    .filter((proposer) => queuedIn(proposer).some((operation) => pending.includes(operation)))
    .map(({ account }) => child(walk, facts, account, { ...hop, role: { code: 'former_proposer' } }))
}

/** Whether every account may execute what is due, or one key may. */
const hasFreeExecutor = (facts: Facts, executors: readonly Hex[]): boolean =>
  each(executors, (address) => {
    const code = isBurnAddress(address) ? undefined : facts.sameChain(address).code()
    return code === undefined || code.delegatedTo !== undefined
  }).includes(true)

/** A timelock that its controllers operate. */
export function judgeOwnedTimelock(
  walk: Walk,
  facts: Facts,
  reported: number,
  controllers: Controllers,
  hop: Hop,
): Judgment {
  const delay = enforcedDelay(facts, reported)
  const isSettable = canSetDelay(
    facts,
    controllers.map(({ address }) => address),
  )
  const delayed = isSettable ? hop : delayedBy(hop, delay)
  const of = { kind: 'timelock', address: facts.state.address } as const
  const named = controllers.map(({ name, address }) => {
    const role: ControlRole = { code: 'controller', name, of }
    return child(walk, facts, address, { ...delayed, role })
  })
  const paths = [...named, ...otherQueuers(walk, facts, named, delayed), ...ownControl(walk, facts, hop, 'queue')]
  return through(paths, {
    delaySeconds: delayed.delaySeconds,
    notes: isSettable ? [{ code: 'delay_settable' }] : [],
  })
}

/** Compound's Timelock: the admin queues; other controllers it names may have functions without a delay. */
export function judgeCompoundTimelock(
  walk: Walk,
  facts: Facts,
  { admin, delay }: { readonly admin: Hex; readonly delay: number },
  hop: Hop,
): Judgment {
  const {
    paths,
    delaySeconds = 0,
    notes,
  } = judgeOwnedTimelock(walk, facts, delay, [{ name: 'admin', address: admin }], hop)
  const others = namedControllers(walk, facts, 'timelock', hop).filter(({ address }) => address !== admin)
  return through([...paths, ...others], { delaySeconds, notes })
}

/** Accounts that may queue an operation according to the code, except those that are walked already. */
function otherQueuers(walk: Walk, facts: Facts, walked: readonly ControlNode[], hop: Hop): readonly ControlNode[] {
  const known = new Set<Hex>([facts.state.address, ...walked.map(({ address }) => address)])
  return proveActs(facts, 'queue')
    .queuers.filter(({ address }) => !known.has(address) && !isBurnAddress(address))
    .map((queuer) => upgraderNode(walk, facts.state.chainId, queuer, hop))
}

/** In seconds. The sum of the present time and a longer delay may exceed a word, and be in the past. */
const LONGEST_DELAY = 2n ** 40n

/** The delay that the code enforces for a queued operation, where it is less than the one it reports, or that is announced. */
export function enforcedDelay(facts: Facts, reported: number): number {
  const { delaySlots, queues } = proveActs(facts, 'queue')
  const stored = each(delaySlots, (slot) => {
    const delay = BigInt(facts.storage(slot) ?? 0)
    return delay > LONGEST_DELAY ? 0n : delay
  })
  const announced = announcedDelay(facts, DELAYED_ROLES, queues) ?? reported
  return stored.reduce((least, delay) => (delay < BigInt(least) ? Number(delay) : least), Math.min(announced, reported))
}

/** Whether one of the controllers can set the delay to zero at once. */
function canSetDelay(facts: Facts, controllers: readonly Hex[]): boolean {
  const setters = DELAY_SETTERS.filter((selector) => facts.code()?.selectors.has(selector))
  const attempts = controllers.flatMap((address) => setters.map((selector) => ({ address, selector })))
  const results = each(attempts, ({ address, selector }) => facts.call(`${selector}${'0'.repeat(64)}`, address))
  return results.some((result) => result !== undefined)
}
