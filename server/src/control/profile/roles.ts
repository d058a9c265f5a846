/** Roles of AccessControl: their names, and who could come to hold one. */
import { type Hex, keccak256, stringToHex } from 'viem'
import { MalformedSignal, UnreadSignal } from './read.ts'
import type { RoleBook } from './state.ts'

/** AccessManager's role that everybody has, and the last there can be. */
export const PUBLIC_ROLE = 2n ** 64n - 1n
/** The longest delay its type holds. */
export const MOST_DELAY = 2n ** 32n - 1n

export const DEFAULT_ADMIN: Hex = `0x${'0'.repeat(64)}`

export const roleNamed = (name: string): Hex => keccak256(stringToHex(name))

export const PROPOSER = roleNamed('PROPOSER_ROLE')
export const EXECUTOR = roleNamed('EXECUTOR_ROLE')

const NAMES = [
  'UPGRADER_ROLE',
  'PROPOSER_ROLE',
  'EXECUTOR_ROLE',
  'CANCELLER_ROLE',
  'TIMELOCK_ADMIN_ROLE',
  'ADMIN_ROLE',
  'MINTER_ROLE',
  'PAUSER_ROLE',
  'BYPASSER_ROLE',
]

export const ROLE_NAMES: ReadonlyMap<Hex, string> = new Map([
  [DEFAULT_ADMIN, 'DEFAULT_ADMIN_ROLE'],
  ...NAMES.map((name): [Hex, string] => [roleNamed(name), name]),
])

/** Roles whose members may grant `role`, or may grant one that may, and so on. */
export function grantersOf(book: RoleBook, role: Hex): readonly Hex[] {
  const found = new Set<Hex>()
  for (
    let next: Hex | undefined = adminOf(book, role);
    next !== undefined && !found.has(next);
    next = adminOf(book, next)
  )
    found.add(next)
  return [...found]
}

/** A role nobody was ever granted has the admin every role begins with. */
const adminOf = (book: RoleBook, role: Hex): Hex => book.roles.get(role)?.admin ?? DEFAULT_ADMIN

/** What ends a judgement that needs roles which are not in the book. Only a failed read lets the last label stand. */
export function incomplete(book: RoleBook): Error {
  return book.isUntold === true
    ? new MalformedSignal('no role that it granted is told by its events')
    : new UnreadSignal('every role of it', 'its events could not be read')
}
