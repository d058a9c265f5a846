/**
 * Decodes Maker's `LogNote`, which a modifier emits with the calldata of the call.
 *
 * The event is anonymous: topic 0 is the function selector padded with zeros, followed by the caller and the first two
 * argument words. The data has two versions: `ds-note` logs the value and the whole calldata, `dss` the first 224 bytes of
 * the calldata. The arguments are decoded from the calldata.
 */

import { type AbiFunction, type Hex, parseAbiItem, toFunctionSelector } from 'viem'
import type { EventRow } from './event-row.ts'
import { assertNames, type EventArgs, type Layout, type Log } from './layout.ts'
import { type JsonValue, MISMATCH, nameOf, readSequence, valueReader, wordReader } from './value.ts'

/** Selector, caller and two argument words, in both versions. */
const NOTE_TOPICS = 4

const dssNote = [valueReader({ type: 'bytes' })]
const dsNote = [valueReader({ type: 'uint256' }), valueReader({ type: 'bytes' })]
const readAddress = wordReader('address')

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
