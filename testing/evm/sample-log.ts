/**
 * Encodes and decodes sample logs with viem, so that the catalog is tested against independent code.
 *
 * Also generates random values of any ABI type from a seed.
 */

import {
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
  decodeEventLog,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  parseAbiItem,
} from 'viem'
import type { EventRow } from '../../server/src/control/catalog/event-row.ts'
import { type EventArgs, type Log, parseEvent } from '../../server/src/control/catalog/layout.ts'
import { type JsonValue, nameOf } from '../../server/src/control/catalog/value.ts'
import type { Random } from '../support/random.ts'

export const SAMPLE_ADDRESS: Hex = `0x${'c0de'.repeat(10)}`

/** Returns a log of the row, and the arguments that viem decodes from it. */
export function sampleLog(row: EventRow, random: Random): { log: Log; args: EventArgs } {
  const sample = row.note === true ? sampleNote(row, random) : sampleEvent(row, random)
  const subject = row.subject === undefined ? undefined : sample.args[row.subject]
  return subject === undefined ? sample : { log: sample.log, args: { ...sample.args, subject } }
}

function sampleEvent(row: EventRow, random: Random): { log: Log; args: EventArgs } {
  const event = parseEvent(row)
  const values = event.inputs.map((input) => sampleValue(input, random))
  const args = Object.fromEntries(event.inputs.map((input, index) => [nameOf(input, index), values[index]]))
  const abi: readonly AbiEvent[] = [event]
  const topics = encodeEventTopics({ abi, eventName: event.name, args }) as Hex[]
  const plain = event.inputs.filter((input) => input.indexed !== true)
  const data = encodeAbiParameters(
    plain,
    values.filter((_, index) => event.inputs[index]?.indexed !== true),
  )
  const read: unknown = decodeEventLog({ abi, topics: topics as [Hex, ...Hex[]], data }).args
  return { log: { address: SAMPLE_ADDRESS, topics, data }, args: jsonOf(read ?? {}) as EventArgs }
}

/** Encodes a log as the `note` modifier of ds-note does. */
function sampleNote(row: EventRow, random: Random): { log: Log; args: EventArgs } {
  const item: unknown = parseAbiItem(`function ${row.event}`)
  const call = item as AbiFunction
  const values = call.inputs.map((input) => sampleValue(input, random))
  const data = encodeFunctionData({ abi: [call], args: values })
  const sender = sampleValue({ type: 'address' }, random) as Hex
  const words = `${data.slice(10)}${'0'.repeat(128)}`
  return {
    log: {
      address: SAMPLE_ADDRESS,
      topics: [
        `${data.slice(0, 10)}${'0'.repeat(56)}` as Hex,
        `0x${sender.slice(2).padStart(64, '0')}`,
        `0x${words.slice(0, 64)}`,
        `0x${words.slice(64, 128)}`,
      ],
      data: encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [0n, data]),
    },
    args: jsonOf({
      sender,
      ...Object.fromEntries(call.inputs.map((input, index) => [nameOf(input, index), values[index]])),
    }) as EventArgs,
  }
}

/** Converts a value that viem decoded to the API's representation. */
export function jsonOf(value: unknown): JsonValue {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string') return /^0x[0-9a-fA-F]*$/.test(value) ? value.toLowerCase() : value
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return value.map(jsonOf)
  return Object.fromEntries(Object.entries(value as object).map(([name, member]) => [name, jsonOf(member)]))
}

const WORDS = [
  '',
  'Transfer',
  'pause until reviewed',
  'rôle ✓',
  'a text of more than thirty-two bytes, two words of data',
]

export function sampleValue(parameter: AbiParameter, random: Random): unknown {
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (array !== null) {
    const length = array[2] === '' ? random.below(4) : Number(array[2])
    return Array.from({ length }, () => sampleValue({ ...parameter, type: array[1] ?? '' }, random))
  }
  if (parameter.type === 'tuple') {
    const components = 'components' in parameter ? parameter.components : []
    return Object.fromEntries(components.map((part, index) => [nameOf(part, index), sampleValue(part, random)]))
  }
  if (parameter.type === 'bool') return random.chance(0.5)
  if (parameter.type === 'string') return random.pick(WORDS)
  if (parameter.type === 'bytes') return random.hex(random.below(70))
  if (parameter.type === 'address') return random.hex(20)
  const bytes = /^bytes(\d+)$/.exec(parameter.type)
  if (bytes !== null) return random.hex(Number(bytes[1]))
  return sampleInteger(parameter.type, random)
}

/** Returns an integer of a random size up to the width of the type. */
function sampleInteger(type: string, random: Random): bigint | number {
  const bits = Number(/\d+$/.exec(type)?.[0])
  const used = 8 * (1 + random.below(bits / 8))
  const unsigned = BigInt(random.hex(used / 8))
  const value = type.startsWith('uint') ? unsigned : BigInt.asIntN(bits, unsigned)
  return bits <= 48 ? Number(value) : value
}
