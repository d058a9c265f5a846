/** Judges a Safe: its signers, its modules, its guards and its fallback handler. */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { isFixedHandler } from '../catalog/safe-libraries.ts'
import { type ControlNode, type PathLabel, weakestPath } from './control-node.ts'
import { child, type Hop, type Judgment, through, type Walk } from './control-path.ts'
import { controlledOn, ownControl } from './controller-nodes.ts'
import { controllersOf } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { reachOf } from './module-trial.ts'
import { obeysTransfers } from './proof.ts'
import { ALLOWANCE_MODULE, HARMLESS_MODULES, modulesOf, type SafeAccount } from './safe-account.ts'
import { doubtfulApprovals, unprovenStorage } from './safe-storage.ts'
import { signersOf } from './signers.ts'

export function judgeSafe(walk: Walk, facts: Facts, safe: SafeAccount, hop: Hop): Judgment {
  const self = facts.state.address
  if (safe.version === undefined) {
    const of = { kind: 'contract', address: self } as const
    const named = controllersOf(facts).map(({ name, address }) =>
      child(walk, facts, address, { ...hop, role: { code: 'controller', name, of } }),
    )
    return through([...named, ...ownControl(walk, facts, hop, 'caller', named)], {
      own: 'unknown',
      notes: [{ code: 'unofficial_singleton', address: self }],
    })
  }
  if (safe.threshold < 1) return { label: 'unknown', paths: [], notes: [{ code: 'safe_not_set_up', address: self }] }
  const signed = signersOf(walk, facts, safe, hop, doubtfulApprovals(facts, safe))
  const modules = each(safe.modules, (module) => moduleNode(walk, facts, module, hop))
  const notes: Reason[] = [...signed.notes]
  const labels: PathLabel[] = [signed.label, ...modules.flatMap((module) => module?.label ?? [])]
  if (safe.modules.length > 0) notes.push({ code: 'safe_modules', address: self, modules: safe.modules })
  if (safe.guard !== undefined) notes.push({ code: 'safe_guard', guard: safe.guard })
  if (safe.moduleGuard !== undefined) notes.push({ code: 'safe_module_guard', guard: safe.moduleGuard })
  const handler = safe.fallbackHandler
  if (handler !== undefined && hop.path.some(({ address }) => address === handler && address !== self)) {
    // The Safe forwards any call it does not know to its handler, in its own name.
    labels.push('single_key')
    notes.push({ code: 'safe_fallback_handler', handler })
  } else if (handler !== undefined && mayObey(facts, handler)) {
    labels.push('unknown')
    notes.push({ code: 'safe_fallback_handler', handler })
  }
  const doubt = unprovenStorage(facts, safe)
  if (doubt !== undefined) {
    labels.push('unknown')
    notes.push(doubt)
  }
  if (safe.moreModules) {
    labels.push('unknown')
    notes.push({ code: 'safe_modules_incomplete' })
  }
  return { ...signed, notes, label: weakestPath(labels), paths: modules.filter((module) => module !== undefined) }
}

/**
 * Whether any caller may make a handler act or change its state in the name of the Safe: the contract may be one that the Safe
 * owns, or a module that obeys it.
 */
function mayObey(facts: Facts, handler: Hex): boolean {
  const code = facts.sameChain(handler).code()
  if (code === undefined || isFixedHandler(code.hash)) return false
  return (
    code.cloneOf !== undefined ||
    code.delegatedTo !== undefined ||
    !code.effects.settled ||
    code.effects.effects.length > 0
  )
}

/** The path through a module; undefined for a harmless module, and for an unrecognized one that no account can replace. */
function moduleNode(walk: Walk, facts: Facts, module: Hex, hop: Hop): ControlNode | undefined {
  if (
    HARMLESS_MODULES.has(module) &&
    !(module === ALLOWANCE_MODULE && obeysTransfers(controlledOn(facts, hop), facts.state.address))
  )
    return undefined
  const role = { code: 'module', of: { kind: 'safe', address: facts.state.address } } as const
  const node = child(walk, facts, module, { ...hop, role })
  const there = facts.sameChain(module)
  const reach = reachOf(there, facts.state.address)
  const notes: readonly Reason[] =
    reach === undefined ? node.notes : [...node.notes, { code: 'open_module', module, reach }]
  if (reach === 'any_code' || reach === 'any_call') return { ...node, notes, label: 'single_key' }
  const members = node.account.kind === 'zodiac_delay' ? [] : membersOf(walk, there, hop)
  if (members.length > 0)
    return { ...node, notes, label: weakestPath([node.label, 'unknown']), paths: [...node.paths, ...members] }
  if (node.account.kind !== 'unknown_contract') return { ...node, notes }
  // Fixed code does what its signers approved; an account that can replace the code can act through it.
  const paths = ownControl(walk, there, { ...hop, role, path: [...hop.path, there.ref] }, 'caller')
  return paths.length === 0 ? undefined : { ...node, notes, label: weakestPath(paths.map(({ label }) => label)), paths }
}

/** The accounts that a Zodiac modifier, such as one with roles, lets act. What its rules allow them is not read. */
function membersOf(walk: Walk, modifier: Facts, hop: Hop): readonly ControlNode[] {
  if (modifier.address('avatar') === undefined) return []
  const of = { kind: 'contract', address: modifier.state.address } as const
  const path = [...hop.path, modifier.ref]
  return modulesOf(modifier).list.map((member) => {
    const node = child(walk, modifier, member, { ...hop, path, role: { code: 'module', of } })
    return { ...node, label: 'unknown', paths: [] }
  })
}
