/**
 * One ABI type → a function that reads it out of hexadecimal text.
 *
 * Owns strict reading: a value outside its type's range, a pointer outside the data or a length that the data cannot
 * hold is a mismatch, never an exception and never an allocation larger than the data itself. Knows nothing of
 * events; `layout.ts` puts the readers of one event together.
 *
 * How values look in JSON: addresses and bytes as lower-case 0x hex, booleans as they are, integers of at most 48
 * bits (timestamps, delays, enumerations, basis points) as numbers because every one of them is exact in a double,
 * wider integers as decimal strings. The type decides, not the value: a consumer never meets both forms.
 */

import type { AbiParameter } from 'viem'
import { GatewatchError } from '../../lib/errors.ts'

export type JsonValue = string | number | boolean | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** Returned instead of a value that the bytes do not hold. */
export const MISMATCH: unique symbol = Symbol('mismatch')
export type Mismatch = typeof MISMATCH

/** 64 hex digits → value. */
export type WordReader = (word: string) => JsonValue | Mismatch

/** The bytes under the reader, as hex without 0x. Positions and lengths count hex digits: 64 to a word. */
export type Source = {
  readonly hex: string
  /** Hex digits that may still be handed out: hostile pointers may all aim at one large value. */
  budget: number
}

/** Reads a value whose head stands at `at`; pointers in it count from `base`. */
export type ValueReader = {
  readonly isDynamic: boolean
  /** Hex digits the head takes: a pointer's word, or the whole of a static value. */
  readonly headSize: number
  readonly read: (source: Source, base: number, at: number) => JsonValue | Mismatch
}

/** A parameter type no control event has and no strict reading exists for. */
export class UnsupportedTypeError extends GatewatchError {
  override readonly code = 'unsupported_abi_type'
  override readonly retryable = false
}

const WORD = 64
const ZEROS = '0'.repeat(WORD)
const ONES = 'f'.repeat(WORD)
const ADDRESS_PADDING = '0'.repeat(24)
const BOOL_PADDING = '0'.repeat(63)
/** Integers up to this width are JSON numbers. viem draws the line at the same place. */
const NUMBER_BITS = 48

/** What a parameter without a name is called: its position never changes, a later name would. */
export function nameOf(parameter: { readonly name?: string | undefined }, position: number): string {
  return parameter.name === undefined || parameter.name === '' ? `arg${position}` : parameter.name
}

/** Undefined for the types that do not fit a word. */
export function wordReader(type: string): WordReader | undefined {
  if (type === 'address') return (word) => (word.startsWith(ADDRESS_PADDING) ? `0x${word.slice(24)}` : MISMATCH)
  if (type === 'bool') return readBool
  const integer = /^(u?)int(\d+)$/.exec(type)
  if (integer !== null) return integerReader(integer[1] === '', Number(integer[2]))
  const bytes = /^bytes(\d+)$/.exec(type)
  return bytes === null ? undefined : fixedBytesReader(Number(bytes[1]) * 2)
}

function readBool(word: string): boolean | Mismatch {
  if (!word.startsWith(BOOL_PADDING)) return MISMATCH
  if (word.endsWith('1')) return true
  return word.endsWith('0') ? false : MISMATCH
}

function fixedBytesReader(digits: number): WordReader {
  const padding = ZEROS.slice(digits)
  return (word) => (word.endsWith(padding) ? `0x${word.slice(0, digits)}` : MISMATCH)
}

function integerReader(isSigned: boolean, bits: number): WordReader {
  const start = WORD - bits / 4
  const zeros = ZEROS.slice(WORD - start)
  if (!isSigned) {
    const present = bits <= NUMBER_BITS ? (word: string): number => Number.parseInt(word.slice(start), 16) : decimal
    return (word) => (word.startsWith(zeros) ? present(word) : MISMATCH)
  }
  const ones = ONES.slice(WORD - start)
  return (word) => {
    const isNegative = word.charCodeAt(start) >= 0x38 // the digit is 8 or above: its top bit is the sign
    if (!word.startsWith(isNegative ? ones : zeros)) return MISMATCH
    const value = BigInt.asIntN(bits, BigInt(`0x${word}`))
    return bits <= NUMBER_BITS ? Number(value) : value.toString()
  }
}

const SMALL = ZEROS.slice(NUMBER_BITS / 4)

/** Most amounts and delays are small; a BigInt costs several times what a double does. */
function decimal(word: string): string {
  return word.startsWith(SMALL) ? String(Number.parseInt(word.slice(SMALL.length), 16)) : BigInt(`0x${word}`).toString()
}

