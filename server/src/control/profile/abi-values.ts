/**
 * Decodes words from storage and call results.
 *
 * Strict: a word that does not have exactly the expected form is undefined, so that a packed slot never passes for an
 * address.
 */
import type { Hex } from 'viem'

const WORD = 64

/** The word at an index of a result. */
function wordAt(data: Hex, at: number): string | undefined {
  const word = data.slice(2 + at * WORD, 2 + (at + 1) * WORD)
  return word.length === WORD ? word : undefined
}

const toAddress = (word: string | undefined): Hex | undefined =>
  word !== undefined && /^0{24}/.test(word) ? `0x${word.slice(24)}` : undefined

/** A result that is one address. */
export function addressOf(data: Hex): Hex | undefined {
  return data.length === 2 + WORD ? toAddress(data.slice(2)) : undefined
}

/** A result that is one number. */
export function uintOf(data: Hex): bigint | undefined {
  return data.length === 2 + WORD ? BigInt(data) : undefined
}

export function boolOf(data: Hex): boolean | undefined {
  const number = uintOf(data)
  return number === 0n ? false : number === 1n ? true : undefined
}

/** An `address[]`, alone or at index `head` of several results. */
export function addressesOf(data: Hex, head = 0): readonly Hex[] | undefined {
  const offset = wordAt(data, head)
  if (offset === undefined || BigInt(`0x${offset}`) % 32n !== 0n || BigInt(`0x${offset}`) > 1_024n) return undefined
  const start = Number(BigInt(`0x${offset}`) / 32n)
  const length = wordAt(data, start)
  // No contract has ten thousand signers; such a number means that the result has another type.
  if (length === undefined || BigInt(`0x${length}`) > 10_000n) return undefined
  const addresses: Hex[] = []
  for (let at = 1; at <= Number(BigInt(`0x${length}`)); at += 1) {
    const address = toAddress(wordAt(data, start + at))
    if (address === undefined) return undefined
    addresses.push(address)
  }
  return addresses
}

/** The address at an index of several results. */
export const addressAt = (data: Hex, at: number): Hex | undefined => toAddress(wordAt(data, at))

export function uintAt(data: Hex, at: number): bigint | undefined {
  const word = wordAt(data, at)
  return word === undefined ? undefined : BigInt(`0x${word}`)
}

export const toWord = (of: Hex | bigint | number): Hex => `0x${BigInt(of).toString(16).padStart(WORD, '0')}`

/** The address in a word, shifted to the right by so many bits. */
export const accountIn = (word: Hex, shift: number): Hex =>
  `0x${((BigInt(word) >> BigInt(shift)) & ((1n << 160n) - 1n)).toString(16).padStart(40, '0')}`

/** Whether a word holds this address, alone or packed with a small number. */
export function holds(word: Hex, address: Hex): boolean {
  const rest = word.slice(2).replace(address.slice(2), '')
  return rest.length < 64 && BigInt(`0x${rest}`) < 1n << 32n
}
