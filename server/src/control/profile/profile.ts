/**
 * Who can change what a contract does, as one label, the reasons for it, and the whole tree behind it.
 *
 * The label follows the power to upgrade alone; an owner who can only mint or pause is a reason, not a label. Never
 * greener than what was read: where a question is not settled the label is unknown, and where a read failed the last
 * settled label stays, marked stale.
 */

import type { Hex } from 'viem'
import { LABEL_TONES, type Label, type Tone } from '../../../../vocabulary/labels.ts'
import type { ContractKind } from '../registry/kinds.ts'
import { type Account, classify, controllersOf, hasRoles, isNobody } from './account.ts'
import type { Authority } from './authority.ts'
import { byWeakness, type ControlNode, sentencesOf, weakestPath, weakestRead } from './control-node.ts'
import { type Fault, guarded, type Walk } from './control-path.ts'
import { type Facts, Ledger, PendingSignal } from './facts.ts'
import { isStronger } from './label.ts'
import { MalformedSignal, UnreadSignal } from './read.ts'
import { describe } from './sentences.ts'
import type { Graph, Need, Place } from './state.ts'
import { upgradeAuthority } from './upgrade-authority.ts'
import { rootNode } from './upgrader-node.ts'
import { beginWalk } from './walk.ts'

export type Profile = {
  readonly label: Label
  readonly tone: Tone
  readonly reasons: readonly string[]
  readonly kind: ContractKind
  /** Something could not be read now; what is said is the last that could. */
  readonly stale: boolean
  readonly tree: ControlNode
}

export type ProfileInput = {
  readonly graph: Graph
  readonly target: Place
  readonly previous?: Profile | undefined
  readonly nameOf?: (place: Place) => string | undefined
}

/** A profile is final when it needs nothing more. */
export function profileOf({ graph, target, previous, nameOf = () => undefined }: ProfileInput): {
  readonly profile: Profile
  readonly needs: readonly Need[]
  /** Errors that made an account unknown, for whoever can mend them. */
  readonly faults: readonly Fault[]
} {
  const ledger = new Ledger(graph)
  const to = beginWalk(ledger, nameOf)
  const judged = judgeTarget(to, target)
  const [needs, faults] = [ledger.needs, to.faults]
  const fresh = { ...judged, tone: LABEL_TONES[judged.label], stale: to.unread.size > 0 }
  // One key found is one key, whatever else could not be read; everything else waits for a whole view.
  const isSettled = to.unread.size === 0 || judged.label === 'single_key'
  if (isSettled || previous === undefined || previous.label === 'unknown') return { profile: fresh, needs, faults }
  const why = `Not everything could be read now, so the last profile stands: ${[...to.unread].join('; ')}.`
  // What was read may be weaker already than what was known, whatever the rest will turn out to be.
  const most = weakestRead(judged.tree)
  if (most !== undefined && isStronger(previous.label, most))
    return { profile: { ...fresh, label: most, tone: LABEL_TONES[most] }, needs, faults }
  return {
    profile: {
      ...previous,
      stale: true,
      reasons: [...previous.reasons.filter((text) => !text.startsWith('Not everything could be read now')), why],
    },
    needs,
    faults,
  }
}

/** What a contract nobody has looked at yet shows. */
export function unprofiled(place: Place): Profile {
  const reason = 'Not profiled yet.'
  const tree: ControlNode = {
    ...place,
    role: 'Contract',
    kind: 'unjudged',
    text: place.address,
    label: 'unknown',
    delay: 0,
    notes: [reason],
    paths: [],
  }
  return { label: 'unknown', tone: LABEL_TONES.unknown, reasons: [reason], kind: 'unknown', stale: false, tree }
}

type Judged = Pick<Profile, 'label' | 'reasons' | 'kind' | 'tree'>

/** Kinds whose own rules are the control: who signs, who proposes. */
const OWN_RULES: Readonly<Partial<Record<Account['kind'], ContractKind>>> = {
  safe: 'safe',
  multisig: 'multisig',
  timelock_oz: 'timelock_oz',
  timelock_compound: 'timelock_compound',
  timelock_other: 'timelock_custom',
  zodiac_delay: 'timelock_custom',
}

