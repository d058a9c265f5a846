/**
 * The powers over a contract: what the code that runs on its storage lets privileged callers do, and who they are.
 *
 * The power to replace the code comes from the control profile. Contracts that act by rules of their own (Safes,
 * timelocks, governors) have the power to execute, held by the accounts that those rules name.
 */
import type { Hex } from 'viem'
import { roleTitle } from '../../../../vocabulary/control-roles.ts'
import { LABELS, type Label, weakestLabel } from '../../../../vocabulary/labels.ts'
import {
  classOf,
  EFFECTS,
  type Power,
  type PowerEffect,
  type PowerFunction,
  type PowerHolder,
  type UnknownHolders,
} from '../../../../vocabulary/powers.ts'
import type { CodePower } from '../powers/code-powers.ts'
import type { Guard } from '../powers/guards.ts'
import { findNamed } from '../powers/names.ts'
import type { WithLibraries } from '../powers/with-libraries.ts'
import type { CodeFacts } from './code-facts.ts'
import type { ControlNode } from './control-node.ts'
import type { Walk } from './control-path.ts'
import { each, type Facts, PendingSignal } from './facts.ts'
import { accountNode, holdersOf, namedAccounts } from './guard-holders.ts'
import { leaderOf } from './leader.ts'
import type { Holders } from './role-books.ts'
import { type RoleWeight, roleWeights } from './role-weights.ts'
import { codesOf, powersInCode } from './running-codes.ts'
import { type PowerTrials, powerTrials } from './simulated-calls.ts'
import { MalformedSignal, refKey, UnreadSignal } from './state.ts'
import { withTakenKeys } from './taken-keys.ts'

/** Functions that are compared at an upgrade: code can be made to have far more. */
const MAX_FUNCTIONS = 2_000

export type PowersInput = {
  /** The control tree of the contract. */
  readonly tree: ControlNode
  /** The same contract as an account that acts by its own rules. */
  readonly acting?: ControlNode | undefined
  /** Those of the last poll. */
  readonly trials?: PowerTrials | undefined
}

export function powersOver(walk: Walk, facts: Facts, { tree, acting, trials: known }: PowersInput): PowersOver {
  const label = straight(tree.label)
  if (acting !== undefined) {
    const nodes = acting.paths.length > 0 ? acting.paths : [acting]
    const upgrade = acting === tree || label === 'immutable' ? [] : [ownPower('upgrade', tree, tree.paths, [])]
    const execute = ownPower('execute', acting, nodes, [])
    // Its rules are known by its getters alone: a token may have the getters of a timelock.
    const others = acting.account.kind === 'safe' ? [] : powersBeyondRules(walk, facts)
    return { powers: [...upgrade, execute, ...others.map(({ power }) => power)], roles: [], paths: pathsOf(others) }
  }
  const { running, whole, found: inCode, isFollowed, hasLibraries } = powersInCode(facts)
  const found = each(judgedKeys(walk, facts, inCode), (power) => heldByStronger(walk, facts, power))
  const isUpgradeable = label !== 'immutable'
  const upgrades = found.filter(({ effect }) => effect === 'upgrade')
  const others = isUpgradeable ? found.filter(({ effect }) => effect !== 'upgrade') : found
  const groups = Map.groupBy(others, ({ effect }) => effect)
  const hashes = [...new Set(running.codes.map(({ hash }) => hash))].sort()
  const { trials, isTried } = powerTrials(facts, others, { codes: hashes, accounts: namedAccounts(facts) }, known)
  const judged = each([...groups], ([effect, of]) => powerOf(walk, facts, effect, of, trials))
  return {
    powers: [
      ...(isUpgradeable ? [ownPower('upgrade', tree, tree.paths, upgrades)] : []),
      ...judged.map(({ power }) => power).toSorted((a, b) => EFFECTS.indexOf(a.effect) - EFFECTS.indexOf(b.effect)),
      ...(isFollowed ? [] : [unknownPower('unsettled')]),
      ...(hasLibraries ? [] : [unknownPower('delegated')]),
      ...(running.isListed ? [unknownPower('unlisted')] : []),
    ],
    running: runningOf(running.codes, whole, hashes),
    roles: roleWeights(facts, found),
    paths: pathsOf(judged),
    ...(isTried ? { trials } : {}),
  }
}

/** Effects that rules of a multisig, a timelock or a governor do not have. */
const BEYOND_RULES: ReadonlySet<PowerEffect> = new Set(['mint', 'move_funds', 'set_price'])

function powersBeyondRules(walk: Walk, facts: Facts): readonly JudgedPower[] {
  const found = judgedKeys(
    walk,
    facts,
    codesOf(facts).codes.flatMap(({ powers }) => powers.powers),
  )
  const groups = Map.groupBy(
    found.filter(({ effect, evidence }) => BEYOND_RULES.has(effect) && evidence === 'code'),
    ({ effect }) => effect,
  )
  return each([...groups], ([effect, of]) => powerOf(walk, facts, effect, of, { open: [], allowed: [] }))
}

