/** Whom an AccessManager lets call the functions by which a contract is taken over, and after how long. */
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { uintOf } from './abi-values.ts'
import { each, type Facts } from './facts.ts'
import { MalformedSignal } from './read.ts'
import { MOST_DELAY, PUBLIC_ROLE } from './roles.ts'
import { STRANGER } from './simulated-calls.ts'
import { type Root, rootOf } from './upgrader.ts'

const ABI = parseAbi([
  'function getTargetFunctionRole(address,bytes4) view returns (uint64)',
  'function getRoleAdmin(uint64) view returns (uint64)',
  'function getRoleGrantDelay(uint64) view returns (uint32)',
])
/** `upgradeToAndCall`, `upgradeTo`, `diamondCut`, `changeAdmin`, `transferOwnership`, `grantRole`, `setAuthority`. */
export const UPGRADES: readonly Hex[] = [
  '0x4f1ef286',
  '0x3659cfe6',
  '0x1f931c1c',
  '0x8f283970',
  '0xf2fde38b',
  '0x2f2ff15d',
  '0x7a9e5e4b',
]
const ADMIN_ROLE = 0n

/**
 * Members of the manager's admin role, of the roles that these functions ask for, and of the roles that may grant
 * those: a granter waits for his own delay and for the one between a grant and its effect.
 */
export function managedRoots(facts: Facts, manager: Hex, selectors: readonly Hex[]): readonly Root[] {
  const there = facts.beside(manager)
  const book = there.book('manager')
  if (book === undefined) return []
  const ask = (data: Hex, most: bigint): bigint | undefined => {
    const answer = there.call(data)
    if (answer === undefined) return undefined
    const number = uintOf(answer)
    // Asked about next, a role beyond its type could not even be written down.
    if (number === undefined || number > most)
      throw new MalformedSignal(`what AccessManager ${manager} answers about its roles is not an answer`)
    return number
  }
  const asked = each(selectors, (selector) =>
    ask(
      encodeFunctionData({ abi: ABI, functionName: 'getTargetFunctionRole', args: [facts.state.address, selector] }),
      PUBLIC_ROLE,
    ),
  )
  const roles = new Set(asked.filter((role) => role !== undefined))
  const roots = new Map<string, Root>()
  const add = (role: bigint, title: string, wait: number): void => {
    for (const { account, delay } of book.get(role.toString()) ?? []) {
      const root = rootOf(account, title, Math.max(delay, wait))
      const known = roots.get(account)
      if (known === undefined || root.delay < known.delay) roots.set(account, root)
    }
  }
  add(ADMIN_ROLE, 'AccessManager ADMIN_ROLE member', 0)
  for (const role of roles) {
    if (role === ADMIN_ROLE || role === PUBLIC_ROLE) continue
    add(role, `AccessManager role ${role} member`, 0)
    const seen = new Set([role])
    for (let granted = role, wait = 0; ; ) {
      const [above, pause] = each(['getRoleAdmin', 'getRoleGrantDelay'] as const, (functionName) =>
        ask(
          encodeFunctionData({ abi: ABI, functionName, args: [granted] }),
          functionName === 'getRoleAdmin' ? PUBLIC_ROLE : MOST_DELAY,
        ),
      )
      if (above === undefined || seen.has(above)) break
      seen.add(above)
      wait = Math.max(wait, Number(pause ?? 0n))
      if (above !== ADMIN_ROLE) add(above, `AccessManager role ${above} member, who may grant role ${granted},`, wait)
      granted = above
    }
  }
  const isOpen = roles.has(PUBLIC_ROLE)
  return [
    ...roots.values(),
    ...(isOpen ? [rootOf(STRANGER, 'AccessManager opens the upgrade to anyone, for example')] : []),
  ]
}
