/** Control nodes of the next accounts on a path: those that can replace a contract's code, and members of its roles. */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import type { ControlNode } from './control-node.ts'
import { child, guarded, type Hop, type Judgment, namedControllers, through, type Walk } from './control-path.ts'
import { isUnusable, rolesOf } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import type { Gate } from './gates.ts'
import { proveActs } from './proof.ts'
import type { Proof } from './prover.ts'
import { accessRole, grantersOf, incomplete } from './roles.ts'
import { signersOf } from './signers.ts'
import { type RoleMembers, refKey } from './state.ts'
import { upgradeAuthority } from './upgrade-authority.ts'
import { type Upgrader, upgraderKey } from './upgrader.ts'

/**
 * An account that can replace the code of a controller controls what that controls, without the controller's delay.
 */
export const ownUpgrade = (walk: Walk, facts: Facts, hop: Hop): readonly ControlNode[] =>
  ownUpgraders(walk, facts, hop, []).nodes

/** `keys`: these accounts by `upgraderKey`. An account that is walked already may control the contract by another one too. */
function ownUpgraders(
  walk: Walk,
  facts: Facts,
  hop: Hop,
  walked: readonly Hex[],
): { readonly nodes: readonly ControlNode[]; readonly keys: readonly string[] } {
  const authority = upgradeAuthority(facts)
  if (authority.type === 'immutable') return { nodes: [], keys: [] }
  const isWalked = (found: Upgrader): boolean => walked.some((address) => address === upgraderKey(found))
  const unwalked = (authority.upgraders ?? []).filter((found) => !isWalked(found))
  const known = unwalked.map((found) => upgraderNode(walk, facts.state.chainId, found, hop))
  const unknown = authority.type === 'upgradeable' ? [] : [unknownNode(facts, hop, authority.notes)]
  return { nodes: [...unknown, ...known], keys: unwalked.map(upgraderKey) }
}

/** The path of accounts that are not known. */
export const unknownNode = (facts: Facts, hop: Hop, notes: readonly Reason[]): ControlNode => ({
  ...facts.ref,
  role: { code: 'own_logic' },
  account: { kind: 'unjudged', why: { code: 'unknown_upgrader' } },
  label: 'unknown',
  delaySeconds: hop.delaySeconds,
  notes,
  paths: [],
})

/**
 * Accounts that can replace the code of a controller, and accounts that can make it act on what it controls by other
 * rules than its own. `gate`: what its own rules are. `walked`: accounts that are on a path from it already.
 */
export function ownControl(
  walk: Walk,
  facts: Facts,
  hop: Hop,
  gate: Gate,
  walked: readonly ControlNode[] = [],
): readonly ControlNode[] {
  // A path that is walked with more delay than this one leaves this one open.
  const known = walked.filter(({ delaySeconds }) => delaySeconds <= hop.delaySeconds).map(({ address }) => address)
  const upgrades = ownUpgraders(walk, facts, hop, known)
  const { holders, unproven } = proveActs(facts, gate, controlledOn(facts, hop))
  const seen = new Set([...known, ...upgrades.keys])
  return [...upgrades.nodes, ...actingNodes(walk, facts, hop, { holders, unproven }, seen)]
}

/** Accounts that can make a contract call others. */
export const actingAccounts = (walk: Walk, facts: Facts, hop: Hop): readonly ControlNode[] =>
  actingNodes(walk, facts, hop, proveActs(facts, 'caller', controlledOn(facts, hop)), new Set())

function actingNodes(
  walk: Walk,
  facts: Facts,
  hop: Hop,
  { holders, unproven }: Proof,
  seen: ReadonlySet<string>,
): readonly ControlNode[] {
  const self = facts.state.address
  const isOther = ({ address }: Upgrader): boolean => address !== self && !isUnusable(facts, address)
  const acting = holders.filter((holder) => !seen.has(upgraderKey(holder)) && isOther(holder))
  const nodes = acting.map((holder) => upgraderNode(walk, facts.state.chainId, holder, hop))
  const [first] = unproven
  return first === undefined ? nodes : [...nodes, unknownNode(facts, hop, [{ code: 'unproven', ...first }])]
}

/** The contracts on the path to an account, as far as they are on its chain. */
export const controlledOn = (facts: Facts, hop: Hop): readonly Facts[] =>
  each(
    hop.path.filter(({ chainId, address }) => chainId === facts.state.chainId && address !== facts.state.address),
    ({ address }) => facts.sameChain(address),
  )

export function upgraderNode(
  walk: Walk,
  chainId: number,
  { quorum, role, address, delaySeconds, through = [] }: Upgrader,
  from: Omit<Hop, 'role'>,
): ControlNode {
  const ref = { chainId, address }
  const passed = through.map((contract) => ({ chainId, address: contract }))
  // A caller may make them act on the account that controls them.
  for (const contract of passed) walk.passive.add(refKey(contract))
  const hop = { ...from, path: [...from.path, ...passed] }
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
  return through([...paths, ...ownControl(walk, facts, hop, 'caller', paths)])
}
