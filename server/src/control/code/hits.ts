/**
 * Whether a write may reach a position in storage.
 *
 * Hashes do not collide, and no hash is found that is near a given number. So an element of a mapping is neither a slot
 * with a small number nor one whose number is the hash of something else, and elements of different mappings differ.
 */
import { hexToBytes } from '@noble/hashes/utils.js'
import type { Hex } from '../../lib/hex.ts'
import { bytesOf, hashOf } from './hashes.ts'
import { originOf } from './named-slots.ts'
import { type Key, type Position, REACH, TOP } from './positions.ts'

/** No hash lies this close to a given number. */
const FAR = 1n << 128n
/** No hash is below. */
export const LEAST_HASH = FAR

/** Where arrays in the first slots begin, by the upper half of the hash: no two lie close to each other. */
const ARRAYS: ReadonlySet<bigint> = new Set(Array.from({ length: 1_024 }, (_, n) => hashOf(bytesOf(BigInt(n))) >> 128n))
/** An array hashes its slot. */
const ARRAY_BYTES = 32

/** Whether a slot is in an array of one of the first slots. */
export const isArraySlot = (slot: bigint): boolean => ARRAYS.has(slot >> 128n)

const isSmall = (slot: bigint): boolean => slot < REACH || slot >= TOP - REACH
const isNear = (a: bigint, b: bigint): boolean => {
  const distance = (a - b + TOP) % TOP
  return distance < FAR || distance > TOP - FAR
}

const CANONICAL = new WeakMap<Position, Position>()

/** One form for each position: constant keys are hashed into the base, and an element without other keys is a slot. */
export function canonical(position: Position): Position {
  if (position.type !== 'table' || position.keys[0]?.startsWith('0x') === false) return position
  let found = CANONICAL.get(position)
  if (found === undefined) CANONICAL.set(position, (found = hashedTable(position)))
  return found
}

function hashedTable(position: Position & { readonly type: 'table' }): Position {
  let base = BigInt(position.base)
  const keys = [...position.keys]
  // A packed seed is shorter than a word and is not hashed in two words.
  if (position.base.length !== 66) return position
  while (keys[0]?.startsWith('0x') === true) {
    const key = keys.shift() as Hex
    // A short number is the member of a struct, not a key.
    base =
      key.length === 66 ? hashOf(hexToBytes(key.slice(2) + base.toString(16).padStart(64, '0'))) : base + BigInt(key)
  }
  const hex: Hex = `0x${base.toString(16).padStart(64, '0')}`
  if (keys.length > 0) return { ...position, base: hex, keys }
  const member = BigInt(position.member)
  if (position.member < 0) return { type: 'near', slot: hex }
  return { type: 'slot', slot: `0x${((base + member) % TOP).toString(16).padStart(64, '0')}` }
}

/** The position of a mapping that is not itself an element of another one. */
const isRooted = (base: Hex): boolean =>
  base.length === 66 && (isSmall(BigInt(base)) || originOf(BigInt(base)) !== undefined)

const isOtherHash = (hashed: Position, table: Position): boolean =>
  hashed.type === 'hashed' && table.type === 'table' && hashed.bytes !== 0 && hashed.bytes !== bytesOfTable(table.base)

/** Whether a write at `written` may change what is at `held`. */
export function mayHit(written: Position, held: Position): boolean {
  if (written.type === 'table' && held.type === 'table' && isRooted(written.base) && isRooted(held.base))
    return written.base === held.base && written.keys.length === held.keys.length && compatible(written, held)
  // Hashes of different numbers of bytes differ.
  if (isOtherHash(written, held) || isOtherHash(held, written)) return false
  const [a, b] = [canonical(written), canonical(held)]
  if (a.type === 'anywhere' || b.type === 'anywhere') return true
  if (b.type === 'slot') return reaches(a, BigInt(b.slot))
  if (b.type === 'table') return reachesTable(a, b)
  // Arrays and other hashes: whatever is not plainly elsewhere.
  if (a.type === 'slot' && b.type === 'near') return isNear(BigInt(a.slot), BigInt(b.slot))
  if (a.type === 'slot') return !isSmall(BigInt(a.slot))
  return true
}

function reaches(a: Exclude<Position, { readonly type: 'anywhere' }>, slot: bigint): boolean {
  switch (a.type) {
    case 'slot':
      return BigInt(a.slot) === slot
    case 'near':
      return isNear(BigInt(a.slot), slot)
    case 'table':
    case 'hashed': {
      if (isSmall(slot)) return false
      const origin = originOf(slot)
      const bytes = a.type === 'table' ? bytesOfTable(a.base) : a.bytes
      if (origin === undefined) return true
      if (bytes !== 0 && bytes !== origin.bytes) return false
      // A name that is a word is not the position of an element.
      if (a.type === 'hashed' && a.isOfElement === true) return false
      return a.type === 'table' || !origin.isBelow || a.isBelow || origin.bytes === 32
    }
    default:
      return true
  }
}

/** A mapping hashes two words, Solady an address next to a seed. */
const bytesOfTable = (base: Hex): number => (base.length === 66 ? 64 : base.length / 2 - 1 + 20)

function reachesTable(
  a: Exclude<Position, { readonly type: 'anywhere' }>,
  b: Position & { readonly type: 'table' },
): boolean {
  switch (a.type) {
    case 'slot':
      // It may be the number of an element.
      return originOf(BigInt(a.slot)) === undefined && isOutsideArrays(BigInt(a.slot), b)
    case 'near':
      return isOutsideArrays(BigInt(a.slot), b)
    case 'hashed':
      return a.bytes === 0 || a.bytes === bytesOfTable(b.base)
    case 'table': {
      if (a.base === b.base) return a.keys.length === b.keys.length && compatible(a, b)
      // A base that is not small may itself be an element of the other mapping.
      const [longer, shorter] = a.keys.length >= b.keys.length ? [a, b] : [b, a]
      return longer.keys.length > shorter.keys.length && !isSmall(BigInt(shorter.base))
    }
    default:
      return true
  }
}

/** Whether a slot may be in a mapping: it neither has a small number nor is in an array of one of the first slots. */
const isOutsideArrays = (slot: bigint, { base }: Position & { readonly type: 'table' }): boolean =>
  !isSmall(slot) && (!isArraySlot(slot) || bytesOfTable(base) === ARRAY_BYTES)

function compatible(a: Position & { readonly type: 'table' }, b: Position & { readonly type: 'table' }): boolean {
  if (a.member !== b.member && a.member >= 0 && b.member >= 0) return false
  return a.keys.every((key, at) => isSameKey(key, b.keys[at] as Key))
}

const isFixedKey = (key: Key): boolean => key.startsWith('0x')
const isSameKey = (a: Key, b: Key): boolean => !isFixedKey(a) || !isFixedKey(b) || a === b
