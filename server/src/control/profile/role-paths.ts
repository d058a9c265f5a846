/** Paths through the members of AccessControl roles. */
import type { Hex } from 'viem'
import type { ControlNode } from './control-node.ts'
import { child, type Hop, type Judgment, namedControllers, through, type Walk } from './control-path.ts'
import { rolesOf } from './controllers.ts'
import type { Facts } from './facts.ts'
import { accessRole, grantersOf, incomplete } from './roles.ts'
import type { RoleMembers } from './state.ts'
import { ownUpgrade } from './upgrader-node.ts'

/**
 * Members of a role and of every role that may grant it. The contract itself is left out: it administers itself through
 * them.
 */
export function roleMembers(walk: Walk, facts: Facts, role: Hex, hop: Hop): readonly ControlNode[] {
  const members = rolesOf(facts)
  const granters = grantersOf(members, role)
  const missing = [role, ...granters].find((wanted) => !members.roles.has(wanted))
  if (missing !== undefined && !members.complete) throw incomplete(members)
  const seen = new Set<Hex>([facts.state.address])
  return [role, ...granters].flatMap((held) => {
    const grants = held === role ? {} : { grants: accessRole(role) }
    const holders = (members.roles.get(held)?.members ?? []).filter((address) => !seen.has(address))
    for (const address of holders) seen.add(address)
    return holders.map((address) =>
      child(walk, facts, address, { ...hop, role: { code: 'role_member', role: accessRole(held), ...grants } }),
    )
  })
}

/** Members of all roles except `known`. */
export function otherRoleMembers(
  walk: Walk,
  facts: Facts,
  members: RoleMembers,
  known: readonly Hex[],
  hop: Hop,
): readonly ControlNode[] {
  return [...members.roles].flatMap(([role, { members: holders }]) =>
    holders
      .filter((address) => !known.includes(role) && address !== facts.state.address)
      .map((address) => child(walk, facts, address, { ...hop, role: { code: 'role_member', role: accessRole(role) } })),
  )
}

/** An executor: the members of its role, and every other controller or role member, whose powers no getter shows. */
export function judgeExecutor(walk: Walk, facts: Facts, role: Hex, hop: Hop): Judgment {
  const members = rolesOf(facts)
  if (!members.complete) throw incomplete(members)
  const paths = [
    ...roleMembers(walk, facts, role, hop),
    ...namedControllers(walk, facts, 'executor', hop),
    ...otherRoleMembers(walk, facts, members, [role, ...grantersOf(members, role)], hop),
  ]
  const walked = paths.map(({ address }) => address)
  return through([...paths, ...ownUpgrade(walk, facts, hop, walked)])
}
