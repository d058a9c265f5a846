/** Accounts that an AccessManager permits to call the functions by which a contract is taken over, and their delays. */
import type { Hex } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { ControlRole } from '../../../../vocabulary/control-roles.ts'
import { toWord, uintOf } from './abi-values.ts'
import { each, type Facts } from './facts.ts'
import { elementOf } from './listed-entries.ts'
import { MAX_MANAGER_DELAY, PUBLIC_ROLE } from './roles.ts'
import { UNPRIVILEGED_CALLER } from './simulated-calls.ts'
import { MalformedSignal } from './state.ts'
import { type Upgrader, upgrader } from './upgrader.ts'

const ABI = parseAbi([
  'function getTargetFunctionRole(address,bytes4) view returns (uint64)',
  'function getRoleAdmin(uint64) view returns (uint64)',
  'function getRoleGrantDelay(uint64) view returns (uint32)',
])
/**
 * `upgradeToAndCall`, `upgradeTo`, `diamondCut`, `changeAdmin`, `transferOwnership`, `grantRole`, `setAuthority`, and what a
 * Safe executes for a module: `execTransactionFromModule`, `execTransactionFromModuleReturnData`.
 */
export const UPGRADE_SELECTORS: readonly Hex[] = [
  '0x4f1ef286',
  '0x3659cfe6',
  '0x1f931c1c',
  '0x8f283970',
  '0xf2fde38b',
  '0x2f2ff15d',
  '0x7a9e5e4b',
  '0x468721a7',
  '0x5229073f',
]
const ADMIN_ROLE = 0n

function numberFrom(manager: Facts, data: Hex, most: bigint): bigint | undefined {
  const result = manager.call(data)
  if (result === undefined) return undefined
  const number = uintOf(result)
  // A role beyond its type could not be encoded in the next call.
  if (number === undefined || number > most)
    throw new MalformedSignal({ code: 'manager_result_invalid', manager: manager.state.address })
  return number
}

/** The role whose members a manager lets call a function of the contract. */
export const functionRole = (facts: Facts, manager: Hex, selector: Hex): bigint | undefined =>
  numberFrom(
    facts.sameChain(manager),
    encodeFunctionData({ abi: ABI, functionName: 'getTargetFunctionRole', args: [facts.state.address, selector] }),
    PUBLIC_ROLE,
  )

/**
 * The members of the role that a function of the contract requires. That some have to announce a call is the manager's answer,
 * which the contract may not heed: they count without a delay, except where it lets those pass alone that need not wait.
 * Undefined for other code than a release, which may answer in another way than its getters and events show.
 */
export function permittedCallers(
  facts: Facts,
  manager: Hex | undefined,
  selector: Hex | undefined,
  isDelayed: boolean,
): readonly Upgrader[] | undefined {
  if (manager === undefined || selector === undefined) return undefined
  const there = facts.sameChain(manager)
  const { contract, isFixed } = there.code()?.release ?? {}
  if (contract !== 'AccessManager' || isFixed !== true) return undefined
  const [role, members] = [functionRole(facts, manager, selector), there.members('manager')]
  if (role === undefined || members === undefined) return undefined
  if (role === PUBLIC_ROLE) return [upgrader(UNPRIVILEGED_CALLER, { code: 'anyone', through: 'access_manager' })]
  return (members.get(role.toString()) ?? [])
    .filter(({ delay }) => isDelayed || delay === 0)
    .map(({ account }) => upgrader(account, { code: 'manager_role_member', role: role.toString() }))
}

/** Where a manager stores its roles: their members, then a word with the last delay of grants that was announced. */
const ROLES = toWord(1)
const ANNOUNCED_SHIFT = 128n

/** The shortest delay between a grant and its effect that was announced for a role. */
function announcedGrantDelay(manager: Facts, role: bigint): bigint {
  const settings = toWord(BigInt(elementOf(ROLES, toWord(role))) + 1n)
  return (BigInt(manager.storage(settings) ?? 0) >> ANNOUNCED_SHIFT) & MAX_MANAGER_DELAY
}

/**
 * Members of the manager's admin role, of the roles that these functions require, and of the roles that may grant
 * those. A granter waits for its own delay and for the delay between a grant and its effect.
 */
export function managedUpgraders(facts: Facts, manager: Hex, selectors: readonly Hex[]): readonly Upgrader[] {
  const there = facts.sameChain(manager)
  const members = there.members('manager')
  if (members === undefined) return []
  const query = (data: Hex, most: bigint): bigint | undefined => numberFrom(there, data, most)
  const required = each(selectors, (selector) => functionRole(facts, manager, selector))
  const roles = new Set(required.filter((role) => role !== undefined))
  const upgraders = new Map<string, Upgrader>()
  /** How long every caller waits; endless where only members may act. */
  let openAfter = roles.has(PUBLIC_ROLE) ? 0 : Infinity
  const add = (role: bigint, as: ControlRole, wait: number): void => {
    for (const { account, delay } of members.get(role.toString()) ?? []) {
      const found = upgrader(account, as, Math.max(delay, wait))
      const known = upgraders.get(account)
      if (known === undefined || found.delaySeconds < known.delaySeconds) upgraders.set(account, found)
    }
  }
  add(ADMIN_ROLE, { code: 'manager_role_member', role: String(ADMIN_ROLE) }, 0)
  for (const role of roles) {
    if (role === ADMIN_ROLE || role === PUBLIC_ROLE) continue
    add(role, { code: 'manager_role_member', role: String(role) }, 0)
    const seen = new Set([role])
    for (let granted = role, wait = 0; ; ) {
      const [above, grantDelay] = each(['getRoleAdmin', 'getRoleGrantDelay'] as const, (functionName) =>
        query(
          encodeFunctionData({ abi: ABI, functionName, args: [granted] }),
          functionName === 'getRoleAdmin' ? PUBLIC_ROLE : MAX_MANAGER_DELAY,
        ),
      )
      if (above === undefined || seen.has(above)) break
      seen.add(above)
      const announced = announcedGrantDelay(there, granted)
      wait = Math.max(wait, Number(grantDelay === undefined || announced < grantDelay ? announced : grantDelay))
      // Every account has this role, though no event names a member.
      if (above === PUBLIC_ROLE) openAfter = Math.min(openAfter, wait)
      else if (above !== ADMIN_ROLE)
        add(above, { code: 'manager_role_member', role: String(above), grants: String(granted) }, wait)
      granted = above
    }
  }
  const isOpen = openAfter < Infinity
  return [
    ...upgraders.values(),
    ...(isOpen ? [upgrader(UNPRIVILEGED_CALLER, { code: 'anyone', through: 'access_manager' }, openAfter)] : []),
  ]
}
