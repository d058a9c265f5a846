/**
 * JSON-RPC answers → values, strictly and once.
 *
 * Owns what a well-formed answer is. Logs are the hot path (hundreds of thousands in a backfill), hence plain checks
 * by hand instead of a schema library. Everything comes out in lower case.
 */
import { ShapeError } from './faults.ts'

export type Hex = `0x${string}`

export type Header = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly logsBloom: Hex
}

export type Log = {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly blockNumber: number
  readonly blockHash: Hex
  readonly txHash: Hex
  readonly txIndex: number
  readonly logIndex: number
  /** Milliseconds since the epoch, where the node says so: a recent addition to the standard. */
  readonly blockTime: number | undefined
}

export type Receipt = {
  readonly txHash: Hex
  readonly txIndex: number
  readonly blockHash: Hex
  readonly contractAddress: Hex | undefined
  readonly logs: readonly Log[]
}

const LOWER_HEX = /^0x[0-9a-f]*$/
const ANY_HEX = /^0x[0-9a-fA-F]*$/
const QUANTITY = /^0x[0-9a-fA-F]+$/

export function parseHex(value: unknown, what: string, length?: number): Hex {
  if (typeof value !== 'string' || (length !== undefined && value.length !== length))
    throw new ShapeError(`${what} is not hex data${length === undefined ? '' : ` of ${(length - 2) / 2} bytes`}`)
  if (LOWER_HEX.test(value)) return value as Hex
  if (ANY_HEX.test(value)) return value.toLowerCase() as Hex
  throw new ShapeError(`${what} is not hex data`)
}

export const parseHash = (value: unknown, what: string): Hex => parseHex(value, what, 66)
export const parseAddress = (value: unknown, what: string): Hex => parseHex(value, what, 42)

export function parseQuantity(value: unknown, what: string): number {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw new ShapeError(`${what} is not a quantity`)
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new ShapeError(`${what} is out of range`)
  return number
}

export function parseObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ShapeError(`${what} is not an object`)
  return value as Record<string, unknown>
}

export function parseList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(`${what} is not a list`)
  return value
}

/** Undefined when the node does not have the block: that is an answer, not a fault. */
export function parseHeader(value: unknown): Header | undefined {
  if (value === null) return undefined
  const block = parseObject(value, 'block')
  return {
    number: parseQuantity(block.number, 'block.number'),
    hash: parseHash(block.hash, 'block.hash'),
    parentHash: parseHash(block.parentHash, 'block.parentHash'),
    time: parseQuantity(block.timestamp, 'block.timestamp') * 1_000,
    logsBloom: parseHex(block.logsBloom, 'block.logsBloom', 514),
  }
}

export function parseLog(value: unknown): Log {
  const log = parseObject(value, 'log')
  if (log.removed === true) throw new ShapeError('log.removed is set in an answer to eth_getLogs')
  const topics = parseList(log.topics, 'log.topics')
  if (topics.length > 4) throw new ShapeError('log.topics has more than four')
  return {
    address: parseAddress(log.address, 'log.address'),
    topics: parseTopics(topics),
    data: parseHex(log.data, 'log.data'),
    blockNumber: parseQuantity(log.blockNumber, 'log.blockNumber'),
    blockHash: parseHash(log.blockHash, 'log.blockHash'),
    txHash: parseHash(log.transactionHash, 'log.transactionHash'),
    txIndex: parseQuantity(log.transactionIndex, 'log.transactionIndex'),
    logIndex: parseQuantity(log.logIndex, 'log.logIndex'),
    blockTime: parseBlockTime(log.blockTimestamp),
  }
}

/** The node's own list where it is in lower case already, as it nearly always is. */
function parseTopics(topics: readonly unknown[]): readonly Hex[] {
  const isPlain = topics.every((topic) => typeof topic === 'string' && topic.length === 66 && LOWER_HEX.test(topic))
  return isPlain ? (topics as readonly Hex[]) : topics.map((topic) => parseHash(topic, 'log.topics'))
}

/** Absent on older nodes, and zero on some that reserve the field without filling it. */
function parseBlockTime(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const seconds = parseQuantity(value, 'log.blockTimestamp')
  return seconds === 0 ? undefined : seconds * 1_000
}

/** Logs in chain order, each once: some nodes repeat or shuffle them, and only a contradiction is a fault. */
export function parseLogs(value: unknown): readonly Log[] {
  const logs = parseList(value, 'logs').map(parseLog)
  if (isOrdered(logs)) return logs
  logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  return logs.filter((log, at) => {
    const before = logs[at - 1]
    if (before === undefined || before.blockNumber !== log.blockNumber || before.logIndex !== log.logIndex) return true
    if (before.blockHash !== log.blockHash || before.txHash !== log.txHash || before.data !== log.data)
      throw new ShapeError(`two different logs ${log.logIndex} in block ${log.blockNumber}`)
    return false
  })
}

function isOrdered(logs: readonly Log[]): boolean {
  for (let at = 1; at < logs.length; at += 1) {
    const [before, log] = [logs[at - 1], logs[at]]
    if (before === undefined || log === undefined) return false
    if (before.blockNumber > log.blockNumber) return false
    if (before.blockNumber === log.blockNumber && before.logIndex >= log.logIndex) return false
  }
  return true
}

export function parseReceipt(value: unknown): Receipt | undefined {
  if (value === null) return undefined
  const receipt = parseObject(value, 'receipt')
  const { contractAddress } = receipt
  return {
    txHash: parseHash(receipt.transactionHash, 'receipt.transactionHash'),
    txIndex: parseQuantity(receipt.transactionIndex, 'receipt.transactionIndex'),
    blockHash: parseHash(receipt.blockHash, 'receipt.blockHash'),
    contractAddress:
      contractAddress === null || contractAddress === undefined
        ? undefined
        : parseAddress(contractAddress, 'receipt.contractAddress'),
    logs: parseLogs(receipt.logs),
  }
}
