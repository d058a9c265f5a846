/**
 * Accounts that can replace the logic of a contract: named by getters, roles or wards, or found by simulated calls.
 *
 * `Authority` is the result for one contract; `upgrade-authority.ts` and the proxy families find it.
 */
import type { Hex } from 'viem'
import type { ContractKind } from '../../../../vocabulary/contract-kinds.ts'
import type { ControlRole, UpgradePath } from '../../../../vocabulary/control-roles.ts'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { addressOf } from './abi-values.ts'
import type { CodeFacts } from './code-facts.ts'
import { controllersOf, hasRoles, hasWards, isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { accessRole, DEFAULT_ADMIN, grantersOf, incomplete, roleNamed } from './roles.ts'
import { UNPRIVILEGED_CALLER } from './simulated-calls.ts'
import { MalformedSignal, type RoleMembers } from './state.ts'

export type Upgrader = {
  readonly address: Hex
  readonly role: ControlRole
  /** Seconds every change by this account must wait. */
  readonly delaySeconds: number
  /** The account controls these contracts, the last of them directly, by which it controls the contract: beacons. */
  readonly through?: readonly Hex[]
  /** Not the address itself decides, but `threshold` of these owners, who sign for Wormhole's guardian set. */
  readonly quorum?: { readonly threshold: number; readonly owners: readonly Hex[]; readonly guardianSet: string }
}

/** The accounts that control another contract, as those that control a contract by it. */
export const upgradersThrough = (upgraders: readonly Upgrader[], contract: Hex): readonly Upgrader[] =>
  upgraders.map((found) => ({ ...found, through: [contract, ...(found.through ?? [])] }))

export const upgrader = (address: Hex, role: ControlRole, delaySeconds = 0): Upgrader => ({
  address,
  role,
  delaySeconds,
})

/** An account that controls a contract by others is another upgrader than the same account without them. */
export const upgraderKey = ({ address, through = [] }: Upgrader): string => [...through, address].join()

/** Each of them once, with the role that has the least delay, and the first of those. */
export function distinctUpgraders(upgraders: readonly Upgrader[]): readonly Upgrader[] {
  const least = new Map<string, Upgrader>()
  for (const found of upgraders) {
    const known = least.get(upgraderKey(found))
    if (known === undefined || found.delaySeconds < known.delaySeconds) least.set(upgraderKey(found), found)
  }
  return [...least.values()]
}

/** Accounts that the code compares its caller with: constants of the code, and contents of slots except `known`. */
export function callersInCode(
  facts: Facts,
  code: CodeFacts | undefined,
  known: readonly Hex[] = [],
): readonly Upgrader[] {
  const slots = (code?.senderSlots ?? []).filter((slot) => !known.includes(slot))
  const words = each(slots, (slot) => facts.storage(slot))
  const stored = words.flatMap((word, at) => {
    const address = word === undefined ? undefined : addressOf(word)
    return address === undefined ? [] : [upgrader(address, { code: 'caller_in_slot', slot: slots[at] as Hex })]
  })
  const fixed = (code?.senders ?? []).map((address) => upgrader(address, { code: 'caller_in_code' }))
  return [...fixed, ...stored]
}

/** Members of every role, with the role they hold. */
export function everyRoleMember(facts: Facts, path: UpgradePath): readonly Upgrader[] {
  if (!hasRoles(facts)) return []
  return [...(facts.members('roles')?.roles ?? [])].flatMap(([role, { members }]) =>
    members.map((address) => upgrader(address, { code: 'upgrade_role_member', role: accessRole(role), path })),
  )
}

/** Accounts that no getter names: those the code compares its caller with, and the members of every role. */
export const unnamedCallers = (facts: Facts, code: CodeFacts | undefined, path: UpgradePath): readonly Upgrader[] => [
  ...callersInCode(facts, code),
  ...everyRoleMember(facts, path),
]

/**
 * Those of the unnamed accounts, and the unprivileged caller, from whom the call succeeds. An owner kept for other
 * functions is refused; a hidden key is not.
 */
export function othersAllowed(
  named: readonly Upgrader[],
  unnamed: readonly Upgrader[],
  allows: (from: Hex) => boolean,
): readonly Upgrader[] {
  const anyone = upgrader(UNPRIVILEGED_CALLER, { code: 'anyone' })
  const untried = distinctUpgraders([...unnamed, anyone]).filter(
    ({ address }) => !isBurnAddress(address) && !named.some((known) => known.address === address),
  )
  return thoseAllowed(untried, allows)
}

/** Those from whom the call succeeds. */
export function thoseAllowed(upgraders: readonly Upgrader[], allows: (from: Hex) => boolean): readonly Upgrader[] {
  const allowed = each(upgraders, ({ address }) => allows(address))
  return upgraders.filter((_, at) => allowed[at] === true)
}

/** Who can replace the logic of a contract. */
export type Authority = {
  readonly kind: ContractKind
  readonly implementation?: Hex
  readonly notes: readonly Reason[]
} & (
  | { readonly type: 'upgradeable'; readonly upgraders: readonly Upgrader[] }
  | { readonly type: 'immutable'; readonly upgraders?: undefined }
  /** `upgraders`: those that are known. There may be others. */
  | { readonly type: 'unresolved'; readonly upgraders?: readonly Upgrader[] }
)

/** Libraries that call libraries are followed to this depth; what is deeper is not known. */
export const MAX_LIBRARY_DEPTH = 4

/** The code that runs as this logic: a clone runs the code of its target. */
export function runningCode(facts: Facts, address: Hex): CodeFacts | undefined {
  const code = facts.sameChain(address).code()
  return code?.cloneOf === undefined ? code : facts.sameChain(code.cloneOf).code()
}

/** Controllers, members of upgrading roles, and wards that a contract names. */
export function namedUpgraders(facts: Facts, path: UpgradePath): readonly Upgrader[] {
  return [
    ...controllersOf(facts).map(({ name, address }) => upgrader(address, { code: 'upgrade_controller', name, path })),
    ...(hasRoles(facts) ? roleUpgraders(facts, path) : []),
    ...wardUpgraders(facts, path),
  ]
}

/** Members of UPGRADER_ROLE and of the required roles, of every role that may grant those, and of the default admin. */
export function roleUpgraders(
  facts: Facts,
  path: UpgradePath,
  {
    needsAllRoles = false,
    required = [],
  }: { readonly needsAllRoles?: boolean; readonly required?: readonly Hex[] } = {},
): readonly Upgrader[] {
  const members = facts.members('roles')
  if (members === undefined) return []
  if (needsAllRoles && !members.complete) throw incomplete(members)
  const roles = [roleNamed('UPGRADER_ROLE'), ...required]
  const wanted = new Set<Hex>([...roles, ...roles.flatMap((role) => grantersOf(members, role)), DEFAULT_ADMIN])
  return distinctUpgraders(membersOf(members, [...wanted], path))
}

/** The accounts that are allowed show which role is required; its granters can give themselves that role. */
export function withGranters(
  facts: Facts,
  upgraders: readonly Upgrader[],
  allowed: readonly Upgrader[],
  path: UpgradePath,
): readonly Upgrader[] {
  const members = hasRoles(facts) ? facts.members('roles') : undefined
  if (members === undefined) return upgraders
  const held = [...members.roles].filter(([, role]) => allowed.some(({ address }) => role.members.includes(address)))
  return distinctUpgraders([
    ...upgraders,
    ...held.flatMap(([role]) => membersOf(members, grantersOf(members, role), path)),
  ])
}

const membersOf = (members: RoleMembers, roles: readonly Hex[], path: UpgradePath): readonly Upgrader[] =>
  roles.flatMap((role) =>
    (members.roles.get(role)?.members ?? []).map((address) =>
      upgrader(address, { code: 'upgrade_role_member', role: accessRole(role), path }),
    ),
  )

/** Maker's wards: each may do everything and appoint other wards. */
export function wardsOf(facts: Facts): readonly Hex[] {
  if (!hasWards(facts)) return []
  const wards = facts.members('wards')
  if (wards === undefined) throw new MalformedSignal({ code: 'wards_without_events' })
  return wards
}

export const wardUpgraders = (facts: Facts, path: UpgradePath): readonly Upgrader[] =>
  wardsOf(facts).map((address) => upgrader(address, { code: 'upgrade_ward', path }))
