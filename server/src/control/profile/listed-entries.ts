/** Entries of tables in storage: what the table that the code reads holds for an account or a role. */
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import { concatHex, keccak256, numberToHex } from 'viem/utils'
import type { Position } from '../code/positions.ts'
import { toWord } from './abi-values.ts'
import type { Facts } from './facts.ts'

type Table = Position & { readonly type: 'table' }

const TOP = 1n << 256n
/** A table whose elements are the hashes of an account and so many bytes, as Solady packs them. */
const PACKED_BASE = 2 + 24

/** A judgment starts again with every read that it lacked, and hashes the same keys each time. */
const elements = new LRUCache<Hex, Hex>({ max: 50_000 })

/** The slot of the element of a mapping. */
export function elementOf(mapping: Hex, key: Hex): Hex {
  const preimage = concatHex([toWord(key), mapping])
  const known = elements.get(preimage)
  if (known !== undefined) return known
  const slot = keccak256(preimage)
  elements.set(preimage, slot)
  return slot
}

/** The slot of an element, with the account in the place of the caller; undefined where a key is not known. */
export function slotOf({ base, keys, member }: Table, account: Hex): Hex | undefined {
  if (member < 0) return undefined
  if (base.length === PACKED_BASE) return keys.length === 1 ? keccak256(concatHex([account, base])) : undefined
  if (base.length !== 66) return undefined
  let position = base
  for (const key of keys) {
    const value = key === 'caller' ? account : key.startsWith('0x') ? (key as Hex) : undefined
    if (value === undefined) return undefined
    // A short number is the member of a struct, not a key.
    position =
      key !== 'caller' && value.length !== 66
        ? numberToHex((BigInt(position) + BigInt(value)) % TOP, { size: 32 })
        : elementOf(position, value)
  }
  return numberToHex((BigInt(position) + BigInt(member)) % TOP, { size: 32 })
}

/** Whether the entry of an account in a table is not zero. Keys that are not known cannot be looked up. */
export function isListed(facts: Facts, table: Table, account: Hex): boolean {
  const slot = slotOf(table, account)
  return slot !== undefined && BigInt(facts.storage(slot) ?? 0) !== 0n
}

/** The word of an element whose keys are all known. */
export function entryOf(facts: Facts, table: Table): Hex | undefined {
  const slot = slotOf(table, '0x')
  return slot === undefined ? undefined : (facts.storage(slot) ?? toWord(0))
}
