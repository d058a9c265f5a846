/**
 * Asks the node what `creation.ts` needs to know, at a bounded price: one question for each address whose past is not
 * known, one or two more for each that was born in a block with events.
 */
import type { Hex } from '../../lib/hex.ts'
import type { Log, Receipt } from '../rpc/parse.ts'
import type { RequestOptions, RpcPool } from '../rpc/pool.ts'
import { getBlockReceipts, getCode, getTransactionHashes, getTransactionReceipt, hasCode } from '../rpc/requests.ts'
import { NoEndpointError, type RpcErrorKind } from '../rpc/rpc-error.ts'
import { creatorAmong, existedBefore, learn, merge } from './creation.ts'
import type { CreationFact, WatchStore } from './watch-store.ts'

export type CreationDeps = { readonly pool: RpcPool; readonly store: Pick<WatchStore, 'getFacts'> }

export type Creations = {
  /** Whether this log belongs to the transaction that made its emitter. */
  readonly isCreation: (log: Log) => boolean
  /** What was learned on the way: stored with the events. */
  readonly facts: readonly CreationFact[]
}

/** `parentOf` names the block before, where its hash is known: near the head a number alone may mean another branch. */
export async function resolveCreations(
  { pool, store }: CreationDeps,
  logs: readonly Log[],
  { parentOf, ...ask }: RequestOptions & { readonly parentOf: (log: Log) => Hex | undefined },
): Promise<Creations> {
  const byAddress = Map.groupBy(logs, (log) => log.address)
  const known = await store.getFacts([...byAddress.keys()])
  const facts = new Map(known.map((fact) => [fact.address, fact]))
  const changed = new Set<Hex>()
  const remember = (fact: CreationFact): void => {
    facts.set(fact.address, merge(facts.get(fact.address), fact))
    changed.add(fact.address)
  }

  await Promise.all(
    [...byAddress].map(async ([address, ofAddress]) => {
      // In chain order: once an event is known to come after the birth, so are all later ones.
      for (const log of ofAddress) {
        const existed = existedBefore(facts.get(address), log.blockNumber)
        if (existed === 'before') return
        if (existed === 'unknown') {
          const hadCode = await hadCodeBefore(pool, log, parentOf(log), ask)
          if (hadCode === undefined) return await settleByReceipt(pool, log, remember, ask)
          remember(learn(facts.get(address), address, log.blockNumber, hadCode))
          if (hadCode) return
        }
        if (facts.get(address)?.txHash === undefined) {
          const txHash = await findCreator(pool, log, ask)
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

/** Undefined where no endpoint keeps the state of that block. */
async function hadCodeBefore(
  pool: RpcPool,
  log: Log,
  parent: Hex | undefined,
  ask: RequestOptions,
): Promise<boolean | undefined> {
  const number = log.blockNumber - 1
  try {
    const block = parent === undefined ? { number } : { number, hash: parent }
    return (await pool.request(hasCode(log.address, block), ask)).value
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'unsupported')) return undefined
    throw error
  }
}

/** Without old state only a direct deployment can be told: its receipt names the contract. */
async function settleByReceipt(
  pool: RpcPool,
  log: Log,
  remember: (fact: CreationFact) => void,
  ask: RequestOptions,
): Promise<void> {
  const receipt = await findReceipt(pool, log, ask)
  if (receipt?.contractAddress !== log.address) return
  const { address, blockNumber } = log
  remember({ address, absentUntil: blockNumber - 1, presentFrom: blockNumber, txHash: receipt.txHash })
}

/** Undefined where all say that they have none: not every node keeps old ones, or those of a chain's own transactions. */
async function findReceipt(pool: RpcPool, log: Log, ask: RequestOptions): Promise<Receipt | undefined> {
  try {
    return (await pool.request(getTransactionReceipt(log.txHash, log.blockHash), ask)).value
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('missing', 'pruned', 'unsupported')) return undefined
    throw error
  }
}

async function findCreator(pool: RpcPool, log: Log, ask: RequestOptions): Promise<Hex> {
  const receipt = await findReceipt(pool, log, ask)
  if (receipt?.contractAddress === log.address) return receipt.txHash
  const [receipts, codeBytes] = await Promise.all([receiptsUpTo(pool, log, ask), codeBytesOf(pool, log, ask)])
  return creatorAmong(receipts, log.address, codeBytes) ?? log.txHash
}

/** How long its code is after the block: zero, the least that can be said, where nobody keeps that state. */
async function codeBytesOf(pool: RpcPool, log: Log, ask: RequestOptions): Promise<number> {
  try {
    const block = { number: log.blockNumber, hash: log.blockHash }
    return ((await pool.request(getCode(log.address, block), ask)).value.length - 2) / 2
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'unsupported')) return 0
    throw error
  }
}

const NOT_AT_ONCE: ReadonlySet<RpcErrorKind> = new Set(['unsupported', 'range'])

/** In one question where the node knows it, else one by one: nothing after the event can have made its emitter. */
async function receiptsUpTo(pool: RpcPool, log: Log, ask: RequestOptions): Promise<readonly Receipt[]> {
  try {
    return (await pool.request(getBlockReceipts(log.blockHash), ask)).value
  } catch (error) {
    if (!(error instanceof NoEndpointError) || !error.errors.some(({ kind }) => NOT_AT_ONCE.has(kind))) throw error
  }
  const { value: hashes } = await pool.request(getTransactionHashes(log.blockHash), ask)
  const earlier = hashes.slice(0, log.txIndex + 1)
  const receipts = await Promise.all(
    earlier.map((hash) => pool.request(getTransactionReceipt(hash, log.blockHash), ask)),
  )
  return receipts.map(({ value }) => value)
}
