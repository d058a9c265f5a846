/** Large numbers in code: hashes, places of mappings and arrays, names of roles. */
import { WORD_MASK } from './arithmetic.ts'
import { bytesOf, hashOf, namespaceSlot } from './hashes.ts'
import { bigEndian, largePushes } from './instructions.ts'

/** Numbers with the same upper bits are near each other. */
const UPPER_BITS = 64n
const FAR = 1n << 64n

const [ROLES, MEMBERS] = ['AccessControl', 'AccessControlEnumerable'].map((name) =>
  namespaceSlot(`openzeppelin.storage.${name}`),
) as [bigint, bigint]
/** Where mappings of roles are: in OpenZeppelin's namespaces, or in one of the first slots. */
const ROLE_MAPPINGS: readonly bigint[] = [ROLES, MEMBERS, ...Array.from({ length: 64 }, (_, slot) => BigInt(slot))]
const MOST_MEMBERS = 4n

/** An element of a mapping, by its key and the place of the mapping. */
export type Element = { readonly key: bigint; readonly mapping: bigint }
/** How far a number is from where an element begins, or the array in it. */
export type Place = { readonly element: Element; readonly isInArray: boolean; readonly distance: bigint }

export class LargeNumbers {
  readonly #all = new Set<bigint>()
  /** The first of those with the same upper bits. */
  readonly #first = new Map<bigint, bigint>()
  #elements: ReadonlyMap<bigint, Omit<Place, 'distance'>> | undefined

  constructor(code: Uint8Array) {
    for (const pushed of largePushes(code)) this.add(bigEndian(pushed))
  }

  add(value: bigint): void {
    const upper = value >> UPPER_BITS
    // Negative numbers are not large.
    if (upper === 0n || upper === WORD_MASK >> UPPER_BITS || this.#all.has(value)) return
    this.#all.add(value)
    const first = this.#first.get(upper)
    if (first === undefined || value < first) this.#first.set(upper, value)
  }

  has(value: bigint): boolean {
    return this.#all.has(value)
  }

  /** The one with the same upper bits that is not above this number. */
  below(value: bigint): bigint | undefined {
    const first = value < FAR ? undefined : this.#first.get(value >> UPPER_BITS)
    return first === undefined || first > value ? undefined : first
  }

  /**
   * Which element of a mapping of roles is there. A mapping in a mapping needs one hash less where the first one, under a
   * constant key, was computed ahead.
   */
  placeAt(value: bigint): Place | undefined {
    if (value >> UPPER_BITS === 0n) return undefined
    this.#elements ??= elementsUnder([0n, ...this.#all])
    // Code that takes the last element of an array computes with the number before it.
    for (let distance = -1n; distance < MOST_MEMBERS; distance += 1n) {
      const found = this.#elements.get(value - distance)
      if (found !== undefined && (found.isInArray || distance >= 0n)) return { ...found, distance }
    }
    return undefined
  }
}

function elementsUnder(keys: readonly bigint[]): ReadonlyMap<bigint, Omit<Place, 'distance'>> {
  const found = new Map<bigint, Omit<Place, 'distance'>>()
  const pair = new Uint8Array(64)
  for (const key of keys) {
    pair.set(bytesOf(key))
    for (const mapping of ROLE_MAPPINGS) {
      pair.set(bytesOf(mapping), 32)
      const place = hashOf(pair)
      const element = { key, mapping }
      found.set(place, { element, isInArray: false })
      if (mapping === MEMBERS) found.set(hashOf(bytesOf(place)), { element, isInArray: true })
    }
  }
  return found
}
