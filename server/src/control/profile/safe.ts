/** A Safe: its signers, its modules, and what its guards and its fallback handler mean for it. */
import type { Hex } from 'viem'
import { type Account, controllersOf } from './account.ts'
import { type ControlNode, type PathLabel, weakestPath } from './control-node.ts'
import { child, type Hop, type Judged, through, type Walk } from './control-path.ts'
import type { Facts } from './facts.ts'
import { HARMLESS_MODULES } from './safe-releases.ts'
import { signersOf } from './signers.ts'
import { ownUpgrade } from './upgrader-node.ts'

export function judgeSafe(to: Walk, facts: Facts, safe: Account & { kind: 'safe' }, hop: Hop): Judged {
  const self = facts.state.address
  if (safe.version === undefined) {
    const named = controllersOf(facts).map(({ role, address }) =>
      child(to, facts, address, { ...hop, role: `The ${role} of ${self}` }),
    )
    return through([...named, ...ownUpgrade(to, facts, hop)], {
      own: 'unknown',
      notes: [`The program behind ${self} is none that Safe released (unofficial singleton).`],
    })
  }
  if (safe.threshold < 1)
    return { label: 'unknown', paths: [], notes: [`Safe ${self} was never set up: whoever comes first takes it.`] }
  const signed = signersOf(to, facts, safe, hop)
  const modules = safe.modules.map((module) => moduleNode(to, facts, module, hop))
  const notes = [...signed.notes]
  const labels: PathLabel[] = [signed.label, ...modules.flatMap((module) => module?.label ?? [])]
  if (safe.modules.length > 0) {
    const count = safe.modules.length === 1 ? '1 module' : `${safe.modules.length} modules`
    notes.push(`Safe ${self} has ${count} that can act without signatures: ${safe.modules.join(', ')}.`)
  }
  if (safe.guard !== undefined) notes.push(`Its transactions pass guard ${safe.guard}.`)
  if (safe.moduleGuard !== undefined) notes.push(`Its modules pass guard ${safe.moduleGuard}.`)
  if (hop.path.some(({ address }) => address === safe.fallbackHandler && address !== self)) {
    // Whatever anyone sends to the Safe, it sends on to its handler in its own name.
    labels.push('single_key')
    notes.push(
      `Its fallback handler is ${safe.fallbackHandler}, which it controls: anyone can command that through it.`,
    )
  }
  if (safe.moreModules) {
    labels.push('unknown')
    notes.push('Its modules could not all be listed.')
  }
  return { ...signed, notes, label: weakestPath(labels), paths: modules.filter((module) => module !== undefined) }
}

/** A module's path; undefined for one that can do no harm, and for one that nobody can judge, which is only named. */
function moduleNode(to: Walk, facts: Facts, module: Hex, hop: Hop): ControlNode | undefined {
  if (HARMLESS_MODULES.has(module)) return undefined
  const role = `Module of Safe ${facts.state.address}`
  const node = child(to, facts, module, { ...hop, role })
  if (node.kind !== 'unknown_contract') return node
  // Its code is its own affair as long as it stays what it is: whoever can replace it can act through it.
  const there = facts.beside(module)
  const paths = ownUpgrade(to, there, { ...hop, role, path: [...hop.path, there.place] })
  return paths.length === 0 ? undefined : { ...node, label: weakestPath(paths.map(({ label }) => label)), paths }
}
