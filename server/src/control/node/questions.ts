/**
 * Every question we put to a node, with the shape of its answer.
 *
 * A question checks that the answer is an answer to it (the block asked for, logs of that block and those topics):
 * load balancers mix up nodes, and a mix-up must be one endpoint's fault instead of a wrong row.
 */
import { MissingError, ShapeError } from './faults.ts'
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
  /** An answer larger than this is refused as too wide a question. */
  readonly maxBytes?: number
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

/** Some fifteen thousand logs: more at once only costs memory. */
const RANGE_BYTES = 8 * 1_048_576

export function askLogsInRange(from: number, to: number, filter: LogFilter): Question<readonly Log[]> {
  return {
    method: 'eth_getLogs',
    params: [{ fromBlock: quantity(from), toBlock: quantity(to), ...filterParams(filter) }],
    heavy: true,
    maxBytes: RANGE_BYTES,
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

/** A block whose state is asked for; with a hash (EIP-1898) no other branch can answer. */
export type StateOf = { readonly number: number; readonly hash?: Hex }

const stateParam = ({ number, hash }: StateOf): unknown => (hash === undefined ? quantity(number) : { blockHash: hash })

export function askCode(address: Hex, block: StateOf): Question<Hex> {
  return {
    method: 'eth_getCode',
    params: [address, stateParam(block)],
    parse: (result) => parseHex(result, 'code'),
  }
}

/** Whether the address holds code after this block. */
export function askHasCode(address: Hex, block: StateOf): Question<boolean> {
  const question = askCode(address, block)
  return { ...question, parse: (result) => question.parse(result).length > 2 }
}

export function askStorage(address: Hex, slot: Hex, block: StateOf): Question<Hex> {
  return {
    method: 'eth_getStorageAt',
    params: [address, slot, stateParam(block)],
    parse: (result) => parseHex(result, 'storage'),
  }
}

/** A call that answers with one word; undefined where the answer is another. */
export function askWord(to: Hex, data: Hex, block: StateOf): Question<Hex | undefined> {
  return {
    method: 'eth_call',
    params: [{ to, data }, stateParam(block)],
    parse: (result) => {
      const word = parseHex(result, 'result')
      return word.length === 66 ? word : undefined
    },
  }
}

/** The receipt of a transaction that is known to be in this block. */
export function askReceipt(txHash: Hex, blockHash: Hex): Question<Receipt> {
  return {
    method: 'eth_getTransactionReceipt',
    params: [txHash],
    parse: (result) => {
      const receipt = parseReceipt(result)
      if (receipt?.blockHash !== blockHash) throw new MissingError('the transaction is not in that block here')
      return receipt
    },
  }
}

/** All receipts of a block: widely supported, yet not by every node. */
export function askReceiptsOfBlock(blockHash: Hex): Question<readonly Receipt[]> {
  return {
    method: 'eth_getBlockReceipts',
    params: [blockHash],
    heavy: true,
    parse: (result) => {
      if (result === null) throw new MissingError('the block is not here')
      const receipts = parseList(result, 'receipts').flatMap((receipt) => parseReceipt(receipt) ?? [])
      if (receipts.some((receipt) => receipt.blockHash !== blockHash)) throw new ShapeError('receipts of another block')
      return receipts
    },
  }
}

/** Hashes of a block's transactions, in order. */
export function askTransactions(blockHash: Hex): Question<readonly Hex[]> {
  return {
    method: 'eth_getBlockByHash',
    params: [blockHash, false],
    parse: (result) => {
      if (result === null) throw new MissingError('the block is not here')
      const block = parseObject(result, 'block')
      if (parseHash(block.hash, 'block.hash') !== blockHash) throw new ShapeError('another block')
      return parseList(block.transactions, 'block.transactions').map((hash) => parseHash(hash, 'transaction hash'))
    },
  }
}
