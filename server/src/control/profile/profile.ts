/**
 * The control profile of a contract: one label, the reasons for it, and the control tree behind it.
 *
 * The label follows the power to upgrade alone; what an owner can do otherwise is among the powers, which may make the
 * tone worse than that of the label. It is never stronger than what was read: controllers that cannot be determined make it unknown, and a failed read keeps the last
 * complete profile, marked stale.
 */
import type { Hex } from 'viem'
import type { NamedAccount } from '../../../../vocabulary/accounts.ts'
import type { ContractKind } from '../../../../vocabulary/contract-kinds.ts'
import { LABEL_TONES, type Label, type Leader, type Tone } from '../../../../vocabulary/labels.ts'
import { decisivePower, type Power, toneOf } from '../../../../vocabulary/powers.ts'
import { type AdminPower, type FailedRead, type Reason, reasonText } from '../../../../vocabulary/reasons.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { type Account, CONTRACT_KINDS, classify, summaryOf } from './account.ts'
import { type PowerPath, type PowersOver, powersOver, type RunningCode, unknownPower } from './contract-powers.ts'
import {
  byWeakness,
  type ControlNode,
  hopReason,
  isStronger,
  reasonsOfPath,
  weakestPath,
  weakestRead,
} from './control-node.ts'
import { type Fault, guarded, type Walk } from './control-path.ts'
import { upgraderNode } from './controller-nodes.ts'
import { controllersOf, hasRoles, isBurnAddress } from './controllers.ts'
import { type Facts, Ledger, PendingSignal } from './facts.ts'
import { leaderOf } from './leader.ts'
import type { RoleWeight } from './role-weights.ts'
import type { PowerTrials } from './simulated-calls.ts'
import { type Graph, MalformedSignal, type Need, refKey, UnreadSignal } from './state.ts'
import { upgradeAuthority } from './upgrade-authority.ts'
import type { Authority } from './upgrader.ts'
import { beginWalk } from './walk.ts'

export type Profile = {
  readonly label: Label
  readonly tone: Tone
  readonly reasons: readonly Reason[]
  readonly kind: ContractKind
  /** A read failed at the last poll, so this is the last profile that was complete. */
  readonly stale: boolean
  readonly tree: ControlNode
  /** A vote decides, alone or next to a multisig. */
  readonly leader?: Leader | undefined
  /** Null: not analyzed. */
  readonly powers: readonly Power[] | null
  /** Undefined: not analyzed, or not all of it was read. */
  readonly running?: RunningCode | undefined
  readonly roles?: readonly RoleWeight[] | undefined
  /** What calls of guarded functions showed. */
  readonly trials?: PowerTrials | undefined
  /** Holders of powers with the accounts behind them, for the drawing. */
  readonly powerPaths?: readonly PowerPath[] | undefined
}

export type ProfileInput = {
  readonly graph: Graph
  readonly target: ContractRef
  readonly previous?: Profile | undefined
  /** The last complete profile is too old to stand in for reads that fail because of a contract. */
  readonly isOverdue?: boolean | undefined
  readonly nameOf?: (ref: ContractRef) => string | undefined
}

/** Judges a contract from the states in the graph. The profile is final when `needs` is empty. */
export function profileOf({
  graph,
  target,
  previous: last,
  isOverdue = false,
  nameOf = () => undefined,
}: ProfileInput): {
  readonly profile: Profile
  readonly needs: readonly Need[]
  /** Unexpected errors that made an account unknown, to be logged. */
  readonly faults: readonly Fault[]
} {
  const ledger = new Ledger(graph)
  const walk = beginWalk(ledger, nameOf)
  const judged = judgeTarget(walk, target)
  const { faults } = walk
  const powersFound = judgePowers(ledger, nameOf, target, { ...judged, trials: last?.trials })
  const { powers, running, roles, trials, paths, faults: powerFaults } = powersFound
  const allFaults = [...faults, ...powerFaults]
  const [failed, failedOfPowers] = [distinctReads(walk.failedReads), distinctReads(powersFound.failed)]
  const stale = failed.length + failedOfPowers.length > 0
  const previous = isOverdue && [...failed, ...failedOfPowers].every(mayBeCaused) ? undefined : last
  // A read that failed does not take a power away, and a single key that was found counts at once.
  const isKept = failedOfPowers.length > 0 && toneOf('green', powers ?? []) !== 'red' && previous?.powers !== undefined
  const { isActing: _, ...settled } = judged
  const shown = isKept
    ? {
        powers: previous.powers,
        powerPaths: previous.powerPaths,
        reasons: [...judged.reasons, { code: 'stale', failed: failedOfPowers } as const],
      }
    : { powers, powerPaths: paths }
  const fresh = toned({ ...settled, ...shown, running, roles, trials, stale })
  // A single key that was found decides the label, whatever else could not be read.
  const isComplete = failed.length === 0 || judged.label === 'single_key'
  if (isComplete || previous === undefined || previous.label === 'unknown')
    return { profile: fresh, needs: ledger.needs, faults: allFaults }
  // What was read may be weaker than the last profile, whatever the rest turns out to be.
  const weakest = weakestRead(judged.tree)
  if (weakest !== undefined && isStronger(previous.label, weakest))
    return { profile: toned({ ...fresh, label: weakest }), needs: ledger.needs, faults: allFaults }
  const reasons = [...previous.reasons.filter(({ code }) => code !== 'stale'), { code: 'stale', failed } as const]
  const kept = toneOf('green', powers ?? []) === 'red' ? powers : previous.powers
  return {
    profile: toned({ ...previous, powers: kept, stale: true, reasons }),
    needs: ledger.needs,
    faults: allFaults,
  }
}