function judgeTarget(to: Walk, target: Place): Judged {
  let kind: ContractKind = 'unknown'
  const base = { ...target, role: 'The contract', delay: 0, notes: [], paths: [] }
  const tree = guarded(to, base, () => {
    const facts = to.ledger.at(target)
    const code = facts.code()
    if (code?.delegatedTo !== undefined) return to.visit(target, { role: 'The address', delay: 0, path: [] })
    const account = code === undefined ? undefined : classify(facts)
    const own = account === undefined ? undefined : OWN_RULES[account.kind]
    if (own !== undefined) {
      kind = own
      return to.visit(target, { role: 'The contract', delay: 0, path: [] })
    }
    const authority = upgradeAuthority(facts)
    kind = authority.kind === 'immutable' && account !== undefined ? plainKind(facts, account) : authority.kind
    return { ...base, ...targetNode(to, facts, authority, to.nameOf(target)) }
  })
  const label: Label = tree.label === 'circular' ? 'unknown' : tree.label
  return { label, kind, tree, reasons: reasonsOf(tree) }
}

function targetNode(
  to: Walk,
  facts: Facts,
  authority: Authority,
  name: string | undefined,
): Pick<ControlNode, 'kind' | 'text' | 'label' | 'notes' | 'paths'> {
  const text = name === undefined ? facts.state.address : `${name} ${facts.state.address}`
  const shown = { kind: 'unjudged', text } as const
  if (authority.type === 'unresolved') {
    // One key that is known to suffice is one key, whoever else there may be.
    const known = (authority.roots ?? []).map((root) =>
      rootNode(to, facts.state.chainId, root, { delay: 0, path: [facts.place] }),
    )
    return {
      ...shown,
      label: weakestPath(['unknown', ...known.map(({ label }) => label)]),
      notes: authority.notes,
      paths: known,
    }
  }
  if (authority.type === 'immutable')
    return { ...shown, label: 'immutable', notes: [...authority.notes, ...powersOf(facts)], paths: [] }
  const paths = authority.roots.map((root) =>
    rootNode(to, facts.state.chainId, root, { delay: 0, path: [facts.place] }),
  )
  const notes = [...authority.notes]
  if (new Set(paths.map((path) => path.label)).size > 1)
    notes.push('There are several paths of control; the weakest names the label.')
  return { ...shown, label: weakestPath(paths.map((path) => path.label)), notes, paths }
}

function reasonsOf(tree: ControlNode): readonly string[] {
  const own = tree.kind === 'unjudged' ? [] : [`${tree.role} is ${tree.text}.`]
  const circle = tree.label === 'circular' ? ['Control runs in a circle: nobody outside it holds the keys.'] : []
  const all = [...own, ...tree.notes, ...circle, ...byWeakness(tree.paths).flatMap(sentencesOf)]
  return [...new Set(all)]
}

const POWERS = [
  ['owner', 'Its owner'],
  ['admin', 'Its admin'],
  ['pauser', 'Its pauser'],
  ['minter', 'Its minter'],
  ['masterMinter', 'Its master minter'],
  ['blacklister', 'Its blacklister'],
  ['guardian', 'Its guardian'],
] as const

/** Who keeps which power over a contract that cannot be upgraded. A read that fails here changes no label. */
function powersOf(facts: Facts): readonly string[] {
  const notes: string[] = []
  for (const [call, title] of POWERS) {
    try {
      const address = facts.address(call)
      if (address === undefined || isNobody(address)) continue
      notes.push(`It is not upgradeable; ${title.toLowerCase()} keeps admin functions: ${whoIs(facts, address)}.`)
    } catch (signal) {
      if (!(signal instanceof UnreadSignal)) throw signal
    }
  }
  return notes
}

function whoIs(facts: Facts, address: Hex): string {
  try {
    return describe(classify(facts.beside(address)), address)
  } catch (signal) {
    if (signal instanceof PendingSignal || signal instanceof UnreadSignal || signal instanceof MalformedSignal)
      return address
    throw signal
  }
}

/** What a contract is that is no proxy. */
function plainKind(facts: Facts, { kind }: Account): ContractKind {
  if (kind === 'governor' || kind === 'proxy_admin' || kind === 'executor' || kind === 'access_manager') return kind
  if (kind === 'payloads_controller') return 'timelock_custom'
  if (facts.address('implementation') !== undefined && facts.address('owner') !== undefined) return 'beacon'
  if (hasRoles(facts)) return 'access_control'
  return controllersOf(facts).some(({ address }) => !isNobody(address)) ? 'ownable' : 'immutable'
}