/** Powers whose keys every caller can take. Where that could not be read, their holders are not known. */
function judgedKeys(walk: Walk, facts: Facts, powers: readonly CodePower[]): readonly CodePower[] {
  try {
    return withTakenKeys(facts, powers)
  } catch (signal) {
    if (!(signal instanceof UnreadSignal)) throw signal
    walk.failedReads.push({ address: facts.state.address, read: signal.read, cause: signal.message })
    return powers.map((power) => ({ ...power, unknown: power.unknown ?? 'taken' }))
  }
}

/** A power that takes an account which may call and one that gets the funds is held by the stronger of both. */
function heldByStronger(walk: Walk, facts: Facts, power: CodePower): CodePower {
  const { guards, recipients, selector } = power
  if (recipients === undefined) return power
  const rank = (of: readonly Guard[]): number => {
    const found = each(of, (guard) => judged(walk, facts, () => holdersOf(walk, facts, guard, [selector])))
    const labels = found.flatMap(({ nodes, unknown, isOpen }): readonly Label[] => [
      ...nodes.map(({ label }) => straight(label)),
      ...(unknown === undefined ? [] : (['unknown'] as const)),
      ...(isOpen === true ? (['single_key'] as const) : []),
    ])
    return LABELS.indexOf(labels.length === 0 ? 'immutable' : weakestLabel(labels))
  }
  return rank(recipients) <= rank(guards) ? { ...power, guards: recipients } : power
}

export type PowersOver = {
  readonly powers: readonly Power[]
  /** Undefined for accounts that act by rules of their own. */
  readonly running?: RunningCode
  readonly roles: readonly RoleWeight[]
  readonly paths: readonly PowerPath[]
  /** Undefined where a trial could not be made. */
  readonly trials?: PowerTrials
}

/** A holder with the accounts behind it, and what it can do. */
export type PowerPath = { readonly node: ControlNode; readonly effects: readonly PowerEffect[] }

/** Holders in a drawing: a role can have hundreds of members. */
const MAX_PATHS = 24

/** The holders of powers of weight, each with all its effects, most harmful first. */
function pathsOf(judged: readonly JudgedPower[]): readonly PowerPath[] {
  const held = judged
    .filter(({ power }) => power.class !== 'info')
    .toSorted((a, b) => EFFECTS.indexOf(a.power.effect) - EFFECTS.indexOf(b.power.effect))
  const byHolder = Map.groupBy(
    held.flatMap(({ power: { effect }, nodes }) => nodes.map((node) => ({ node, effect }))),
    ({ node }) => refKey(node),
  )
  return [...byHolder.values()].slice(0, MAX_PATHS).flatMap((found) => {
    const [first] = found
    return first === undefined || first.node.label === 'circular'
      ? []
      : [{ node: first.node, effects: [...new Set(found.map(({ effect }) => effect))] }]
  })
}

/** The code that runs for a contract: its hashes, sorted, and who may call each function, by selector. */
export type RunningCode = {
  readonly codes: readonly Hex[]
  readonly functions: Readonly<Record<Hex, string>>
  /** Functions that set up the contract and name no caller. */
  readonly initializers?: readonly Hex[]
  /** Those of them that an unprivileged caller could call at the last upgrade, in a simulation. */
  readonly openInitializers?: readonly Hex[]
}

const runningOf = (
  codes: readonly CodeFacts[],
  whole: readonly Pick<WithLibraries, 'functions'>[],
  hashes: readonly Hex[],
): RunningCode => ({
  initializers: [...new Set(codes.flatMap(({ powers }) => powers.initializers))],
  codes: hashes,
  functions: Object.fromEntries(
    whole
      .flatMap(({ functions }) => functions)
      .toReversed() // the code that runs first decides
      .slice(-MAX_FUNCTIONS)
      .map(({ selector, access }) => [selector, access]),
  ),
})

/** What was not followed or judged may be anything. */
export const unknownPower = (unknown: UnknownHolders): Power => ({
  effect: 'other',
  class: 'critical',
  functions: [],
  holders: [],
  label: 'unknown',
  delaySeconds: 0,
  unknown,
})

const straight = (label: ControlNode['label']): Label => (label === 'circular' ? 'unknown' : label)

/** A power that the control tree itself shows. `tree`: the account whose label it has. */
function ownPower(
  effect: PowerEffect,
  tree: ControlNode,
  nodes: readonly ControlNode[],
  of: readonly CodePower[],
): Power {
  const holders = nodes.flatMap((node) => holder(node))
  const leader = leaderOf(tree)
  return {
    effect,
    class: 'critical',
    functions: functionsIn(of),
    holders,
    label: straight(tree.label),
    delaySeconds: leastDelay(holders),
    ...(leader === undefined ? {} : { leader }),
  }
}

/** Whether a vote decides for the holders that set the label of a power. */
function ledBy(holders: readonly PowerHolder[], label: Label): Pick<Power, 'leader'> {
  const weakest = holders.filter((each) => each.label === label)
  const leaders = new Set(weakest.map(({ leader }) => leader))
  if (leaders.size === 0 || (leaders.size === 1 && leaders.has(undefined))) return {}
  return { leader: leaders.size === 1 && leaders.has('vote') ? 'vote' : 'vote_or_multisig' }
}

