/**
 * The control profile of a contract: one label, the reasons for it, and the control tree behind it.
 *
 * The label follows the power to upgrade alone; an owner who can only mint or pause is a reason, not a label. It is never
 * stronger than what was read: controllers that cannot be determined make it unknown, and a failed read keeps the last
 * complete profile, marked stale.
 */
import type { Hex } from 'viem'
import type { NamedAccount } from '../../../../vocabulary/accounts.ts'
import type { ContractKind } from '../../../../vocabulary/contract-kinds.ts'
import { LABEL_TONES, type Label, type Tone } from '../../../../vocabulary/labels.ts'
import { type AdminPower, type Reason, reasonText } from '../../../../vocabulary/reasons.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { type Account, CONTRACT_KINDS, classify, summaryOf } from './account.ts'
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
import { type Graph, MalformedSignal, type Need, UnreadSignal } from './state.ts'
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
}

export type ProfileInput = {
  readonly graph: Graph
  readonly target: ContractRef
  readonly previous?: Profile | undefined
  readonly nameOf?: (ref: ContractRef) => string | undefined
}

/** Judges a contract from the states in the graph. The profile is final when `needs` is empty. */
export function profileOf({ graph, target, previous, nameOf = () => undefined }: ProfileInput): {
  readonly profile: Profile
  readonly needs: readonly Need[]
  /** Unexpected errors that made an account unknown, to be logged. */
  readonly faults: readonly Fault[]
} {
  const ledger = new Ledger(graph)
  const walk = beginWalk(ledger, nameOf)
  const judged = judgeTarget(walk, target)
  const [needs, faults, failed] = [
    ledger.needs,
    walk.faults,
    distinctBy(walk.failedReads, (read) => JSON.stringify(read)),
  ]
  const fresh = { ...judged, tone: LABEL_TONES[judged.label], stale: failed.length > 0 }
  // A single key that was found decides the label, whatever else could not be read.
  const isComplete = failed.length === 0 || judged.label === 'single_key'
  if (isComplete || previous === undefined || previous.label === 'unknown') return { profile: fresh, needs, faults }
  // What was read may be weaker than the last profile, whatever the rest turns out to be.
  const weakest = weakestRead(judged.tree)
  if (weakest !== undefined && isStronger(previous.label, weakest))
    return { profile: { ...fresh, label: weakest, tone: LABEL_TONES[weakest] }, needs, faults }
  const reasons = [...previous.reasons.filter(({ code }) => code !== 'stale'), { code: 'stale', failed } as const]
  return { profile: { ...previous, stale: true, reasons }, needs, faults }
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
  return { label: 'unknown', tone: LABEL_TONES.unknown, reasons, kind: 'unknown', stale: false, tree }
}

type JudgedTarget = Pick<Profile, 'label' | 'reasons' | 'kind' | 'tree'>

/** Kinds whose own rules are the control: who signs, who proposes. */
const OWN_RULES: ReadonlySet<Account['kind']> = new Set([
  'safe',
  'multisig',
  'timelock_oz',
  'timelock_compound',
  'timelock_other',
  'zodiac_delay',
])

function judgeTarget(walk: Walk, target: ContractRef): JudgedTarget {
  let kind: ContractKind = 'unknown'
  const role = { code: 'contract' } as const
  const base = { ...target, role, delaySeconds: 0, notes: [], paths: [] }
  const tree = guarded(walk, base, () => {
    const facts = walk.ledger.at(target)
    const code = facts.code()
    if (code?.delegatedTo !== undefined)
      return walk.visit(target, { role: { code: 'address' }, delaySeconds: 0, path: [] })
    const account = code === undefined ? undefined : classify(facts)
    const own = account !== undefined && OWN_RULES.has(account.kind) ? CONTRACT_KINDS[account.kind] : undefined
    if (own !== undefined) {
      kind = own
      return walk.visit(target, { role, delaySeconds: 0, path: [] })
    }
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
  return { label, kind, tree, reasons: reasonsOf(tree) }
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
