/**
 * Builds strict readers of ABI types from hex text.
 *
 * A value outside its type's range, an offset outside the data or a length beyond the data is a mismatch, never an
 * exception and never an allocation larger than the data. `layout.ts` combines the readers of one event.
 *
 * JSON values: addresses and bytes are lower-case 0x hex, integers of at most 48 bits (timestamps, delays, enumerations,
 * basis points) are numbers, wider integers are decimal strings. The type decides, not the value, so that an argument
 * always has one form.
 */

import type { AbiParameter } from 'viem'
import { GatewatchError } from '../../lib/errors.ts'

export type JsonValue = string | number | boolean | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** Returned if the bytes are not a value of the type. */
export const MISMATCH: unique symbol = Symbol('mismatch')
export type Mismatch = typeof MISMATCH

/** Reads a value from a word of 64 hex digits. */
export type WordReader = (word: string) => JsonValue | Mismatch

/** The data to read, as hex without 0x. Positions and lengths count hex digits: 64 per word. */
export type Source = {
  readonly hex: string
  /** Hex digits that may still be read: hostile offsets may all point at one large value. */
  budget: number
}

/** Reads a value whose head is at `at`. Offsets in it count from `base`. */
export type ValueReader = {
  readonly isDynamic: boolean
  /** Hex digits of the head: the word of an offset, or a whole static value. */
  readonly headSize: number
  readonly read: (source: Source, base: number, at: number) => JsonValue | Mismatch
}

/** A parameter type without a reader. No control event has one. */
export class UnsupportedTypeError extends GatewatchError {
  override readonly code = 'unsupported_abi_type'
  override readonly retryable = false
}

const WORD = 64
const ZEROS = '0'.repeat(WORD)
const ONES = 'f'.repeat(WORD)
const ADDRESS_PADDING = '0'.repeat(24)
const BOOL_PADDING = '0'.repeat(63)
/** Integers up to this width are JSON numbers, as in viem. */
const NUMBER_BITS = 48

/** The name of a parameter, or its position if it has none. */
export function nameOf(parameter: { readonly name?: string | undefined }, position: number): string {
  return parameter.name === undefined || parameter.name === '' ? `arg${position}` : parameter.name
}

/** Undefined for types that do not fit into a word. */
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
    const format = bits <= NUMBER_BITS ? (word: string): number => Number.parseInt(word.slice(start), 16) : decimal
    return (word) => (word.startsWith(zeros) ? format(word) : MISMATCH)
  }
  const ones = ONES.slice(WORD - start)
  return (word) => {
    const isNegative = word.charCodeAt(start) >= 0x38 // a first digit of 8 or above: its top bit is the sign
    if (!word.startsWith(isNegative ? ones : zeros)) return MISMATCH
    const value = BigInt.asIntN(bits, BigInt(`0x${word}`))
    return bits <= NUMBER_BITS ? Number(value) : value.toString()
  }
}

const SMALL = ZEROS.slice(NUMBER_BITS / 4)

/** Most amounts and delays are small, and a BigInt costs several times as much as a double. */
function decimal(word: string): string {
  return word.startsWith(SMALL) ? String(Number.parseInt(word.slice(SMALL.length), 16)) : BigInt(`0x${word}`).toString()
}

/** The reader of any type in event data. */
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

/** Replaces U+0000 like invalid UTF-8: PostgreSQL refuses it in JSON, and one log must not stop a chain. */
function textOf(hex: string): string {
  return Buffer.from(hex, 'hex').toString('utf8').replaceAll('\0', '\uFFFD')
}

function readWord(source: Source, at: number, read: WordReader): JsonValue | Mismatch {
  source.budget -= WORD
  if (source.budget < 0 || at + WORD > source.hex.length) return MISMATCH
  return read(source.hex.slice(at, at + WORD))
}

/** An offset or a length. Undefined from 2^48 on: no log is that long. */
function readSize(source: Source, at: number): number | undefined {
  source.budget -= WORD
  const word = source.hex.slice(at, at + WORD)
  if (source.budget < 0 || word.length !== WORD || !word.startsWith(SMALL)) return undefined
  return Number.parseInt(word.slice(SMALL.length), 16)
}

function bytesReader(format: (hex: string) => string): ValueReader {
  return dynamic((source, at) => {
    const size = readSize(source, at)
    if (size === undefined) return MISMATCH
    const start = at + WORD
    const end = start + size * 2
    source.budget -= size * 2
    // Some compilers and assembly code do not pad the last word: only the bytes themselves must be present.
    return source.budget < 0 || end > source.hex.length ? MISMATCH : format(source.hex.slice(start, end))
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

/** Reads consecutive members from `base`, with offsets counted from there: arguments, tuples, fixed arrays. */
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

/** A tuple, or a fixed array if the members have no names. */
function structReader(members: readonly ValueReader[], names?: readonly string[]): ValueReader {
  const headSize = members.reduce((size, member) => size + member.headSize, 0)
  if (headSize === 0) throw new UnsupportedTypeError('a type of size zero cannot be bounded by its data')
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

/** A value whose head is an offset from `base`. */
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