type JudgedPower = { readonly power: Power; readonly nodes: readonly ControlNode[] }

/** One effect with every function that has it and every account that may use one of them. */
function powerOf(
  walk: Walk,
  facts: Facts,
  effect: PowerEffect,
  of: readonly CodePower[],
  { open, allowed }: Pick<PowerTrials, 'open' | 'allowed'>,
): JudgedPower {
  const guards = new Map<string, { readonly guard: Guard; readonly selectors: Hex[] }>()
  for (const { guards: all, selector } of of)
    for (const guard of all) {
      const known = guards.get(JSON.stringify(guard)) ?? { guard, selectors: [] }
      guards.set(JSON.stringify(guard), known)
      known.selectors.push(selector)
    }
  const found = each([...guards.values()], ({ guard, selectors }) =>
    judged(walk, facts, () => holdersOf(walk, facts, guard, selectors)),
  )
  const unknown = [...of.map((power) => power.unknown), ...found.map((each) => each.unknown)].find(
    (why) => why !== undefined,
  )
  const isOf = (selector: Hex): boolean => of.some((power) => power.selector === selector)
  const tried = each(
    allowed.filter(({ selector }) => isOf(selector)),
    ({ account }) => accountNode(walk, facts, account),
  )
  const nodes = [...found.flatMap((each) => each.nodes), ...tried]
  const isOpen =
    open.some(isOf) || of.some(({ isTaken }) => isTaken === true) || found.some((each) => each.isOpen === true)
  // A contract that every caller chooses may approve every payment.
  const isForAll = isOpen || of.some((power) => power.unknown === 'taken')
  const granted = of.flatMap(({ grants = [] }) => grants)
  const holders = distinct(nodes.flatMap((node) => holder(node)))
  const labels = [...holders.map(({ label }) => label), ...(unknown === undefined ? [] : (['unknown'] as const))]
  const label = isOpen ? 'single_key' : labels.length === 0 ? 'immutable' : weakestLabel(labels)
  const power: Power = {
    effect,
    class: isForAll && effect === 'set_dependency' ? 'critical' : classOf(effect, granted),
    functions: functionsIn(of, [...open, ...allowed.map(({ selector }) => selector)]),
    holders,
    label,
    delaySeconds: isOpen ? 0 : leastDelay(holders),
    ...(isOpen ? { isOpen } : {}),
    ...ledBy(holders, label),
    ...(unknown === undefined ? {} : { unknown }),
  }
  return { power, nodes }
}

/** Holders whose judgment a failed read or contradictory data ended are not known. */
function judged(walk: Walk, facts: Facts, judge: () => Holders): Holders {
  try {
    return judge()
  } catch (signal) {
    if (signal instanceof MalformedSignal) return { nodes: [], unknown: 'table' }
    if (signal instanceof UnreadSignal) {
      walk.failedReads.push({ address: facts.state.address, read: signal.read, cause: signal.message })
      return { nodes: [], unknown: 'read' }
    }
    if (signal instanceof PendingSignal) throw signal
    walk.faults.push({ ref: facts.ref, error: signal })
    return { nodes: [], unknown: 'condition' }
  }
}

/** `tried`: functions of which a trial showed who may call them. */
const functionsIn = (powers: readonly CodePower[], tried: readonly Hex[] = []): readonly PowerFunction[] => {
  const bySelector = new Map<Hex, PowerFunction>()
  for (const { selector, evidence: shown } of powers) {
    const evidence = tried.includes(selector) ? 'trial' : shown
    if (!bySelector.has(selector))
      bySelector.set(selector, { selector, signature: findNamed(selector)?.signature ?? null, evidence })
  }
  return [...bySelector.values()]
}

/** A path that returns to the contract itself adds no holder. */
function holder(node: ControlNode): readonly PowerHolder[] {
  if (node.label === 'circular') return []
  const { chainId, address, account, role, label } = node
  const leader = leaderOf(node)
  return [
    {
      chainId,
      address,
      kind: account.kind,
      role: roleTitle(role),
      label,
      delaySeconds: delayOf(node),
      ...(leader === undefined ? {} : { leader }),
      ...('threshold' in account ? { threshold: account.threshold, owners: account.owners } : {}),
    },
  ]
}

/** The shortest time that a change through this account must wait. */
function delayOf(node: ControlNode): number {
  const paths = node.paths.filter(({ label }) => label !== 'circular')
  return paths.length === 0 ? node.delaySeconds : Math.min(...paths.map(delayOf))
}

const leastDelay = (holders: readonly PowerHolder[]): number =>
  holders.length === 0 ? 0 : Math.min(...holders.map(({ delaySeconds }) => delaySeconds))

const distinct = (holders: readonly PowerHolder[]): readonly PowerHolder[] =>
  holders.filter(
    ({ chainId, address }, at) =>
      holders.findIndex((other) => other.chainId === chainId && other.address === address) === at,
  )
