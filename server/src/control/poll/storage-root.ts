/**
 * The root of the trie over the storage of a contract, computed from its slots.
 *
 * A node returns the root of the whole storage (`eth_getProof`). If the root over the slots that are known is equal, no
 * other slot holds anything: the hash of the trie allows no second one.
 */
import { fromRlp, hexToBytes, keccak256, toRlp } from 'viem/utils'
import type { Hex } from '../../lib/hex.ts'
import type { StorageProof } from '../rpc/requests.ts'

/** The key of an entry as hexadecimal digits, and its value in RLP. */
type Entry = { readonly digits: string; readonly value: Hex }
type Node = Hex | readonly Node[]

/** Whether the storage holds nothing outside of these positions. Proofs cover them in order, some in each. */
export function isWholeStorage(positions: readonly Hex[], proofs: readonly StorageProof[]): boolean {
  const slots = proofs.flatMap((proof) => proof.slots)
  const stored = positions.filter((position, at) => {
    const slot = slots[at]
    return slot !== undefined && (BigInt(slot.word) !== 0n || isClearedLeaf(position, slot.proof.at(-1)))
  })
  const words = new Map(stored.map((position) => [position, slots[positions.indexOf(position)]?.word as Hex]))
  const root = storageRoot(words)
  return proofs.every((proof) => proof.root === root)
}

/** Words by position. */
export function storageRoot(slots: ReadonlyMap<Hex, Hex>): Hex {
  const entries = [...slots].map(([position, word]): Entry => {
    const number = BigInt(word)
    const digits = number === 0n ? '' : number.toString(16)
    const value = toRlp(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`)
    return { digits: digitsOf(position), value }
  })
  return keccak256(toRlp(nodeOf(entries, 0) as Hex))
}

const digitsOf = (position: Hex): string => keccak256(position).slice(2)

/** Whether a node of the trie is the leaf of a slot that was cleared. Anvil keeps them, other nodes do not. */
function isClearedLeaf(position: Hex, node: Hex | undefined): boolean {
  const [path, word, ...more] = node === undefined ? [] : listOf(node)
  if (typeof path !== 'string' || word !== '0x80' || more.length > 0) return false
  const rest = path.startsWith('0x20') ? path.slice(4) : path.startsWith('0x3') ? path.slice(3) : undefined
  return rest !== undefined && digitsOf(position).endsWith(rest)
}

function listOf(node: Hex): readonly unknown[] {
  try {
    const decoded: unknown = fromRlp(node)
    return Array.isArray(decoded) ? decoded : []
  } catch {
    return []
  }
}

/** The node over entries whose keys agree up to a digit. */
function nodeOf(entries: readonly Entry[], depth: number): Node {
  const [first, ...others] = entries
  if (first === undefined) return '0x'
  if (others.length === 0) return [pathOf(first.digits.slice(depth), true), first.value]
  let end = depth
  while (others.every(({ digits }) => digits[end] === first.digits[end])) end += 1
  if (end > depth) return [pathOf(first.digits.slice(depth, end), false), referenceTo(nodeOf(entries, end))]
  const children = Array.from('0123456789abcdef', (digit) => {
    const below = entries.filter(({ digits }) => digits[depth] === digit)
    return below.length === 0 ? '0x' : referenceTo(nodeOf(below, depth + 1))
  })
  return [...children, '0x']
}

/** A node of 32 bytes or more is referred to by its hash. */
function referenceTo(node: Node): Node {
  const encoded = toRlp(node as Hex)
  return hexToBytes(encoded).length < 32 ? node : keccak256(encoded)
}

/** Digits of a key with the flags for a leaf and for an odd number. */
function pathOf(digits: string, isLeaf: boolean): Hex {
  const flag = isLeaf ? 2 : 0
  return digits.length % 2 === 0 ? `0x${flag}0${digits}` : `0x${flag + 1}${digits}`
}
