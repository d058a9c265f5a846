/**
 * Every question we put to a node, with the shape of its answer.
 *
 * A question checks that the answer is an answer to it (the block asked for, logs of that block and those topics):
 * load balancers mix up nodes, and a mix-up must be one endpoint's fault instead of a wrong row.
 */
import { ShapeError } from './faults.ts'
import {
  type Header,
  type Hex,
  type Log,
  parseHash,
  parseHeader,
  parseHex,
  parseList,
  parseLogs,
  parseObject,
  parseQuantity,
  parseReceipt,
  type Receipt,
} from './parse.ts'

export type Question<T> = {
  readonly method: string
  readonly params: readonly unknown[]
  readonly parse: (result: unknown) => T
  /** Answers of unknown size travel alone, so that a small one need not wait for them. */
  readonly heavy?: boolean
}

export type BlockTag = 'latest' | 'safe' | 'finalized'

const quantity = (value: number): Hex => `0x${value.toString(16)}`

export const askChainId: Question<number> = {
  method: 'eth_chainId',
  params: [],
  parse: (result) => parseQuantity(result, 'chain id'),
}

export const askBlockNumber: Question<number> = {
  method: 'eth_blockNumber',
  params: [],
  parse: (result) => parseQuantity(result, 'block number'),
}

export function askHeader(block: number | BlockTag): Question<Header | undefined> {
  return {
    method: 'eth_getBlockByNumber',
    params: [typeof block === 'number' ? quantity(block) : block, false],
    parse: (result) => {
      const header = parseHeader(result)
      if (header !== undefined && typeof block === 'number' && header.number !== block)
        throw new ShapeError(`asked for block ${block}, got ${header.number}`)
      return header
    },
  }
}

export type LogFilter = {
  readonly topics?: readonly Hex[] | undefined
  readonly addresses?: readonly Hex[] | undefined
}

const filterParams = ({ topics, addresses }: LogFilter): Record<string, unknown> => ({
  ...(addresses === undefined ? {} : { address: addresses }),
  ...(topics === undefined ? {} : { topics: [topics] }),
})

/** Logs of exactly this block: a node on another branch answers with an error instead of another block's logs. */
export function askLogsOfBlock(
  block: { readonly number: number; readonly hash: Hex },
  filter: LogFilter,
): Question<readonly Log[]> {
  return {
    method: 'eth_getLogs',
    params: [{ blockHash: block.hash, ...filterParams(filter) }],
    heavy: true,
    parse: (result) => {
      const logs = parseLogs(result)
      const stranger = logs.find((log) => log.blockHash !== block.hash || log.blockNumber !== block.number)
      if (stranger !== undefined)
        throw new ShapeError(`asked for logs of block ${block.number}, got one of ${stranger.blockNumber}`)
      return logs
    },
  }
}

export function askLogsInRange(from: number, to: number, filter: LogFilter): Question<readonly Log[]> {
  return {
    method: 'eth_getLogs',
    params: [{ fromBlock: quantity(from), toBlock: quantity(to), ...filterParams(filter) }],
    heavy: true,
    parse: (result) => {
      const logs = parseLogs(result)
      const [first, last] = [logs[0], logs.at(-1)]
      if (first !== undefined && last !== undefined && (first.blockNumber < from || last.blockNumber > to))
        throw new ShapeError(
          `asked for logs of blocks ${from} to ${to}, got ${first.blockNumber} to ${last.blockNumber}`,
        )
      return logs
    },
  }
}

/** Whether the address holds code after this block. */
export function askHasCode(address: Hex, block: number): Question<boolean> {
  return {
    method: 'eth_getCode',
    params: [address, quantity(block)],
    parse: (result) => parseHex(result, 'code').length > 2,
  }
}

export function askReceipt(txHash: Hex): Question<Receipt | undefined> {
  return { method: 'eth_getTransactionReceipt', params: [txHash], parse: parseReceipt }
}

/** Hashes of a block's transactions, in order. */
export function askTransactions(block: {
  readonly number: number
  readonly hash: Hex
}): Question<readonly Hex[] | undefined> {
  return {
    method: 'eth_getBlockByNumber',
    params: [quantity(block.number), false],
    parse: (result) => {
      if (result === null) return undefined
      const found = parseObject(result, 'block')
      if (parseHash(found.hash, 'block.hash') !== block.hash) return undefined
      return parseList(found.transactions, 'block.transactions').map((hash) => parseHash(hash, 'transaction hash'))
    },
  }
}