/** The reader of any type events carry in their data. */
export function valueReader(parameter: AbiParameter): ValueReader {
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (array !== null) {
    const item = valueReader({ ...parameter, type: array[1] ?? '' })
    return array[2] === '' ? listReader(item) : structReader(Array<ValueReader>(Number(array[2])).fill(item))
  }
  if (parameter.type === 'tuple') {
    const components = 'components' in parameter ? parameter.components : []
    return structReader(components.map(valueReader), components.map(nameOf))
  }
  if (parameter.type === 'bytes') return bytesReader((hex) => `0x${hex}`)
  if (parameter.type === 'string') return bytesReader(textOf)
  const word = wordReader(parameter.type)
  if (word === undefined) throw new UnsupportedTypeError(`no reader for the type ${parameter.type}`)
  return { isDynamic: false, headSize: WORD, read: (source, _base, at) => readWord(source, at, word) }
}

/** U+0000 is replaced as invalid UTF-8 is: a database that stores JSON refuses it, and one log must not stop a feed. */
function textOf(hex: string): string {
  return Buffer.from(hex, 'hex').toString('utf8').replaceAll('\0', '\uFFFD')
}

function readWord(source: Source, at: number, read: WordReader): JsonValue | Mismatch {
  source.budget -= WORD
  if (source.budget < 0 || at + WORD > source.hex.length) return MISMATCH
  return read(source.hex.slice(at, at + WORD))
}

/** A pointer or a length, undefined where it cannot be meant: nothing in a log is 2^48 bytes long. */
function readSize(source: Source, at: number): number | undefined {
  source.budget -= WORD
  const word = source.hex.slice(at, at + WORD)
  if (source.budget < 0 || word.length !== WORD || !word.startsWith(SMALL)) return undefined
  return Number.parseInt(word.slice(SMALL.length), 16)
}

function bytesReader(present: (hex: string) => string): ValueReader {
  return dynamic((source, at) => {
    const size = readSize(source, at)
    if (size === undefined) return MISMATCH
    const start = at + WORD
    const end = start + size * 2
    source.budget -= size * 2
    // Some compilers and much assembly leave the last word unpadded: only the bytes themselves must be there.
    return source.budget < 0 || end > source.hex.length ? MISMATCH : present(source.hex.slice(start, end))
  })
}

function listReader(item: ValueReader): ValueReader {
  return dynamic((source, at) => {
    const count = readSize(source, at)
    const start = at + WORD
    if (count === undefined || count * item.headSize > source.hex.length - start) return MISMATCH
    const values: JsonValue[] = []
    for (let index = 0; index < count; index += 1) {
      const value = item.read(source, start, start + index * item.headSize)
      if (value === MISMATCH) return MISMATCH
      values.push(value)
    }
    return values
  })
}

/** Members that stand one after another from `base`, pointers counted from there: arguments, tuples, fixed arrays. */
export function readSequence(members: readonly ValueReader[], source: Source, base: number): JsonValue[] | Mismatch {
  const values: JsonValue[] = []
  let at = base
  for (const member of members) {
    const value = member.read(source, base, at)
    if (value === MISMATCH) return MISMATCH
    values.push(value)
    at += member.headSize
  }
  return values
}

/** A tuple, or an array of fixed length when its members have no names. */
function structReader(members: readonly ValueReader[], names?: readonly string[]): ValueReader {
  const headSize = members.reduce((size, member) => size + member.headSize, 0)
  if (headSize === 0) throw new UnsupportedTypeError('a value of no size cannot be bounded by its data')
  const read = (source: Source, base: number): JsonValue | Mismatch => {
    const values = readSequence(members, source, base)
    return values === MISMATCH || names === undefined ? values : named(names, values)
  }
  if (members.some((member) => member.isDynamic)) return dynamic(read)
  return { isDynamic: false, headSize, read: (source, _base, at) => read(source, at) }
}

function named(names: readonly string[], values: readonly JsonValue[]): { [name: string]: JsonValue } {
  const object: { [name: string]: JsonValue } = {}
  for (const [index, value] of values.entries()) object[names[index] ?? nameOf({}, index)] = value
  return object
}

/** A value whose head is a pointer, counted from `base`, to where `read` finds it. */
function dynamic(read: (source: Source, at: number) => JsonValue | Mismatch): ValueReader {
  return {
    isDynamic: true,
    headSize: WORD,
    read: (source, base, at) => {
      const pointer = readSize(source, at)
      if (pointer === undefined || base + pointer * 2 >= source.hex.length) return MISMATCH
      return read(source, base + pointer * 2)
    },
  }
}
