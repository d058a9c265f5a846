/**
 * Decides whether a contract existed before a block, and which transaction created it.
 *
 * The facts bracket the creation: the last block known without the contract's code, the first known with it. One request
 * ("did it have code before this block?") narrows the bracket, so an address costs one or two requests in total.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Log, Receipt } from '../rpc/parse.ts'
import type { RequestOptions, RpcPool } from '../rpc/pool.ts'
import { getBlockReceipts, getCode, getTransactionHashes, getTransactionReceipt, hasCode } from '../rpc/requests.ts'
import { NoEndpointError, type RpcErrorKind } from '../rpc/rpc-error.ts'
import type { CreationFact, WatchStore } from './watch-store.ts'

export type Existence = 'existed' | 'created' | 'unknown'

/** Whether the contract existed before `block` or was created in it. Unknown if the facts do not decide. */
export function existenceBefore(fact: CreationFact | undefined, block: number): Existence {
  if (block === 0) return 'created'
  if (fact?.presentFrom !== undefined && fact.presentFrom <= block - 1) return 'existed'
  if (fact?.absentUntil !== undefined && fact.absentUntil >= block - 1) return 'created'
  return 'unknown'
}

/** Adds what an event in `block` proves: code after the block, and `hadCode` before it. */
export function learnFromEvent(
  fact: CreationFact | undefined,
  address: Hex,
  block: number,
  hadCode: boolean,
): CreationFact {
  const seen: CreationFact = {
    address,
    absentUntil: hadCode ? undefined : block - 1,
    presentFrom: hadCode ? block - 1 : block,
    txHash: undefined,
  }
  return mergeFact(fact, seen)
}

export function mergeFact(a: CreationFact | undefined, b: CreationFact): CreationFact {
  if (a === undefined) return b
  return {
    address: b.address,
    absentUntil: highest(a.absentUntil, b.absentUntil),
    presentFrom: lowest(a.presentFrom, b.presentFrom),
    txHash: b.txHash ?? a.txHash,
  }
}

/** The facts that hold after every block above `to` was rolled back. Undefined if none. */
export function rollBackFact(fact: CreationFact, to: number): CreationFact | undefined {
  const absentUntil = fact.absentUntil === undefined ? undefined : Math.min(fact.absentUntil, to)
  const stays = fact.presentFrom !== undefined && fact.presentFrom <= to
  if (absentUntil === undefined && !stays) return undefined
  return {
    address: fact.address,
    absentUntil,
    presentFrom: stays ? fact.presentFrom : undefined,
    txHash: stays ? fact.txHash : undefined,
  }
}

/**
 * The transaction of a block that created the contract: the one whose receipt names it, otherwise (a factory created it)
 * one before its first log that used enough gas. Among several, the first with a log of the contract or about it, because
 * nearly every creation is logged; otherwise the last.
 */
export function creatorAmong(receipts: readonly Receipt[], address: Hex, codeBytes: number): Hex | undefined {
  const direct = receipts.find((receipt) => receipt.contractAddress === address && !receipt.hasFailed)
  if (direct !== undefined) return direct.txHash
  const inOrder = receipts.toSorted((a, b) => a.txIndex - b.txIndex)
  const firstLog = inOrder.findIndex(({ logs }) => logs.some((log) => log.address === address))
  const before = firstLog === -1 ? inOrder : inOrder.slice(0, firstLog + 1)
  const able = before.filter((receipt) => canCreate(receipt, codeBytes))
  const digits = address.slice(2)
  const names = (text: string): boolean => text.includes(digits)
  const mentions = ({ logs }: Receipt): boolean =>
    logs.some((log) => log.address === address || log.topics.some(names) || names(log.data))
  // If no transaction used enough gas, the chain has different gas costs.
  const candidates = able.length > 0 ? able : before
  return (candidates.find(mentions) ?? candidates.at(-1))?.txHash
}

/** The minimal gas of a transaction, a creation and each byte of code (Yellow Paper, appendix G). */
const TRANSACTION_GAS = 21_000
const CREATE_GAS = 32_000
const CODE_BYTE_GAS = 200
/** At most a fifth is refunded (EIP-3529). */
const AFTER_REFUND = 0.8

function canCreate({ hasFailed, gasUsed }: Receipt, codeBytes: number): boolean {
  if (hasFailed) return false
  const minGas = (TRANSACTION_GAS + CREATE_GAS + CODE_BYTE_GAS * codeBytes) * AFTER_REFUND
  return gasUsed === undefined || gasUsed >= minGas
}

function highest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.max(a, b)
}

function lowest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : b === undefined ? a : Math.min(a, b)
}

export type CreationDeps = { readonly pool: RpcPool; readonly store: Pick<WatchStore, 'getFacts'> }

type Creations = {
  /** Whether this log belongs to the transaction that created its emitter. */
  readonly isCreation: (log: Log) => boolean
  /** The facts found, to be stored with the events. */
  readonly facts: readonly CreationFact[]
}

