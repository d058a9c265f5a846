/** Compares what the analysis of code finds about a function with what its source states. */

import { bytesOf, hashOf } from '../../server/src/control/code/hashes.ts'
import type { Access, Guard } from '../../server/src/control/powers/guards.ts'
import type { Hex } from '../../server/src/lib/hex.ts'
import { type CorpusContract, immutableAddress } from './contracts.ts'
import type { SourceFunction } from './source/functions.ts'
import { guardsIn, passes, type SourceGuard } from './source/guards.ts'
import type { Stored } from './source/values.ts'

/** What the analysis found about one function. */
export type FoundFunction = { readonly selector: Hex; readonly access: Access; readonly effects: readonly string[] }

export type Verdict =
  /** Guarded, and found with the accounts that the source names. */
  | 'right guard'
  | 'other guard'
  | 'guard unknown'
  | 'guarded called open'
  /** Open in both. */
  | 'right open'
  | 'open unknown'
  | 'open called guarded'

export function verdictOf(contract: CorpusContract, source: SourceFunction, found: FoundFunction | undefined): Verdict {
  const access: Access = found?.access ?? { type: 'unknown', why: 'unsettled' }
  if (source.access === 'open') {
    if (access.type === 'open') return 'right open'
    return access.type === 'unknown' ? 'open unknown' : 'open called guarded'
  }
  if (access.type === 'open') return 'guarded called open'
  if (access.type === 'unknown') return 'guard unknown'
  return isRight(contract, source, access.guards) ? 'right guard' : 'other guard'
}

/** No caller passes without one of the guards found, and each of them is in the source. */
function isRight(contract: CorpusContract, { formula }: SourceFunction, found: readonly Guard[]): boolean {
  const isFound = (stated: SourceGuard): boolean => found.some((guard) => isSame(contract, stated, guard))
  const stated = guardsIn(formula)
  const isKnown = found.every((guard) => stated.some((each) => isSame(contract, each, guard)))
  return isKnown && !passes(formula, (guard) => !isFound(guard), true)
}

const ADDRESS = (1n << 160n) - 1n

function isSame(contract: CorpusContract, stated: SourceGuard, found: Guard): boolean {
  switch (stated.type) {
    case 'slot':
      if (found.type === 'slot') return isAt(contract, stated.at, BigInt(found.slot), found.shift)
      return found.type === 'member' && isAt(contract, stated.at, BigInt(found.table.base), 0)
    case 'constant':
      return found.type === 'constant' && BigInt(found.address) === (stated.value & ADDRESS)
    case 'immutable':
      return found.type === 'constant' && found.address === `0x${immutableAddress(stated.id)}`
    case 'self':
      return found.type === 'self'
    case 'member':
      return found.type === 'member' && isTable(contract, stated.at, found)
    case 'answer':
    default:
      if (found.type !== 'answer' || found.isAboutCaller !== stated.isAboutCaller) return false
      return stated.selector === undefined || found.selector === undefined || found.selector === stated.selector
  }
}

/** Structs have few members. */
const REACH = 64n

function isAt({ slots }: CorpusContract, { at, path }: Stored, slot: bigint, shift: number): boolean {
  if ('hash' in at) return true
  const declared = 'variable' in at ? slots.get(at.variable) : { slot: at.slot, offset: 0 }
  // Compilers before 0.5.13 write no layout.
  if (declared === undefined) return slots.size === 0
  if (path.length === 0) return slot === declared.slot && shift === declared.offset * 8
  const [first, ...others] = path
  if (first !== undefined && 'key' in first && first.key.kind === 'constant')
    return isNear(elementOf(first.key.value, declared.slot), slot) || others.length > 0
  // An element of an array that is a member of a struct.
  const isElement = path.some((part) => 'key' in part && part.key.kind === 'constant')
  return isNear(declared.slot, slot) || (isElement && slot >= 1n << 64n)
}

const isNear = (start: bigint, slot: bigint): boolean => slot >= start && slot < start + REACH

/** Where the element of a mapping is. */
const elementOf = (key: bigint, mapping: bigint): bigint => hashOf(Buffer.concat([bytesOf(key), bytesOf(mapping)]))

function isTable(contract: CorpusContract, stated: Stored, { table }: Guard & { readonly type: 'member' }): boolean {
  // Solady hashes an account and a seed.
  if (table.base.length !== 66 || 'hash' in stated.at) return true
  return isAt(contract, stated, BigInt(table.base), 0)
}