const distinctReads = (reads: readonly FailedRead[]): readonly FailedRead[] =>
  distinctBy(reads, (read) => JSON.stringify(read))

/** What only the node decides. All else a contract may make fail, by calls that take too long or by too many logs. */
const OF_NODE: ReadonlySet<FailedRead['read']['item']> = new Set(['code', 'slot', 'contents'])

const mayBeCaused = ({ read }: FailedRead): boolean => !OF_NODE.has(read.item)

/** The tone, and first of all the power that makes it worse than that of the label. */
export function toned(profile: Omit<Profile, 'tone'>): Profile {
  const { label, powers } = profile
  const ofLabel = LABEL_TONES[label]
  const worst = decisivePower(ofLabel, powers ?? [])
  const others = profile.reasons.filter(({ code }) => code !== 'power')
  const reasons: readonly Reason[] = worst === undefined ? others : [{ code: 'power', power: worst }, ...others]
  return { ...profile, tone: toneOf(ofLabel, powers ?? []), reasons }
}

/** What privileged callers can do. */
function judgePowers(
  ledger: Ledger,
  nameOf: Walk['nameOf'],
  target: ContractRef,
  { tree, isActing, trials }: JudgedTarget & Pick<Profile, 'trials'>,
): Pick<PowersOver, 'powers' | 'running' | 'trials'> & {
  readonly roles?: readonly RoleWeight[]
  readonly paths?: readonly PowerPath[]
  readonly faults: readonly Fault[]
  readonly failed: readonly FailedRead[]
} {
  const walk = beginWalk(ledger, nameOf)
  // What is not judged is not harmless.
  let powers: readonly Power[] = [unknownPower('read')]
  try {
    const facts = ledger.at(target)
    const code = facts.code()
    if (code !== undefined && code.delegatedTo === undefined) {
      const own = tree.account.kind === 'unjudged' ? undefined : tree
      const acting = isActing
        ? (own ?? walk.visit(target, { role: { code: 'contract' }, delaySeconds: 0, path: [] }))
        : undefined
      const found = powersOver(walk, facts, { tree, acting, trials })
      return { ...found, faults: walk.faults, failed: walk.failedReads }
    }
    powers = []
  } catch (signal) {
    if (signal instanceof UnreadSignal) {
      const read: FailedRead = { address: target.address, read: signal.read, cause: signal.message }
      return { powers, faults: walk.faults, failed: [...walk.failedReads, read] }
    }
    if (signal instanceof MalformedSignal) return { powers: [unknownPower('table')], faults: walk.faults, failed: [] }
    if (!(signal instanceof PendingSignal))
      return {
        powers: [unknownPower('condition')],
        faults: [...walk.faults, { ref: target, error: signal }],
        failed: [],
      }
  }
  return { powers, faults: walk.faults, failed: walk.failedReads }
}

/** The profile of a contract that was not polled yet. */
export function unprofiled(ref: ContractRef): Profile {
  const reasons: readonly Reason[] = [{ code: 'not_profiled' }]
  const tree: ControlNode = {
    ...ref,
    role: { code: 'contract' },
    account: { kind: 'unjudged' },
    label: 'unknown',
    delaySeconds: 0,
    notes: reasons,
    paths: [],
  }
  return { label: 'unknown', tone: LABEL_TONES.unknown, reasons, kind: 'unknown', stale: false, tree, powers: null }
}

/** `isActing`: it acts by its own rules, as a Safe, a timelock or a governor does. */
type JudgedTarget = Pick<Profile, 'label' | 'reasons' | 'kind' | 'tree' | 'leader'> & { readonly isActing: boolean }

/** Kinds whose own rules are the control: who signs, who proposes. */
const OWN_RULES: ReadonlySet<Account['kind']> = new Set([
  'safe',
  'multisig',
  'timelock_oz',
  'timelock_compound',
  'timelock_other',
  'zodiac_delay',
])

