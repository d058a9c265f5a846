/**
 * Every question we put to a node, with the shape of its answer.
 *
 * A question checks that the answer is an answer to it (the block asked for, logs of that block and those topics):
 * load balancers mix up nodes, and a mix-up must be one endpoint's fault instead of a wrong row.
 */
import type { Hex } from '../../lib/hex.ts'
import {
  type Header,
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
import { MalformedError, NotFoundError } from './rpc-error.ts'

export type RpcRequest<T> = {
  readonly method: string
  readonly params: readonly unknown[]
  readonly parse: (result: unknown) => T
  /** Answers of unknown size travel alone, so that a small one need not wait for them. */
  readonly heavy?: boolean
  /** An answer larger than this is refused as too wide a question. */
  readonly maxBytes?: number
  /** "Too wide" comes back to the asker, who can ask for less; fallback the next endpoint is asked the same. */
  readonly isDivisible?: boolean
  /** The same in other words, for an endpoint that does not know these. */
  readonly fallback?: RpcRequest<T>
}

export type BlockTag = 'latest' | 'safe' | 'finalized'

const quantity = (value: number): Hex => `0x${value.toString(16)}`

export const getChainId: RpcRequest<number> = {
  method: 'eth_chainId',
  params: [],
  parse: (result) => parseQuantity(result, 'chain id'),
}

export const getBlockNumber: RpcRequest<number> = {
  method: 'eth_blockNumber',
  params: [],
  parse: (result) => parseQuantity(result, 'block number'),
}

/** Whether the node says that it is still catching up. */
export const getSyncing: RpcRequest<boolean> = {
  method: 'eth_syncing',
  params: [],
  parse: (result) => typeof result === 'object' && result !== null,
}

export function getBlockHeader(block: number | BlockTag): RpcRequest<Header | undefined> {
  return {
    method: 'eth_getBlockByNumber',
    params: [typeof block === 'number' ? quantity(block) : block, false],
    parse: (result) => {
      const header = parseHeader(result)
      if (header !== undefined && typeof block === 'number' && header.number !== block)
        throw new MalformedError(`asked for block ${block}, got ${header.number}`)
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

/** Some nodes answer `null` where they do not have the blocks. */
function parseFound(result: unknown, { topics, addresses }: LogFilter): readonly Log[] {
  if (result === null) throw new NotFoundError('no logs of those blocks here')
  const logs = parseLogs(result)
  const [wanted, emitters] = [topics && new Set<Hex | undefined>(topics), addresses && new Set(addresses)]
  const fits = ({ topics, address }: Log): boolean =>
    wanted?.has(topics[0]) !== false && emitters?.has(address) !== false
  // A node that does not know a part of the filter answers with more than was asked for.
  return logs.every(fits) ? logs : logs.filter(fits)
}

/**
 * A block cannot be asked for in parts. Anyone can fill one with logs at 8 gas a byte, so what is allowed here is what
 * the largest blocks hold, twice over: an answer that is refused would be refused for ever.
 */
const BLOCK_BYTES = 192 * 1_048_576

/**
 * Logs of exactly this block: a node on another branch answers with an error instead of another block's logs.
 * `by: 'number'` is for nodes that take no hash, and proves nothing if it is empty.
 */
export function getBlockLogs(
  block: { readonly number: number; readonly hash: Hex },
  filter: LogFilter,
  by: 'hash' | 'number' = 'hash',
): RpcRequest<readonly Log[]> {
  const number = quantity(block.number)
  const place = by === 'hash' ? { blockHash: block.hash } : { fromBlock: number, toBlock: number }
  return {
    method: 'eth_getLogs',
    params: [{ ...place, ...filterParams(filter) }],
    heavy: true,
    maxBytes: BLOCK_BYTES,
    ...(by === 'hash' ? { fallback: getBlockLogs(block, filter, 'number') } : {}),
    parse: (result) => {
      const logs = parseFound(result, filter)
      const stranger = logs.find((log) => log.blockHash !== block.hash || log.blockNumber !== block.number)
      if (stranger !== undefined)
        throw new MalformedError(`asked for logs of block ${block.number}, got one of ${stranger.blockNumber}`)
      return logs
    },
  }
}

/** Some fifteen thousand logs: more at once only costs memory. */
const RANGE_BYTES = 8 * 1_048_576

export function getLogs(from: number, to: number, filter: LogFilter): RpcRequest<readonly Log[]> {
  return {
    method: 'eth_getLogs',
    params: [{ fromBlock: quantity(from), toBlock: quantity(to), ...filterParams(filter) }],
    heavy: true,
    isDivisible: true,
    maxBytes: from === to ? BLOCK_BYTES : RANGE_BYTES,
    parse: (result) => {
      const logs = parseFound(result, filter)
      const [first, last] = [logs[0], logs.at(-1)]
      if (first !== undefined && last !== undefined && (first.blockNumber < from || last.blockNumber > to))
        throw new MalformedError(
          `asked for logs of blocks ${from} to ${to}, got ${first.blockNumber} to ${last.blockNumber}`,
        )
      return logs
    },
  }
}

/** A block whose state is asked for; with a hash (EIP-1898) no other branch can answer. */
export type StateBlock = { readonly number: number; readonly hash?: Hex }

/** By hash, and by number to an endpoint that takes no hash. */
function stateRequest<T>(
  method: string,
  params: readonly unknown[],
  { number, hash }: StateBlock,
  parse: (result: unknown) => T,
): RpcRequest<T> {
  const byNumber = { method, params: [...params, quantity(number)], parse }
  return hash === undefined ? byNumber : { method, params: [...params, { blockHash: hash }], parse, fallback: byNumber }
}

export function getCode(address: Hex, block: StateBlock): RpcRequest<Hex> {
  return stateRequest('eth_getCode', [address], block, (result) => parseHex(result, 'code'))
}

/** Whether the address holds code after this block. */
export function hasCode(address: Hex, block: StateBlock): RpcRequest<boolean> {
  return stateRequest('eth_getCode', [address], block, (result) => parseHex(result, 'code').length > 2)
}

/** A whole word: some endpoints leave out zeros in front, down to an empty `0x`. */
export function getStorageAt(address: Hex, slot: Hex, block: StateBlock): RpcRequest<Hex> {
  return stateRequest('eth_getStorageAt', [address, slot], block, (result): Hex => {
    const word = parseHex(result, 'storage')
    if (word.length > 66) throw new MalformedError('storage is longer than a word')
    return `0x${word.slice(2).padStart(64, '0')}`
  })
}

export function ethCall(
  { from, to, data }: { readonly from?: Hex | undefined; readonly to: Hex; readonly data: Hex },
  block: StateBlock,
): RpcRequest<Hex> {
  const call = { ...(from === undefined ? {} : { from }), to, data }
  return stateRequest('eth_call', [call], block, (result) => parseHex(result, 'result'))
}

/** Far more than a getter needs, and so little that a contract which burns it all does not keep the node busy. */
const GETTER_GAS = quantity(5_000_000)

/** A call that answers with one word; undefined where the answer is another. */
export function ethCallWord(to: Hex, data: Hex, block: StateBlock): RpcRequest<Hex | undefined> {
  return stateRequest('eth_call', [{ to, data, gas: GETTER_GAS }], block, (result) => {
    const word = parseHex(result, 'result')
    return word.length === 66 ? word : undefined
  })
}

/** The receipt of a transaction that is known to be in this block. */
export function getTransactionReceipt(txHash: Hex, blockHash: Hex): RpcRequest<Receipt> {
  return {
    method: 'eth_getTransactionReceipt',
    params: [txHash],
    parse: (result) => {
      const receipt = parseReceipt(result)
      if (receipt?.blockHash !== blockHash) throw new NotFoundError('the transaction is not in that block here')
      return receipt
    },
  }
}

/** All receipts of a block: widely supported, yet not by every node. */
export function getBlockReceipts(blockHash: Hex): RpcRequest<readonly Receipt[]> {
  return {
    method: 'eth_getBlockReceipts',
    params: [blockHash],
    heavy: true,
    maxBytes: BLOCK_BYTES,
    parse: (result) => {
      if (result === null) throw new NotFoundError('the block is not here')
      const receipts = parseList(result, 'receipts').flatMap((receipt) => parseReceipt(receipt) ?? [])
      if (receipts.some((receipt) => receipt.blockHash !== blockHash))
        throw new MalformedError('receipts of another block')
      return receipts
    },
  }
}

/** Hashes of a block's transactions, in order. */
export function getTransactionHashes(blockHash: Hex): RpcRequest<readonly Hex[]> {
  return {
    method: 'eth_getBlockByHash',
    params: [blockHash, false],
    parse: (result) => {
      if (result === null) throw new NotFoundError('the block is not here')
      const block = parseObject(result, 'block')
      if (parseHash(block.hash, 'block.hash') !== blockHash) throw new MalformedError('another block')
      return parseList(block.transactions, 'block.transactions').map((hash) => parseHash(hash, 'transaction hash'))
    },
  }
}
