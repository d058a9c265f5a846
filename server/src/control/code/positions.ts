/**
 * Whether a write may reach a slot.
 *
 * Hashes do not collide, and no hash is found that is near a given number. So an element of a mapping is neither a slot
 * with a small number nor one whose number is the hash of something else, and elements of different mappings differ.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { Hex } from '../../lib/hex.ts'
import type { Key, Position } from './effects.ts'

const REACH = 1n << 64n
const TOP = 1n << 256n

/** Slots whose number is the hash of a text, and how far from it. */
const NAMED: readonly (readonly [text: string, distance: number])[] = [
  ['eip1967.proxy.implementation', -1],
  ['eip1967.proxy.admin', -1],
  ['eip1967.proxy.beacon', -1],
  ['eip1967.proxy.implementation.secondary', -1],
  ['eip1967.proxy.rollback', -1],
  ['eip1967.proxy.implementation', 0],
  ['org.zeppelinos.proxy.implementation', 0],
  ['org.zeppelinos.proxy.admin', 0],
  ['PROXIABLE', 0],
  ['matic.network.proxy.implementation', 0],
  ['matic.network.proxy.owner', 0],
  ['StarkWare2019.implemntation-slot', 0],
  ['diamond.standard.diamond.storage', 0],
]

/** Namespaces of ERC-7201. */
const NAMESPACES: readonly string[] = [
  'openzeppelin.storage.Ownable',
  'openzeppelin.storage.Ownable2Step',
  'openzeppelin.storage.AccessControl',
  'openzeppelin.storage.AccessControlDefaultAdminRules',
  'openzeppelin.storage.AccessControlEnumerable',
  'openzeppelin.storage.AccessManaged',
  'openzeppelin.storage.Initializable',
  'openzeppelin.storage.Pausable',
  'openzeppelin.storage.TimelockController',
  'openzeppelin.storage.Governor',
]

const hash = (bytes: Uint8Array): bigint => BigInt(`0x${bytesToHex(keccak_256(bytes))}`)
const text = (of: string): bigint => hash(new TextEncoder().encode(of))
const bytesOf = (value: bigint): Uint8Array => hexToBytes(value.toString(16).padStart(64, '0'))

type Origin = { readonly bytes: number; readonly isBelow: boolean }

/** Slots of known origin: the length of what was hashed, and whether the slot lies below the hash. */
const ORIGINS: ReadonlyMap<bigint, Origin> = new Map([
  ...NAMED.map(([name, distance]): [bigint, Origin] => [
    text(name) + BigInt(distance),
    { bytes: name.length, isBelow: distance < 0 },
  ]),
  ...NAMESPACES.map((name): [bigint, Origin] => [
    hash(bytesOf(text(name) - 1n)) & ~0xffn,
    { bytes: 32, isBelow: true },
  ]),
])

/** The origin of a slot: a named one, or one of the 256 slots from it on, which the members of a struct take. */
function originOf(slot: bigint): Origin | undefined {
  for (const [start, origin] of ORIGINS) if (slot >= start && slot - start < 256n) return origin
  return undefined
}

const isSmall = (slot: bigint): boolean => slot < REACH || slot >= TOP - REACH
const isNear = (a: bigint, b: bigint): boolean => {
  const distance = (a - b + TOP) % TOP
  return distance < REACH || distance > TOP - REACH
}

/** One form for each position: constant keys are hashed into the base, and an element without other keys is a slot. */
export function canonical(position: Position): Position {
  if (position.type !== 'table') return position
  let base = BigInt(position.base)
  const keys = [...position.keys]
  // A packed seed is shorter than a word and is not hashed in two words.
  if (position.base.length !== 66) return position
  while (keys[0]?.startsWith('0x') === true) {
    const key = keys.shift() as Hex
    // A short number is the member of a struct, not a key.
    base = key.length === 66 ? hash(hexToBytes(key.slice(2) + base.toString(16).padStart(64, '0'))) : base + BigInt(key)
  }
  const hex: Hex = `0x${base.toString(16).padStart(64, '0')}`
  if (keys.length > 0) return { ...position, base: hex, keys }
  const member = BigInt(position.member)
  if (position.member < 0) return { type: 'near', slot: hex }
  return { type: 'slot', slot: `0x${((base + member) % TOP).toString(16).padStart(64, '0')}` }
}

/** Whether a write at `written` may change what is at `held`. */
export function mayHit(written: Position, held: Position): boolean {
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
      return a.type === 'table' || !origin.isBelow || a.isBelow || origin.bytes === 32
    }
    default:
      return true
  }
}

/** A mapping hashes two words, Solady an address and a seed. */
const bytesOfTable = (base: Hex): number => (base.length === 66 ? 64 : 32)

function reachesTable(
  a: Exclude<Position, { readonly type: 'anywhere' }>,
  b: Position & { readonly type: 'table' },
): boolean {
  switch (a.type) {
    case 'slot':
      // It may be the number of an element.
      return !isSmall(BigInt(a.slot)) && originOf(BigInt(a.slot)) === undefined
    case 'near':
      return !isSmall(BigInt(a.slot))
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

function compatible(a: Position & { readonly type: 'table' }, b: Position & { readonly type: 'table' }): boolean {
  if (a.member !== b.member && a.member >= 0 && b.member >= 0) return false
  return a.keys.every((key, at) => isSameKey(key, b.keys[at] as Key))
}

const isFixedKey = (key: Key): boolean => key.startsWith('0x')
const isSameKey = (a: Key, b: Key): boolean => !isFixedKey(a) || !isFixedKey(b) || a === b
