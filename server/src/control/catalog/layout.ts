/**
 * Builds the decoder of one catalog row.
 *
 * The position of each argument (topic, offset in the data) is computed once and decoding only slices, because
 * interpreting an ABI for every log would take most of the time of a backfill. `catalog.ts` chooses the layout of a log.
 */

import type { AbiEvent, AbiFunction, Hex } from 'viem'
import { parseAbiItem, toEventSelector, toFunctionSelector } from 'viem/utils'
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

/** A log with hex in lower case: `0x`, then an even number of digits. */
export type Log = { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }

export type EventArgs = { readonly [name: string]: JsonValue }

type EventParameter = AbiEvent['inputs'][number]

export type Layout = {
  readonly row: EventRow
  readonly topic0: Hex
  readonly topicCount: number
  /** Undefined if the log does not consist of exactly these arguments. */
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

/** Names with a meaning on every object, and the name that the catalog adds. */
const RESERVED_NAMES = new Set(['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'subject'])

function assertNames(row: EventRow, names: readonly string[]): void {
  for (const name of names) if (RESERVED_NAMES.has(name)) throw new CatalogRowError(row, `"${name}" is a reserved name`)
  if (new Set(names).size !== names.length) throw new CatalogRowError(row, 'two arguments have one name')
  if (row.subject !== undefined && !names.includes(row.subject)) {
    throw new CatalogRowError(row, `the subject "${row.subject}" is not an argument`)
  }
}

export function parseEvent(row: EventRow): AbiEvent {
  const item: unknown = parseAbiItem(`event ${row.event}`)
  return item as AbiEvent // the prefix allows no other kind of item
}

export function eventLayout(row: EventRow): Layout {
  const event = parseEvent(row)
  assertNames(row, event.inputs.map(nameOf))
  const plain = event.inputs.filter((input) => input.indexed !== true)
  return {
    row,
    topic0: toEventSelector(event),
    topicCount: 1 + event.inputs.length - plain.length,
    read: plain.every((input) => wordReader(input.type) !== undefined)
      ? wordsLayout(event.inputs)
      : mixedLayout(event.inputs, plain.map(valueReader)),
  }
}

type Field = {
  readonly name: string
  readonly isIndexed: boolean
  /** Its position among the topics, or among the arguments in the data. */
  readonly index: number
  readonly read: WordReader
}

/** Arguments in declared order. For an indexed value longer than a word the topic holds only its hash. */
function fieldsOf(inputs: readonly EventParameter[]): readonly Field[] {
  let [topic, position] = [1, 0]
  return inputs.map((input, at) => {
    const isIndexed = input.indexed === true
    const index = isIndexed ? topic++ : position++
    return { name: nameOf(input, at), isIndexed, index, read: wordReader(input.type) ?? ((word) => `0x${word}`) }
  })
}

/** For data in which every argument is one word: its length is fixed, and decoding is slicing. */
function wordsLayout(inputs: readonly EventParameter[]): Layout['read'] {
  const fields = fieldsOf(inputs)
  const length = 2 + 64 * fields.filter((field) => !field.isIndexed).length
  return ({ topics, data }) => {
    if (data.length !== length) return undefined
    const args: { [name: string]: JsonValue } = {}
    for (const { name, isIndexed, index, read } of fields) {
      const at = 2 + 64 * index
      const value = read(isIndexed ? (topics[index] ?? '').slice(2) : data.slice(at, at + 64))
      if (value === MISMATCH) return undefined
      args[name] = value
    }
    return args
  }
}

/** For data with dynamic arguments or arguments of several words. */
function mixedLayout(inputs: readonly EventParameter[], members: readonly ValueReader[]): Layout['read'] {
  const fields = fieldsOf(inputs)
  const length = members.some((member) => member.isDynamic)
    ? undefined
    : members.reduce((size, member) => size + member.headSize, 0)
  return ({ topics, data }) => {
    const hex = data.slice(2)
    if (length !== undefined && hex.length !== length) return undefined
    const values = readSequence(members, { hex, budget: hex.length }, 0)
    if (values === MISMATCH) return undefined
    const args: { [name: string]: JsonValue } = {}
    for (const { name, isIndexed, index, read } of fields) {
      const value = isIndexed ? read((topics[index] ?? '').slice(2)) : (values[index] ?? MISMATCH)
      if (value === MISMATCH) return undefined
      args[name] = value
    }
    return args
  }
}

/** The topics of a `LogNote`: selector, caller and two argument words, in both versions. */
const NOTE_TOPICS = 4

const dssNote = [valueReader({ type: 'bytes' })]
const dsNote = [valueReader({ type: 'uint256' }), valueReader({ type: 'bytes' })]
const readAddress = wordReader('address')

/**
 * Decodes Maker's `LogNote`, which a modifier emits with the calldata of the call.
 *
 * The event is anonymous: topic 0 is the function selector padded with zeros, followed by the caller and the first two
 * argument words. The data has two versions: `ds-note` logs the value and the whole calldata, `dss` the first 224 bytes of
 * the calldata. The arguments are decoded from the calldata.
 */
export function noteLayout(row: EventRow): Layout {
  const item: unknown = parseAbiItem(`function ${row.event}`)
  const { inputs } = item as AbiFunction // the prefix allows no other kind of item
  const names = inputs.map(nameOf)
  assertNames(row, ['sender', ...names])
  const members = inputs.map(valueReader)
  const selector = toFunctionSelector(item as AbiFunction)
  return {
    row,
    topic0: `${selector}${'0'.repeat(56)}`,
    topicCount: NOTE_TOPICS,
    read: (log) => {
      const sender = readAddress?.((log.topics[1] ?? '').slice(2)) ?? MISMATCH
      const call = callOf(log.data, selector)
      if (sender === MISMATCH || call === undefined) return undefined
      const hex = call.slice(selector.length)
      const values = readSequence(members, { hex, budget: hex.length }, 0)
      if (values === MISMATCH) return undefined
      const args: { [name: string]: JsonValue } = { sender }
      for (const [index, value] of values.entries()) args[names[index] ?? nameOf({}, index)] = value
      return args satisfies EventArgs
    },
  }
}

/** The logged calldata as 0x hex. The version is the one whose calldata starts with the selector. */
function callOf(data: Log['data'], selector: Hex): string | undefined {
  const hex = data.slice(2)
  for (const members of [dssNote, dsNote]) {
    const values = readSequence(members, { hex, budget: hex.length }, 0)
    const call = values === MISMATCH ? undefined : values.at(-1)
    if (typeof call === 'string' && call.startsWith(selector)) return call
  }
  return undefined
}