/** Further kinds that act on others by their own rules. */
const ACTING: ReadonlySet<Account['kind']> = new Set([
  ...OWN_RULES,
  'governor',
  'executor',
  'access_manager',
  'payloads_controller',
  'lido_timelock',
  'aragon_app',
])

function judgeTarget(walk: Walk, target: ContractRef): JudgedTarget {
  let kind: ContractKind = 'unknown'
  let isActing = false
  const role = { code: 'contract' } as const
  const base = { ...target, role, delaySeconds: 0, notes: [], paths: [] }
  const tree = guarded(walk, base, () => {
    const facts = walk.ledger.at(target)
    const code = facts.code()
    if (code?.delegatedTo !== undefined)
      return walk.visit(target, { role: { code: 'address' }, delaySeconds: 0, path: [] })
    const account = code === undefined ? undefined : classify(facts)
    isActing = account !== undefined && ACTING.has(account.kind)
    const own = account !== undefined && OWN_RULES.has(account.kind) ? CONTRACT_KINDS[account.kind] : undefined
    if (own !== undefined) {
      kind = own
      return walk.visit(target, { role, delaySeconds: 0, path: [] })
    }
    walk.passive.add(refKey(target))
    const authority = upgradeAuthority(facts)
    kind = authority.kind === 'immutable' && account !== undefined ? plainKind(facts, account) : authority.kind
    const name = walk.nameOf(target)
    return {
      ...base,
      ...(name === undefined ? {} : { name }),
      account: { kind: 'unjudged' },
      ...judgeAuthority(walk, facts, authority),
    }
  })
  const label: Label = tree.label === 'circular' ? 'unknown' : tree.label
  return { label, kind, tree, leader: leaderOf(tree), reasons: reasonsOf(tree), isActing }
}

function judgeAuthority(
  walk: Walk,
  facts: Facts,
  authority: Authority,
): Pick<ControlNode, 'label' | 'notes' | 'paths'> {
  if (authority.type === 'immutable')
    return { label: 'immutable', notes: [...authority.notes, ...adminFunctions(facts)], paths: [] }
  const paths = (authority.upgraders ?? []).map((upgrader) =>
    upgraderNode(walk, facts.state.chainId, upgrader, { delaySeconds: 0, path: [facts.ref] }),
  )
  const labels = paths.map(({ label }) => label)
  // A single key that suffices decides the label, even where other upgraders are not known.
  if (authority.type === 'unresolved')
    return { label: weakestPath(['unknown', ...labels]), notes: authority.notes, paths }
  const notes: readonly Reason[] =
    new Set(labels).size > 1 ? [...authority.notes, { code: 'several_paths' }] : authority.notes
  return { label: weakestPath(labels), notes, paths }
}

function reasonsOf(tree: ControlNode): readonly Reason[] {
  const own = tree.account.kind === 'unjudged' ? [] : [hopReason(tree)]
  const circle: readonly Reason[] = tree.label === 'circular' ? [{ code: 'circular_control' }] : []
  return distinctBy([...own, ...tree.notes, ...circle, ...byWeakness(tree.paths).flatMap(reasonsOfPath)], reasonText)
}

function distinctBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = keyOf(item)
    return !seen.has(key) && seen.add(key) !== undefined
  })
}

const POWERS: readonly AdminPower[] = [
  'owner',
  'admin',
  'pauser',
  'minter',
  'masterMinter',
  'blacklister',
  'guardian',
  'authority',
  'governance',
  'governor',
]

/** Accounts with admin functions over a contract that cannot be upgraded. A failed read here changes no label. */
function adminFunctions(facts: Facts): readonly Reason[] {
  const reasons: Reason[] = []
  for (const power of POWERS) {
    try {
      const address = facts.address(power)
      if (address === undefined || isBurnAddress(address)) continue
      reasons.push({ code: 'admin_functions', power, ...namedAccount(facts, address) })
    } catch (signal) {
      if (!(signal instanceof UnreadSignal)) throw signal
    }
  }
  return reasons
}

function namedAccount(facts: Facts, address: Hex): NamedAccount {
  try {
    return { address, account: summaryOf(classify(facts.sameChain(address))) }
  } catch (signal) {
    if (signal instanceof PendingSignal || signal instanceof UnreadSignal || signal instanceof MalformedSignal)
      return { address, account: { kind: 'unjudged' } }
    throw signal
  }
}

/** The kind of a contract that is not a proxy. */
function plainKind(facts: Facts, { kind }: Account): ContractKind {
  if (kind === 'governor' || kind === 'proxy_admin' || kind === 'executor' || kind === 'access_manager') return kind
  if (kind === 'payloads_controller') return 'timelock_custom'
  if (facts.address('implementation') !== undefined && facts.address('owner') !== undefined) return 'beacon'
  if (hasRoles(facts)) return 'access_control'
  return controllersOf(facts).some(({ address }) => !isBurnAddress(address)) ? 'ownable' : 'immutable'
}
