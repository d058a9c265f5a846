/** Accounts that can replace the logic of a contract, named by the contract or found by simulated calls. */
import type { Hex } from 'viem'
import type { ControlRole, UpgradePath } from '../../../../vocabulary/control-roles.ts'
import { addressOf } from './abi-values.ts'
import type { CodeFacts } from './code-facts.ts'
import { hasRoles, isBurnAddress } from './controllers.ts'
import { each, type Facts } from './facts.ts'
import { accessRole } from './roles.ts'
import { UNPRIVILEGED_CALLER } from './simulated-calls.ts'

export type Upgrader = {
  readonly address: Hex
  readonly role: ControlRole
  /** Seconds every change by this account must wait. */
  readonly delaySeconds: number
  /** Not the address itself decides, but `threshold` of these owners, who sign for Wormhole's guardian set. */
  readonly quorum?: { readonly threshold: number; readonly owners: readonly Hex[]; readonly guardianSet: string }
}

export const upgrader = (address: Hex, role: ControlRole, delaySeconds = 0): Upgrader => ({
  address,
  role,
  delaySeconds,
})

/** Each address once, with the first role it has. */
export function distinctUpgraders(upgraders: readonly Upgrader[]): readonly Upgrader[] {
  return upgraders.filter(({ address }, at) => upgraders.findIndex((other) => other.address === address) === at)
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
