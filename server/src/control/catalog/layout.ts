/**
 * One catalog row → the decoder of its logs, built once.
 *
 * Owns where each argument stands: in which topic, at which offset of the data. Decoding is slicing, because
 * interpreting an ABI for every log takes most of the time of a backfill. Knows nothing of other rows; which layout a
 * log belongs to is `catalog.ts`'s question.
 */

import { type AbiEvent, type Hex, parseAbiItem, toEventSelector } from 'viem'
import { GatewatchError } from '../../lib/errors.ts'
import type { EventRow } from './event-row.ts'
import {
  type JsonValue,
  MISMATCH,
  nameOf,
  readSequence,
  type ValueReader,
  valueReader,
  type WordReader,
  wordReader,
} from './value.ts'

/** A log as a node gives it, hex in lower case: `0x`, then an even number of digits. */
export type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

export type EventArgs = { readonly [name: string]: JsonValue }

type EventParameter = AbiEvent['inputs'][number]

export type Layout = {
  readonly row: EventRow
  readonly topic0: Hex
  readonly topicCount: number
  /** Undefined where the log does not hold exactly these arguments. */
  readonly read: (log: Log) => EventArgs | undefined
}

/** The row cannot be turned into a decoder. */
export class CatalogRowError extends GatewatchError {
  override readonly code = 'catalog_row_invalid'
  override readonly retryable = false // the data is part of the program
  readonly row: EventRow
  constructor(row: EventRow, reason: string) {
    super(`${row.key}, ${row.event}: ${reason}`)
    this.row = row
  }
}

/** Names that mean something to every object, and the one name the catalog itself adds. */
const RESERVED_NAMES = new Set(['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'subject'])

export function assertNames(row: EventRow, names: readonly string[]): void {
  for (const name of names) if (RESERVED_NAMES.has(name)) throw new CatalogRowError(row, `"${name}" is not a free name`)
  if (new Set(names).size !== names.length) throw new CatalogRowError(row, 'two arguments have one name')
  if (row.subject !== undefined && !names.includes(row.subject)) {
    throw new CatalogRowError(row, `the subject "${row.subject}" is no argument`)
  }
}

export function parseEvent(row: EventRow): AbiEvent {
  const item: unknown = parseAbiItem(`event ${row.event}`)
  return item as AbiEvent // the prefix leaves no other kind of item
}

export function eventLayout(row: EventRow): Layout {
  const event = parseEvent(row)
  const indexed = event.inputs.filter((input) => input.indexed === true)
  const plain = event.inputs.filter((input) => input.indexed !== true)
  const names = event.inputs.map(nameOf)
  assertNames(row, names)
  const nameOfInput = (input: EventParameter): string => nameOf(input, event.inputs.indexOf(input))
  const topics = indexed.map((input) => ({ name: nameOfInput(input), read: topicReader(input) }))
  const words = plain.map((input) => ({ name: nameOfInput(input), read: wordReader(input.type) }))
  const readData = words.every(isWord)
    ? wordsReader(words)
    : sequenceReader(plain.map(nameOfInput), plain.map(valueReader))
  return {
    row,
    topic0: toEventSelector(event),
    topicCount: 1 + indexed.length,
    read: (log) => {
      // Every name is set here first so that arguments keep their declared order, and every object one hidden shape.
      const args: { [name: string]: JsonValue } = {}
      for (const name of names) args[name] = ''
      for (const [index, { name, read }] of topics.entries()) {
        const value = read((log.topics[index + 1] ?? '').slice(2))
        if (value === MISMATCH) return undefined
        args[name] = value
      }
      return readData(log.data, args) ? args : undefined
    },
  }
}

type Word = { readonly name: string; readonly read: WordReader }
type DataReader = (data: Hex, args: { [name: string]: JsonValue }) => boolean

function isWord(field: { name: string; read: WordReader | undefined }): field is Word {
  return field.read !== undefined
}

/** A topic holds a word; of anything longer it holds the hash, and that is all that can be told. */
function topicReader(input: EventParameter): WordReader {
  return wordReader(input.type) ?? ((word) => `0x${word}`)
}

/** Data of one word to an argument: its length is known to the digit. */
function wordsReader(words: readonly Word[]): DataReader {
  const length = 2 + words.length * 64
  return (data, args) => {
    if (data.length !== length) return false
    for (let index = 0, at = 2; index < words.length; index += 1, at += 64) {
      const { name, read } = words[index] as Word
      const value = read(data.slice(at, at + 64))
      if (value === MISMATCH) return false
      args[name] = value
    }
    return true
  }
}

function sequenceReader(names: readonly string[], members: readonly ValueReader[]): DataReader {
  const staticLength = members.some((member) => member.isDynamic)
    ? undefined
    : members.reduce((size, member) => size + member.headSize, 0)
  return (data, args) => {
    const hex = data.slice(2)
    if (staticLength !== undefined && hex.length !== staticLength) return false
    const values = readSequence(members, { hex, budget: hex.length }, 0)
    if (values === MISMATCH) return false
    for (const [index, value] of values.entries()) args[names[index] ?? nameOf({}, index)] = value
    return true
  }
}
