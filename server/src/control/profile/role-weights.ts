/** How harmful a role is: the worst class of the functions that its members may call. */
import type { Hex } from 'viem'
import { classOf, POWER_CLASSES, type PowerClass } from '../../../../vocabulary/powers.ts'
import type { CodePower } from '../powers/code-powers.ts'
import type { Guard } from '../powers/guards.ts'
import { functionRole } from './access-manager.ts'
import { classify } from './account.ts'
import { hasRoles, rolesOf } from './controllers.ts'
import { each, type Facts, PendingSignal } from './facts.ts'
import { adminRoles, CAN_CALL, contractOf } from './guard-holders.ts'
import { HAS_ROLE } from './role-books.ts'
import { MalformedSignal, UnreadSignal } from './state.ts'

/** `book`: the contract that keeps the members of the role, on the same chain. */
export type RoleWeight = { readonly book: Hex; readonly role: string; readonly class: PowerClass }

/** The roles that open functions of a contract. A role whose book cannot be read is left out. */
export function roleWeights(facts: Facts, powers: readonly CodePower[]): readonly RoleWeight[] {
  const worst = new Map<string, RoleWeight>()
  each(powers, ({ effect, grants, guards, selector }) => {
    const of = classOf(effect, grants)
    each(guards, (guard) => {
      for (const found of readable(() => rolesOfGuard(facts, guard, selector))) {
        const key = `${found.book} ${found.role}`
        const known = worst.get(key)
        if (known === undefined || POWER_CLASSES.indexOf(of) < POWER_CLASSES.indexOf(known.class))
          worst.set(key, { ...found, class: of })
      }
    })
  })
  return [...worst.values()]
}

type Role = Omit<RoleWeight, 'class'>

function rolesOfGuard(facts: Facts, guard: Guard, selector: Hex): readonly Role[] {
  if (guard.type === 'member') {
    const [role, ...others] = guard.table.keys
    if (role === undefined || others.join() !== 'caller' || !hasRoles(facts)) return []
    const book = facts.state.address
    if (role.startsWith('0x')) return role.length === 66 ? [{ book, role }] : []
    return role.startsWith('@') ? adminRoles(rolesOf(facts)).map((admin) => ({ book, role: admin })) : []
  }
  if (guard.type !== 'answer' || !guard.isAboutCaller) return []
  const book = contractOf(facts, guard.by)
  if (book === undefined) return []
  if (guard.selector === HAS_ROLE) return guard.argument === undefined ? [] : [{ book, role: guard.argument }]
  if (guard.selector !== CAN_CALL || classify(facts.sameChain(book)).kind !== 'access_manager') return []
  const role = functionRole(facts, book, selector)
  return role === undefined ? [] : [{ book, role: String(role) }]
}

function readable(roles: () => readonly Role[]): readonly Role[] {
  try {
    return roles()
  } catch (signal) {
    if (signal instanceof PendingSignal) throw signal
    if (signal instanceof UnreadSignal || signal instanceof MalformedSignal) return []
    throw signal
  }
}
