/**
 * Asks the node what `creation.ts` needs to know, at a bounded price: one question for each address whose past is not
 * known, one or two more for each that was born in a block with events.
 */
import type { Hex } from '../../lib/hex.ts'
import { type FaultKind, NoEndpointError } from '../rpc/faults.ts'
import type { Log, Receipt } from '../rpc/parse.ts'
import type { AskOptions, NodePool } from '../rpc/pool.ts'
import { askCode, askHasCode, askReceipt, askReceiptsOfBlock, askTransactions } from '../rpc/questions.ts'
import { creatorAmong, existedBefore, learn, merge } from './creation.ts'
import type { CreationFact, WatchStore } from './watch-store.ts'

export type BirthDeps = { readonly pool: NodePool; readonly store: Pick<WatchStore, 'getFacts'> }

export type Births = {
  /** Whether this log belongs to the transaction that made its emitter. */
  readonly isCreation: (log: Log) => boolean
  /** What was learned on the way: stored with the events. */
  readonly facts: readonly CreationFact[]
}

/** `parentOf` names the block before, where its hash is known: near the head a number alone may mean another branch. */
export async function resolveBirths(
  { pool, store }: BirthDeps,
  logs: readonly Log[],
  { parentOf, ...ask }: AskOptions & { readonly parentOf: (log: Log) => Hex | undefined },
): Promise<Births> {
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
  pool: NodePool,
  log: Log,
  parent: Hex | undefined,
  ask: AskOptions,
): Promise<boolean | undefined> {
  const number = log.blockNumber - 1
  try {
    const block = parent === undefined ? { number } : { number, hash: parent }
    return (await pool.ask(askHasCode(log.address, block), ask)).value
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'unsupported')) return undefined
    throw error
  }
}

/** Without old state only a direct deployment can be told: its receipt names the contract. */
async function settleByReceipt(
  pool: NodePool,
  log: Log,
  remember: (fact: CreationFact) => void,
  ask: AskOptions,
): Promise<void> {
  const receipt = await findReceipt(pool, log, ask)
  if (receipt?.contractAddress !== log.address) return
  const { address, blockNumber } = log
  remember({ address, absentUntil: blockNumber - 1, presentFrom: blockNumber, txHash: receipt.txHash })
}

/** Undefined where all say that they have none: not every node keeps old ones, or those of a chain's own transactions. */
async function findReceipt(pool: NodePool, log: Log, ask: AskOptions): Promise<Receipt | undefined> {
  try {
    return (await pool.ask(askReceipt(log.txHash, log.blockHash), ask)).value
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('missing', 'pruned', 'unsupported')) return undefined
    throw error
  }
}

async function findCreator(pool: NodePool, log: Log, ask: AskOptions): Promise<Hex> {
  const receipt = await findReceipt(pool, log, ask)
  if (receipt?.contractAddress === log.address) return receipt.txHash
  const [receipts, codeBytes] = await Promise.all([receiptsUpTo(pool, log, ask), codeBytesOf(pool, log, ask)])
  return creatorAmong(receipts, log.address, codeBytes) ?? log.txHash
}

/** How long its code is after the block: zero, the least that can be said, where nobody keeps that state. */
async function codeBytesOf(pool: NodePool, log: Log, ask: AskOptions): Promise<number> {
  try {
    const block = { number: log.blockNumber, hash: log.blockHash }
    return ((await pool.ask(askCode(log.address, block), ask)).value.length - 2) / 2
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'unsupported')) return 0
    throw error
  }
}

const NOT_AT_ONCE: ReadonlySet<FaultKind> = new Set(['unsupported', 'range'])

/** In one question where the node knows it, else one by one: nothing after the event can have made its emitter. */
async function receiptsUpTo(pool: NodePool, log: Log, ask: AskOptions): Promise<readonly Receipt[]> {
  try {
    return (await pool.ask(askReceiptsOfBlock(log.blockHash), ask)).value
  } catch (error) {
    if (!(error instanceof NoEndpointError) || !error.faults.some(({ kind }) => NOT_AT_ONCE.has(kind))) throw error
  }
  const { value: hashes } = await pool.ask(askTransactions(log.blockHash), ask)
  const earlier = hashes.slice(0, log.txIndex + 1)
  const receipts = await Promise.all(earlier.map((hash) => pool.ask(askReceipt(hash, log.blockHash), ask)))
  return receipts.map(({ value }) => value)
}
