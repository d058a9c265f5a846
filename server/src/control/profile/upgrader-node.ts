/** Control nodes of the accounts that can replace a contract's code. */
import type { Hex } from 'viem'
import type { ControlNode } from './control-node.ts'
import { guarded, type Hop, type Walk } from './control-path.ts'
import type { Facts } from './facts.ts'
import { signersOf } from './signers.ts'
import { upgradeAuthority } from './upgrade-authority.ts'
import type { Upgrader } from './upgrader.ts'

/**
 * An account that can replace the code of a controller controls what that controls, without the controller's delay.
 * `walked`: accounts that are on a path from it already, with no more delay.
 */
export function ownUpgrade(walk: Walk, facts: Facts, hop: Hop, walked: readonly Hex[] = []): readonly ControlNode[] {
  const authority = upgradeAuthority(facts)
  if (authority.type === 'immutable') return []
  const unwalked = (authority.upgraders ?? []).filter(({ address }) => !walked.includes(address))
  const known = unwalked.map((upgrader) => upgraderNode(walk, facts.state.chainId, upgrader, hop))
  if (authority.type === 'upgradeable') return known
  const unknown: ControlNode = {
    ...facts.ref,
    role: { code: 'own_logic' },
    account: { kind: 'unjudged', why: { code: 'unknown_upgrader' } },
    label: 'unknown',
    delaySeconds: hop.delaySeconds,
    notes: authority.notes,
    paths: [],
  }
  return [unknown, ...known]
}

export function upgraderNode(
  walk: Walk,
  chainId: number,
  { quorum, role, address, delaySeconds }: Upgrader,
  hop: Omit<Hop, 'role'>,
): ControlNode {
  const ref = { chainId, address }
  if (quorum !== undefined) {
    const base = { ...ref, role, delaySeconds: hop.delaySeconds, notes: [], paths: [] }
    const { threshold, owners, guardianSet } = quorum
    return guarded(walk, base, () => ({
      ...base,
      account: { kind: 'multisig', threshold, owners: owners.length, guardianSet },
      ...signersOf(walk, walk.ledger.at(ref), quorum, { ...hop, role }),
    }))
  }
  const node = walk.visit(ref, { ...hop, role, delaySeconds: Math.max(hop.delaySeconds, delaySeconds) })
  if (delaySeconds <= 0 || delaySeconds <= hop.delaySeconds) return node
  return { ...node, notes: [{ code: 'delayed_actions', delaySeconds }, ...node.notes] }
}
