/**
 * The table that a contract answers `hasRole(bytes32,address)` from.
 *
 * Other contracts that ask it depend on its answer: members of that table are their holders only if the answer is the entry
 * of the role and the account that were passed, and nothing else.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Dataflow } from '../code/dataflow.ts'
import { OP } from '../code/instructions.ts'
import { positionOf } from '../code/positions.ts'
import { ADDRESS_MASK, type Term } from '../code/terms.ts'

/** An element is at the mapping in slot `base`, under the role, under the account. */
export type RoleTable = { readonly base: Hex }

const HAS_ROLE = 0x91d14854n
const [ROLE_AT, ACCOUNT_AT] = [4n, 36n]

/** Undefined where the function is missing, or returns anything else. */
export function roleTableOf({ effects, settled }: Dataflow): RoleTable | undefined {
  const exits = effects.filter(({ kind, selector }) => kind === 'exit' && selector === HAS_ROLE)
  const found = exits.map(({ subject, facts }) => {
    const stored = storedIn(subject)
    if (stored === undefined || !isEntryOfArguments(stored)) return undefined
    const position = positionOf(stored, facts)
    return position.type === 'table' && position.keys.length === 2 && position.member === 0
      ? { base: position.base }
      : undefined
  })
  const [table] = found
  return settled && table !== undefined && found.every((each) => each?.base === table.base) ? table : undefined
}

/** The position whose content a truth value states. */
function storedIn(term: Term): Term | undefined {
  const [left, right] = term.args
  if (term.kind === 'stored') return left
  if (term.kind !== 'operation' || left === undefined) return undefined
  if (term.op === OP.AND && left.kind === 'constant' && right !== undefined) return storedIn(right)
  const isNegated = term.op === OP.ISZERO && left.kind === 'operation' && left.op === OP.ISZERO
  return isNegated && left.args[0] !== undefined ? storedIn(left.args[0]) : undefined
}

/** Whether a position is the element of the first argument, and in it that of the second. */
function isEntryOfArguments({ kind, segments }: Term): boolean {
  const [account, inner] = segments ?? []
  const [role] = inner?.term.kind === 'hash' ? (inner.term.segments ?? []) : []
  return kind === 'hash' && isArgument(account?.term, ACCOUNT_AT) && isArgument(role?.term, ROLE_AT)
}

function isArgument(term: Term | undefined, at: bigint): boolean {
  const [left, right] = term?.args ?? []
  if (term?.kind === 'operation' && term.op === OP.AND && left?.kind === 'constant' && left.value === ADDRESS_MASK)
    return isArgument(right, at)
  return term?.kind === 'input' && left?.kind === 'constant' && left.value === at
}
