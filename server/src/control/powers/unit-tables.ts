/** Where a contract keeps the units of accounts, by what its functions read and store. */
import type { Hex } from '../../lib/hex.ts'
import { LEAST_HASH, mayHit } from '../code/hits.ts'
import { type Position, positionOf } from '../code/positions.ts'
import { type Term, word } from '../code/terms.ts'
import { valueOf } from '../code/values.ts'
import type { CodeFunction } from './functions.ts'
import { allowancesIn, type Judged, judgedStores } from './gifts.ts'

/** `balanceOf(address)`. */
export const BALANCE: Hex = '0x70a08231'
/** `allowance(address,address)`. */
const ALLOWANCE: Hex = '0xdd62ed3e'
/** `ownerOf(uint256)`. */
const ITEM_OWNER: Hex = '0x6352211e'
/** `getApproved(uint256)`. */
const ITEM_SPENDER: Hex = '0x081812fc'
/** `transfer(address,uint256)`. */
const TRANSFER: Hex = '0xa9059cbb'

/** Where a contract keeps what accounts have. */
export type UnitTables = {
  /** What `balanceOf` reads for an account, and what units are given for. */
  readonly units: readonly Position[]
  readonly balances: readonly Position[]
  /** Slots that the balance of every account depends on. */
  readonly slots: readonly Position[]
  readonly allowances: readonly Position[]
  /** Who owns an item, and who may move it. */
  readonly items: readonly Position[]
  /** Balances count items, each of which has an owner. */
  readonly hasItems: boolean
}

export function unitTablesOf(functions: readonly CodeFunction[]): UnitTables {
  const readBy = (selector: Hex): readonly Position[] =>
    functions.filter((each) => each.selector === selector).flatMap(({ reads }) => reads)
  const balances = readBy(BALANCE).filter(isTable)
  const slots = readBy(BALANCE).filter(({ type }) => type === 'slot')
  const judged =
    balances.length === 0 ? [] : functions.filter(isJudged).flatMap((each) => entriesOf(each, { balances, slots }))
  const units = [...balances]
  // What units are taken for is worth as much.
  for (let found = judged.filter(isOf(units)); found.length > 0; ) {
    const added = found.flatMap(({ sources }) => sources).filter((place) => isTable(place) && !isIn(place, units))
    units.push(...added)
    found = added.length === 0 ? [] : judged.filter(isOf(added))
  }
  const allowances = [
    ...readBy(ALLOWANCE).filter(isTable),
    ...judged.filter(isOf(units)).flatMap(({ effect }) => allowancesIn(effect)),
  ]
  const has = (selector: Hex): boolean => functions.some((each) => each.selector === selector)
  const items = [ITEM_OWNER, ITEM_SPENDER].flatMap(readBy).filter(({ type }) => type === 'table')
  const hasItems = has(ITEM_OWNER) && !has(TRANSFER)
  return { units, balances, slots, allowances: allowances.filter((each) => !isIn(each, balances)), items, hasItems }
}

/** What a function stores for accounts, and where all balances depend on it. */
export const entriesOf = (
  { effects, mayMiss }: CodeFunction,
  tables: Pick<UnitTables, 'balances' | 'slots'>,
): readonly Judged[] =>
  judgedStores({
    mayMiss,
    effects: effects.filter(({ kind, subject }) => kind !== 'store' || !isPlainSlot(subject, tables)),
  })

/** A slot that no balance depends on, such as the supply, is no entry of an account. An entry of a fixed account has a fixed slot too. */
export function isPlainSlot(subject: Term, { balances, slots }: Pick<UnitTables, 'balances' | 'slots'>): boolean {
  const slot = valueOf(subject)
  if (slot === undefined) return false
  const position: Position = { type: 'slot', slot: word(slot) }
  return !isIn(position, slots) && (slot < LEAST_HASH || !isIn(position, balances))
}

const isTable = ({ type }: Position): boolean => type === 'table' || type === 'hashed'
export const isIn = (position: Position, tables: readonly Position[]): boolean =>
  tables.some((table) => mayHit(position, table))
const isOf =
  (tables: readonly Position[]) =>
  ({ effect: { subject, facts } }: Judged): boolean =>
    isIn(positionOf(subject, facts), tables)

/** What an initializer gives is there at the start. */
export const isJudged = ({ isView, isOnce, access }: CodeFunction): boolean =>
  !isView && !isOnce && access.type !== 'guarded'
