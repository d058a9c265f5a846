/**
 * Parses JSON-RPC results strictly.
 *
 * Logs are a hot path (hundreds of thousands in a backfill), hence checks by hand instead of a schema library. All hex
 * is returned in lower case.
 */
import type { Hex } from '../../lib/hex.ts'
import { MalformedError } from './rpc-error.ts'

export type Header = {
  readonly number: number
  readonly hash: Hex
  readonly parentHash: Hex
  /** Milliseconds since the epoch. */
  readonly time: number
  /** Undefined where the node returns none: then it does not constrain the logs. */
  readonly logsBloom: Hex | undefined
  /** The number of transactions, where the node returns it. */
  readonly transactions: number | undefined
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
  /** Milliseconds since the epoch. `blockTimestamp` is a recent addition to the standard. */
  readonly blockTime: number | undefined
}

export type Transaction = {
  readonly hash: Hex
  readonly index: number
  readonly blockHash: Hex
  readonly from: Hex
  /** Undefined for the creation of a contract. */
  readonly to: Hex | undefined
  readonly value: bigint
  readonly input: Hex
}

export type Receipt = {
  readonly txHash: Hex
  readonly txIndex: number
  readonly blockHash: Hex
  readonly contractAddress: Hex | undefined
  readonly hasFailed: boolean
  /** Undefined where the node returns none, or zero as for system transactions. */
  readonly gasUsed: number | undefined
  readonly logs: readonly Log[]
}

const LOWER_HEX = /^0x[0-9a-f]*$/
const ANY_HEX = /^0x[0-9a-fA-F]*$/
const QUANTITY = /^0x[0-9a-fA-F]+$/

export function parseHex(value: unknown, what: string, length?: number): Hex {
  if (typeof value !== 'string' || (length !== undefined && value.length !== length))
    throw new MalformedError(`${what} is not hex data${length === undefined ? '' : ` of ${(length - 2) / 2} bytes`}`)
  if (LOWER_HEX.test(value)) return value as Hex
  if (ANY_HEX.test(value)) return value.toLowerCase() as Hex
  throw new MalformedError(`${what} is not hex data`)
}

export const parseHash = (value: unknown, what: string): Hex => parseHex(value, what, 66)
export const parseAddress = (value: unknown, what: string): Hex => parseHex(value, what, 42)

export function parseQuantity(value: unknown, what: string): number {
  if (typeof value !== 'string' || !QUANTITY.test(value)) throw new MalformedError(`${what} is not a quantity`)
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new MalformedError(`${what} is out of range`)
  return number
}

export function parseObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new MalformedError(`${what} is not an object`)
  return value as Record<string, unknown>
}

export function parseList(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new MalformedError(`${what} is not a list`)
  return value
}

/** Undefined when the node does not have the block, which is a valid result. */
export function parseHeader(value: unknown): Header | undefined {
  if (value === null) return undefined
  const block = parseObject(value, 'block')
  return {
    number: parseQuantity(block.number, 'block.number'),
    hash: parseHash(block.hash, 'block.hash'),
    parentHash: parseHash(block.parentHash, 'block.parentHash'),
    time: parseSeconds(block.timestamp, 'block.timestamp') * 1_000,
    logsBloom: parseBloom(block.logsBloom),
    transactions: Array.isArray(block.transactions) ? block.transactions.length : undefined,
  }
}

function parseBloom(value: unknown): Hex | undefined {
  if (value === undefined || value === null || value === '0x') return undefined
  return parseHex(value, 'block.logsBloom', 514)
}

/** The end of the year 9999, the last one of ISO dates. */
const LAST_SECOND = 253_402_300_799

function parseSeconds(value: unknown, what: string): number {
  const seconds = parseQuantity(value, what)
  if (seconds > LAST_SECOND) throw new MalformedError(`${what} is not a date`)
  return seconds
}

function parseIndex(value: unknown, what: string): number {
  const index = parseQuantity(value, what)
  if (index > 0x7fff_ffff) throw new MalformedError(`${what} is out of range`)
  return index
}

export function parseLog(value: unknown): Log {
  const log = parseObject(value, 'log')
  if (log.removed === true) throw new MalformedError('log.removed is set in a result of eth_getLogs')
  const topics = parseList(log.topics, 'log.topics')
  if (topics.length > 4) throw new MalformedError('log.topics has more than four')
  return {
    address: parseAddress(log.address, 'log.address'),
    topics: parseTopics(topics),
    data: parseHex(log.data, 'log.data'),
    blockNumber: parseQuantity(log.blockNumber, 'log.blockNumber'),
    blockHash: parseHash(log.blockHash, 'log.blockHash'),
    txHash: parseHash(log.transactionHash, 'log.transactionHash'),
    txIndex: parseIndex(log.transactionIndex, 'log.transactionIndex'),
    logIndex: parseIndex(log.logIndex, 'log.logIndex'),
    blockTime: parseBlockTime(log.blockTimestamp),
  }
}

/** Returns the list itself if it is in lower case, as it nearly always is. */
function parseTopics(topics: readonly unknown[]): readonly Hex[] {
  const isPlain = topics.every((topic) => typeof topic === 'string' && topic.length === 66 && LOWER_HEX.test(topic))
  return isPlain ? (topics as readonly Hex[]) : topics.map((topic) => parseHash(topic, 'log.topics'))
}

/** Absent on older nodes, zero or malformed on some. The header has the time too, so those values are ignored. */
function parseBlockTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !QUANTITY.test(value)) return undefined
  const seconds = Number(value)
  return seconds > 0 && seconds <= LAST_SECOND ? seconds * 1_000 : undefined
}

/** Returns logs in chain order, each once. Some nodes repeat or shuffle them; only a contradiction is an error. */
export function parseLogs(value: unknown): readonly Log[] {
  const logs = parseList(value, 'logs').map(parseLog)
  if (isOrdered(logs)) return logs
  logs.sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
  return logs.filter((log, at) => {
    const before = logs[at - 1]
    if (before === undefined || before.blockNumber !== log.blockNumber || before.logIndex !== log.logIndex) return true
    if (before.blockHash !== log.blockHash || before.txHash !== log.txHash || before.data !== log.data)
      throw new MalformedError(`two different logs ${log.logIndex} in block ${log.blockNumber}`)
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

export function parseTransaction(value: unknown): Transaction {
  const transaction = parseObject(value, 'transaction')
  const { to } = transaction
  return {
    hash: parseHash(transaction.hash, 'transaction.hash'),
    index: parseIndex(transaction.transactionIndex, 'transaction.transactionIndex'),
    blockHash: parseHash(transaction.blockHash, 'transaction.blockHash'),
    from: parseAddress(transaction.from, 'transaction.from'),
    to: to === null || to === undefined ? undefined : parseAddress(to, 'transaction.to'),
    value: BigInt(parseHex(transaction.value ?? '0x0', 'transaction.value')),
    input: parseHex(transaction.input, 'transaction.input'),
  }
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
    hasFailed: receipt.status === '0x0',
    gasUsed: parseGas(receipt.gasUsed),
    logs: parseLogs(receipt.logs),
  }
}

function parseGas(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const gas = parseQuantity(value, 'receipt.gasUsed')
  return gas === 0 ? undefined : gas
}
