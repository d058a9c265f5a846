/**
 * The JSON-RPC requests this program sends, each with the parser of its result.
 *
 * A parser also checks that the result belongs to the request (the block, its logs, the topics): load balancers mix up
 * nodes, and a wrong result must become an error of the endpoint, not a wrong row.
 */
import type { Hex } from '../../lib/hex.ts'
import type { JsonLimits } from './json-reader.ts'
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
  parseTransaction,
  type Receipt,
  type Transaction,
} from './parse.ts'
import { MalformedError, NotFoundError } from './rpc-error.ts'

export type RpcRequest<T> = {
  readonly method: string
  readonly params: readonly unknown[]
  readonly parse: (result: unknown) => T
  /** What the operator should know about an endpoint that returns this value. Logged once per endpoint. */
  warningOf?(value: T): string | undefined
  /** The result may be large: sent outside batches, so that small results do not wait for it. */
  readonly heavy?: boolean
  /** The largest result; `SMALL_BYTES` if not given. */
  readonly maxBytes?: number
  /** What a larger response means: the range is too wide, or the contract returns too much. Otherwise the endpoint is broken. */
  readonly tooLarge?: 'range' | 'reverted'
  /** How deep the result may nest; `FLAT` if not given. */
  readonly maxDepth?: number
  /** A `range` error goes to the caller, who can narrow the range. Otherwise the next endpoint gets the same request. */
  readonly isDivisible?: boolean
  /** An equivalent request for endpoints that do not support this one. */
  readonly fallback?: RpcRequest<T>
}

/** Quantities, hashes, words. Endpoints add texts to errors. */
const SMALL_BYTES = 16 * 1_024
/** The response, its error, the error's data with the cause of the node. */
const FLAT = 6

