/** The paths of those who can replace a contract's code. */
import type { Hex } from 'viem'
import type { ControlNode } from './control-node.ts'
import { guarded, type Hop, type Walk } from './control-path.ts'
import type { Facts } from './facts.ts'
import { delayNote } from './sentences.ts'
import { signersOf } from './signers.ts'
import { upgradeAuthority } from './upgrade-authority.ts'
import type { Root } from './upgrader.ts'

/**
 * Whoever can replace the code of a controller controls what it controls, without the delay it would impose. `walked`:
 * who is on a path from it already, with no more delay.
 */
export function ownUpgrade(to: Walk, facts: Facts, hop: Hop, walked: readonly Hex[] = []): readonly ControlNode[] {
  const authority = upgradeAuthority(facts)
  if (authority.type === 'immutable') return []
  const unwalked = (authority.roots ?? []).filter(({ address }) => !walked.includes(address))
  const known = unwalked.map((root) => rootNode(to, facts.state.chainId, root, hop))
  if (authority.type === 'roots') return known
  const node = { ...facts.place, role: 'Its own logic', kind: 'unjudged', delay: hop.delay, paths: [] } as const
  return [{ ...node, text: 'replaceable by nobody knows whom', label: 'unknown', notes: authority.notes }, ...known]
}

export function rootNode(to: Walk, chainId: number, root: Root, hop: Omit<Hop, 'role'>): ControlNode {
  const { quorum, role, address } = root
  const place = { chainId, address }
  if (quorum !== undefined) {
    const base = { ...place, role, delay: hop.delay, notes: [], paths: [] }
    return guarded(to, base, () => {
      const signed = signersOf(
        to,
        to.ledger.at(place),
        { threshold: quorum.needed, owners: quorum.members },
        { ...hop, role },
      )
      return { ...base, kind: 'multisig', text: quorum.text, ...signed }
    })
  }
  const node = to.visit(place, { ...hop, role, delay: Math.max(hop.delay, root.delay) })
  if (root.delay <= 0 || root.delay <= hop.delay) return node
  return { ...node, notes: [`What it does comes ${delayNote(root.delay)}.`, ...node.notes] }
}