/**
 * Finds the transactions that created the emitters of logs. Costs one request per address without stored facts, and one or
 * two more per contract created in a block with events.
 *
 * `parentOf` returns the parent hash if it is known: near the head a block number may refer to another branch.
 */
export async function resolveCreations(
  { pool, store }: CreationDeps,
  logs: readonly Log[],
  { parentOf, ...options }: RequestOptions & { readonly parentOf: (log: Log) => Hex | undefined },
): Promise<Creations> {
  const byAddress = Map.groupBy(logs, (log) => log.address)
  const known = await store.getFacts([...byAddress.keys()])
  const facts = new Map(known.map((fact) => [fact.address, fact]))
  const changed = new Set<Hex>()
  const remember = (fact: CreationFact): void => {
    facts.set(fact.address, mergeFact(facts.get(fact.address), fact))
    changed.add(fact.address)
  }

  await Promise.all(
    [...byAddress].map(async ([address, ofAddress]) => {
      // In chain order: once one event comes after the creation, all later ones do.
      for (const log of ofAddress) {
        const existence = existenceBefore(facts.get(address), log.blockNumber)
        if (existence === 'existed') return
        if (existence === 'unknown') {
          const hadCode = await hadCodeBefore(pool, log, parentOf(log), options)
          if (hadCode === undefined) return await settleByReceipt(pool, log, remember, options)
          remember(learnFromEvent(facts.get(address), address, log.blockNumber, hadCode))
          if (hadCode) return
        }
        if (facts.get(address)?.txHash === undefined) {
          const txHash = await findCreator(pool, log, options)
          remember({ address, absentUntil: undefined, presentFrom: log.blockNumber, txHash })
        }
      }
    }),
  )
  return {
    isCreation: (log) => facts.get(log.address)?.txHash === log.txHash,
    facts: [...changed].flatMap((address) => facts.get(address) ?? []),
  }
}

/** Undefined if no endpoint has the state of that block. */
async function hadCodeBefore(
  pool: RpcPool,
  log: Log,
  parent: Hex | undefined,
  options: RequestOptions,
): Promise<boolean | undefined> {
  const number = log.blockNumber - 1
  try {
    const block = parent === undefined ? { number } : { number, hash: parent }
    return (await pool.request(hasCode(log.address, block), options)).value
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'unsupported')) return undefined
    throw error
  }
}

/** Without old state only a direct deployment is recognized, by the contract address in its receipt. */
async function settleByReceipt(
  pool: RpcPool,
  log: Log,
  remember: (fact: CreationFact) => void,
  options: RequestOptions,
): Promise<void> {
  const receipt = await findReceipt(pool, log, options)
  if (receipt?.contractAddress !== log.address) return
  const { address, blockNumber } = log
  remember({ address, absentUntil: blockNumber - 1, presentFrom: blockNumber, txHash: receipt.txHash })
}

/** Undefined if no endpoint has it: some nodes lack old receipts, or those of system transactions. */
async function findReceipt(pool: RpcPool, log: Log, options: RequestOptions): Promise<Receipt | undefined> {
  try {
    return (await pool.request(getTransactionReceipt(log.txHash, log.blockHash), options)).value
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('missing', 'pruned', 'unsupported')) return undefined
    throw error
  }
}

async function findCreator(pool: RpcPool, log: Log, options: RequestOptions): Promise<Hex> {
  const receipt = await findReceipt(pool, log, options)
  if (receipt?.contractAddress === log.address) return receipt.txHash
  const [receipts, codeBytes] = await Promise.all([receiptsUpTo(pool, log, options), codeBytesOf(pool, log, options)])
  return creatorAmong(receipts, log.address, codeBytes) ?? log.txHash
}

/** The size of the code after the block. Zero, the lower bound, if no endpoint has that state. */
async function codeBytesOf(pool: RpcPool, log: Log, options: RequestOptions): Promise<number> {
  try {
    const block = { number: log.blockNumber, hash: log.blockHash }
    return ((await pool.request(getCode(log.address, block), options)).value.length - 2) / 2
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'unsupported')) return 0
    throw error
  }
}

const NEEDS_SINGLE_REQUESTS: ReadonlySet<RpcErrorKind> = new Set(['unsupported', 'range'])

/** All receipts in one request if supported, otherwise those up to the log: a later transaction cannot have created its emitter. */
async function receiptsUpTo(pool: RpcPool, log: Log, options: RequestOptions): Promise<readonly Receipt[]> {
  try {
    return (await pool.request(getBlockReceipts(log.blockHash), options)).value
  } catch (error) {
    if (!(error instanceof NoEndpointError) || !error.errors.some(({ kind }) => NEEDS_SINGLE_REQUESTS.has(kind)))
      throw error
  }
  const { value: hashes } = await pool.request(getTransactionHashes(log.blockHash), options)
  const earlier = hashes.slice(0, log.txIndex + 1)
  const receipts = await Promise.all(
    earlier.map((hash) => pool.request(getTransactionReceipt(hash, log.blockHash), options)),
  )
  return receipts.map(({ value }) => value)
}