/** What the response to these requests may be: the sum of their sizes, the depth of the deepest, in one list. */
export function limitsOf(requests: readonly RpcRequest<unknown>[]): JsonLimits {
  return {
    maxBytes: requests.reduce((sum, { maxBytes = 0 }) => sum + maxBytes + SMALL_BYTES, 0),
    maxDepth: 1 + Math.max(...requests.map(({ maxDepth = FLAT }) => maxDepth)),
  }
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

/** Whether the node reports that it is synchronizing. */
export const getSyncing: RpcRequest<boolean> = {
  method: 'eth_syncing',
  params: [],
  parse: (result) => typeof result === 'object' && result !== null,
}

/** The hashes of 50,000 transactions, more than a block of any chain has. */
const HASHES_BYTES = 4 * 1_048_576

export function getBlockHeader(block: number | BlockTag): RpcRequest<Header | undefined> {
  return {
    method: 'eth_getBlockByNumber',
    params: [typeof block === 'number' ? quantity(block) : block, false],
    maxBytes: HASHES_BYTES,
    parse: (result) => {
      const header = parseHeader(result)
      if (header !== undefined && typeof block === 'number' && header.number !== block)
        throw new MalformedError(`requested block ${block}, got ${header.number}`)
      return header
    },
    warningOf: (header) =>
      header !== undefined && header.logsBloom === undefined
        ? 'returns block headers without logsBloom, so missing logs are found only by the second pass'
        : undefined,
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

/** Some nodes return `null` where they do not have the blocks. */
function parseMatching(result: unknown, { topics, addresses }: LogFilter): readonly Log[] {
  if (result === null) throw new NotFoundError('the endpoint has no logs of those blocks')
  const logs = parseLogs(result)
  const [wanted, emitters] = [topics && new Set<Hex | undefined>(topics), addresses && new Set(addresses)]
  const fits = ({ topics, address }: Log): boolean =>
    wanted?.has(topics[0]) !== false && emitters?.has(address) !== false
  // A node that ignores a part of the filter returns more logs than requested.
  return logs.every(fits) ? logs : logs.filter(fits)
}

/**
 * The logs of one block cannot be requested in parts, and log data costs only 8 gas per byte. The limit is twice what
 * the largest blocks can hold: a block beyond it could never be read.
 */
const BLOCK_BYTES = 192 * 1_048_576

/**
 * Requests the logs of a block by its hash: a node on another branch returns an error instead of another block's logs.
 * `by: 'number'` is for nodes that do not accept a hash; an empty result of it proves nothing.
 */
export function getBlockLogs(
  block: { readonly number: number; readonly hash: Hex },
  filter: LogFilter,
  by: 'hash' | 'number' = 'hash',
): RpcRequest<readonly Log[]> {
  const number = quantity(block.number)
  const range = by === 'hash' ? { blockHash: block.hash } : { fromBlock: number, toBlock: number }
  return {
    method: 'eth_getLogs',
    params: [{ ...range, ...filterParams(filter) }],
    heavy: true,
    maxBytes: BLOCK_BYTES,
    tooLarge: 'range',
    ...(by === 'hash' ? { fallback: getBlockLogs(block, filter, 'number') } : {}),
    parse: (result) => {
      const logs = parseMatching(result, filter)
      const wrong = logs.find((log) => log.blockHash !== block.hash || log.blockNumber !== block.number)
      if (wrong !== undefined)
        throw new MalformedError(`requested logs of block ${block.number}, got one of ${wrong.blockNumber}`)
      return logs
    },
  }
}

/** About 15,000 logs: more per request only costs memory. */
const RANGE_BYTES = 8 * 1_048_576

export function getLogs(from: number, to: number, filter: LogFilter): RpcRequest<readonly Log[]> {
  return {
    method: 'eth_getLogs',
    params: [{ fromBlock: quantity(from), toBlock: quantity(to), ...filterParams(filter) }],
    heavy: true,
    isDivisible: true,
    maxBytes: from === to ? BLOCK_BYTES : RANGE_BYTES,
    tooLarge: 'range',
    parse: (result) => {
      const logs = parseMatching(result, filter)
      const [first, last] = [logs[0], logs.at(-1)]
      if (first !== undefined && last !== undefined && (first.blockNumber < from || last.blockNumber > to))
        throw new MalformedError(
          `requested logs of blocks ${from} to ${to}, got ${first.blockNumber} to ${last.blockNumber}`,
        )
      return logs
    },
  }
}

/** The block whose state is read. With a hash (EIP-1898) no other branch can serve it. */
export type StateBlock = { readonly number: number; readonly hash?: Hex }

/** Requests state by block hash, and by number from endpoints that do not accept a hash. */
function stateRequest<T>(
  method: string,
  params: readonly unknown[],
  { number, hash }: StateBlock,
  parse: (result: unknown) => T,
  limits: Pick<RpcRequest<T>, 'maxBytes' | 'maxDepth' | 'tooLarge'> = {},
): RpcRequest<T> {
  const byNumber = { method, params: [...params, quantity(number)], parse, ...limits }
  const byHash = { method, params: [...params, { blockHash: hash }], parse, ...limits, fallback: byNumber }
  return hash === undefined ? byNumber : byHash
}

/** Code of 256 kB, ten times what Ethereum allows, as hexadecimal digits. */
const CODE_LIMITS = { maxBytes: 512 * 1_024 } as const
/** A contract decides what a call returns: one that returns more is treated as one that reverts. */
export const CALL_LIMITS = { maxBytes: 2 * 1_048_576, tooLarge: 'reverted' } as const

export function getCode(address: Hex, block: StateBlock): RpcRequest<Hex> {
  return stateRequest('eth_getCode', [address], block, (result) => parseHex(result, 'code'), CODE_LIMITS)
}

/** Whether the address has code after this block. */
export function hasCode(address: Hex, block: StateBlock): RpcRequest<boolean> {
  return stateRequest('eth_getCode', [address], block, (result) => parseHex(result, 'code').length > 2, CODE_LIMITS)
}

/** The nonce of the account: transactions an EOA sent, or contracts that a contract created plus one. */
export function getTransactionCount(address: Hex, block: StateBlock): RpcRequest<number> {
  return stateRequest('eth_getTransactionCount', [address], block, (result) => parseQuantity(result, 'nonce'))
}

/** The 32-byte word of a storage slot. Some endpoints omit leading zeros, down to an empty `0x`. */
export function getStorageAt(address: Hex, slot: Hex, block: StateBlock): RpcRequest<Hex> {
  return stateRequest('eth_getStorageAt', [address, slot], block, (result) => wordOf(result, 'storage'))
}

/** What a node proves about the storage of a contract: the root over all of it, and some of its slots. */
export type StorageProof = {
  readonly root: Hex
  /** In the order of the request. `proof`: the nodes of the trie from the root to the slot. */
  readonly slots: readonly { readonly word: Hex; readonly proof: readonly Hex[] }[]
}

/** Slots in one proof; each takes a few kilobytes. */
export const SLOTS_PER_PROOF = 64
const PROOF_BYTES = 2 * 1_048_576

export function getProof(address: Hex, positions: readonly Hex[], block: StateBlock): RpcRequest<StorageProof> {
  return stateRequest('eth_getProof', [address, positions], block, (result) => parseProof(result, address, positions), {
    maxBytes: PROOF_BYTES,
    maxDepth: NESTED,
  })
}

function parseProof(result: unknown, address: Hex, positions: readonly Hex[]): StorageProof {
  const account = parseObject(result, 'proof')
  if (parseHex(account.address, 'proof.address') !== address) throw new MalformedError('the proof of another account')
  const slots = parseList(account.storageProof, 'proof.storageProof').map((item) => {
    const { key, value, proof } = parseObject(item, 'storage proof')
    return {
      position: wordOf(key, 'storage proof key'),
      word: wordOf(value, 'storage proof value'),
      proof: parseList(proof, 'storage proof nodes').map((node) => parseHex(node, 'storage proof node')),
    }
  })
  if (slots.length !== positions.length || slots.some(({ position }, at) => position !== positions[at]))
    throw new MalformedError('the proof of other slots')
  return { root: parseHash(account.storageHash, 'proof.storageHash'), slots }
}

/** Nodes omit leading zeros of keys and values. */
function wordOf(value: unknown, what: string): Hex {
  const word = parseHex(value, what)
  if (word.length > 66) throw new MalformedError(`${what} is longer than a word`)
  return `0x${word.slice(2).padStart(64, '0')}`
}

export function ethCall(
  { from, to, data }: { readonly from?: Hex | undefined; readonly to: Hex; readonly data: Hex },
  block: StateBlock,
): RpcRequest<Hex> {
  const call = { ...(from === undefined ? {} : { from }), to, data }
  return stateRequest('eth_call', [call], block, (result) => parseHex(result, 'result'), CALL_LIMITS)
}

/** Far more than the price of any block, and the funds to pay it. */
const TRIAL_PRICE = quantity(1_000_000_000_000)
const TRIAL_FUNDS = '0x3635c9adc5dea00000' // 1,000 ether
const TRIAL_GAS = quantity(5_000_000)

/** A call that pays for its gas, as a transaction does, from an account that state overrides give funds and code. */
export function fundedCall(
  { from, to, data, code }: { readonly from: Hex; readonly to: Hex; readonly data: Hex; readonly code?: Hex },
  block: Hex,
): RpcRequest<Hex> {
  const call = { from, to, data, gas: TRIAL_GAS, gasPrice: TRIAL_PRICE }
  const overrides = { [from]: { balance: TRIAL_FUNDS, ...(code === undefined ? {} : { code }) } }
  return {
    method: 'eth_call',
    ...CALL_LIMITS,
    params: [call, { blockHash: block }, overrides],
    parse: (result) => parseHex(result, 'result'),
  }
}

/** Far more than a getter needs, and little enough that a contract that burns it all does not block the node. */
const GETTER_GAS = quantity(5_000_000)

/** A call that returns one 32-byte word. Undefined if the result has another size. */
export function ethCallWord(to: Hex, data: Hex, block: StateBlock): RpcRequest<Hex | undefined> {
  const wordOf = (result: unknown): Hex | undefined => {
    const word = parseHex(result, 'result')
    return word.length === 66 ? word : undefined
  }
  return stateRequest('eth_call', [{ to, data, gas: GETTER_GAS }], block, wordOf, CALL_LIMITS)
}

/** Calldata of 4 MB, as hexadecimal digits: nodes refuse transactions far below that. */
const TRANSACTION_BYTES = 8 * 1_048_576

/** A transaction that spends 60 million gas on logs. */
const RECEIPT_BYTES = 32 * 1_048_576
/** Receipts, their logs, their topics. */
const NESTED = 8

/** The receipt of a transaction that is known to be in this block. */
export function getTransactionReceipt(txHash: Hex, blockHash: Hex): RpcRequest<Receipt> {
  return {
    method: 'eth_getTransactionReceipt',
    params: [txHash],
    maxBytes: RECEIPT_BYTES,
    maxDepth: NESTED,
    parse: (result) => {
      const receipt = parseReceipt(result)
      if (receipt?.blockHash !== blockHash)
        throw new NotFoundError('the endpoint does not have the transaction in that block')
      return receipt
    },
  }
}

/** A transaction that is known to be in this block. */
export function getTransaction(txHash: Hex, blockHash: Hex): RpcRequest<Transaction> {
  return {
    method: 'eth_getTransactionByHash',
    params: [txHash],
    maxBytes: TRANSACTION_BYTES,
    maxDepth: NESTED,
    parse: (result) => {
      if (result === null || parseObject(result, 'transaction').blockHash !== blockHash)
        throw new NotFoundError('the endpoint does not have the transaction in that block')
      return parseTransaction(result)
    },
  }
}

/** The account that sent a transaction. */
export function getTransactionSender(txHash: Hex): RpcRequest<Hex> {
  return {
    method: 'eth_getTransactionByHash',
    params: [txHash],
    maxBytes: TRANSACTION_BYTES,
    maxDepth: NESTED,
    parse: (result) => {
      if (result === null) throw new NotFoundError('the endpoint does not have the transaction')
      const { hash, from } = parseTransaction(result)
      if (hash !== txHash) throw new MalformedError('the result is another transaction')
      return from
    },
  }
}

/** All transactions of a block, in order. */
export function getBlockTransactions(blockHash: Hex): RpcRequest<readonly Transaction[]> {
  return {
    method: 'eth_getBlockByHash',
    params: [blockHash, true],
    heavy: true,
    maxBytes: BLOCK_BYTES,
    tooLarge: 'range',
    maxDepth: NESTED,
    parse: (result) => {
      if (result === null) throw new NotFoundError('the endpoint does not have the block')
      const block = parseObject(result, 'block')
      if (parseHash(block.hash, 'block.hash') !== blockHash) throw new MalformedError('the result is another block')
      return parseList(block.transactions, 'block.transactions').map(parseTransaction)
    },
  }
}

/** All receipts of a block. Not every node supports it. */
export function getBlockReceipts(blockHash: Hex): RpcRequest<readonly Receipt[]> {
  return {
    method: 'eth_getBlockReceipts',
    params: [blockHash],
    heavy: true,
    maxBytes: BLOCK_BYTES,
    tooLarge: 'range',
    maxDepth: NESTED,
    parse: (result) => {
      if (result === null) throw new NotFoundError('the endpoint does not have the block')
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
    maxBytes: HASHES_BYTES,
    parse: (result) => {
      if (result === null) throw new NotFoundError('the endpoint does not have the block')
      const block = parseObject(result, 'block')
      if (parseHash(block.hash, 'block.hash') !== blockHash) throw new MalformedError('the result is another block')
      return parseList(block.transactions, 'block.transactions').map((hash) => parseHash(hash, 'transaction hash'))
    },
  }
}
