/**
 * Finds the events of transactions that no log reports: what Safes execute, and attempts that failed.
 *
 * The calls are read from the calldata of the transaction, at any depth, and compared with what the Safes logged; what the
 * calldata does not show is read from a trace, where an endpoint can trace (`safe-executions.ts`).
 */
import type { Hex } from 'viem'
import { encodeAbiParameters, sliceHex } from 'viem/utils'
import { callsIn, type DecodedCall, decodeCall, isCut } from '../catalog/inner-calls.ts'
import { describeCall } from '../catalog/known-functions.ts'
import type { EventArgs } from '../catalog/layout.ts'
import { safeLibraryOf } from '../catalog/safe-libraries.ts'
import {
  ATTEMPT_FAILED,
  CONTROL_CALL,
  DELEGATECALL_UNKNOWN,
  EXECUTION_HIDDEN,
  listedCalls,
  summaryOf,
  type TransactionEventKind,
} from '../catalog/transaction-events.ts'
import { findChain } from '../chains/chains.ts'
import type { Transaction } from '../rpc/parse.ts'
import type { RequestOptions, RpcPool, RpcResult } from '../rpc/pool.ts'
import {
  ethCall,
  getBlockTransactions,
  getCode,
  getTransaction,
  getTransactionReceipt,
  type RpcRequest,
  type StateBlock,
} from '../rpc/requests.ts'
import { NoEndpointError, type RpcErrorKind } from '../rpc/rpc-error.ts'
import { type Frame, traceTransaction } from '../rpc/traces.ts'
import type { Decoded } from './event-context.ts'
import { EXECUTION_SELECTORS, type Execution, executedCalls, executionsIn, isExecutionLog } from './safe-executions.ts'

export type FoundInTransaction = TransactionEventKind & {
  readonly transaction: Pick<Transaction, 'hash' | 'blockHash'>
  readonly address: Hex
  /** Among the calls of the transaction, so that equal calls are different events. */
  readonly position: number
  readonly subject?: Hex
  readonly args: EventArgs
}

export type TransactionFindings = {
  readonly events: readonly FoundInTransaction[]
  /** What the executions did, to be added to the arguments of their logs. */
  readonly calls: ReadonlyMap<Decoded, EventArgs>
}

export type BlockFacts = {
  readonly number: number
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly parentHash: Hex | undefined
}

export type TransactionContext = RequestOptions & {
  /** All transactions of the blocks, where they were read. */
  readonly transactions: readonly Transaction[]
  readonly isWatched: (address: Hex) => boolean
  readonly blockOf: (blockHash: Hex) => BlockFacts
  /** The accounts that control these contracts, by contract. */
  readonly getControllers: (contracts: readonly Hex[]) => Promise<ReadonlyMap<Hex, ReadonlySet<Hex>>>
  /** The Safes that these accounts control, by account. */
  readonly getControlledSafes: (accounts: readonly Hex[]) => Promise<ReadonlyMap<Hex, readonly Hex[]>>
}

type Deps = { readonly pool: RpcPool }

const GET_NONCE: Hex = '0xaffed0e0'
const GET_THRESHOLD: Hex = '0xe75235b8'
const GET_VERSION: Hex = '0xffa1ad74' // VERSION()
const VERSION_1_0_0 = encodeAbiParameters([{ type: 'string' }], ['1.0.0'])
/** Executions of one Safe in one block whose hashes are compared. */
const MAX_NONCES = 100
/** Transactions of one block without a log that are traced: anyone can send many, and the head must not wait for them. */
const MAX_UNLOGGED = 20
/** Executions of Safe 1.0 in one block that it does not log, next to those that it logs. */
const UNLOGGED_NONCES = 5

/** The transactions of a block. None if no endpoint serves them: the logs are read all the same. */
export async function readTransactions(
  pool: RpcPool,
  blockHash: Hex,
  options: RequestOptions,
): Promise<readonly Transaction[]> {
  return (await resultOf(pool, getBlockTransactions(blockHash), options))?.value ?? []
}

export async function findInTransactions(
  { pool }: Deps,
  decoded: readonly Decoded[],
  context: TransactionContext,
): Promise<TransactionFindings> {
  const { transactions, isWatched, blockOf, getControllers, getControlledSafes, ...options } = context
  const chainId = findChain(pool.chain)?.id
  const byHash = new Map(transactions.map((transaction) => [transaction.hash, transaction]))
  const logs = Map.groupBy(
    decoded.filter(({ log, event }) => isExecutionLog(event.key) && isWatched(log.address)),
    ({ log }) => log.txHash,
  )
  const events: FoundInTransaction[] = []
  const calls = new Map<Decoded, EventArgs>()
  const succeeded = new Set(decoded.map(({ log }) => log.txHash))
  const failed: { transaction: Transaction; root: DecodedCall }[] = []

  const codeOf = cached(async (address: Hex, blockHash: Hex): Promise<Hex | undefined> => {
    return (await resultOf(pool, getCode(address, parentBlock(blockOf(blockHash))), options))?.value
  })

  const nonceAt = async (safe: Hex, block: StateBlock): Promise<number | undefined> => {
    const word = (await resultOf(pool, ethCall({ to: safe, data: GET_NONCE }, block), options, 'reverted'))?.value
    if (word === undefined) return undefined
    // A Safe that the block creates has no code before it.
    const nonce = word.length === 66 ? Number(word) : 0
    return Number.isSafeInteger(nonce) ? nonce : undefined
  }
  const firstNonce = cached((safe, blockHash) => nonceAt(safe, parentBlock(blockOf(blockHash))))

  const isSafeIn = cached(async (safe: Hex, blockHash: Hex): Promise<boolean> => {
    const request = ethCall({ to: safe, data: GET_THRESHOLD }, parentBlock(blockOf(blockHash)))
    return (await resultOf(pool, request, options, 'reverted'))?.value.length === 66
  })

  /** Release 1.0.0 logs nothing that its modules execute. */
  const isSilentIn = cached(async (safe: Hex, blockHash: Hex): Promise<boolean> => {
    const request = ethCall({ to: safe, data: GET_VERSION }, parentBlock(blockOf(blockHash)))
    return (await resultOf(pool, request, options, 'reverted'))?.value === VERSION_1_0_0
  })
  const sent = transactions.filter(({ hash, to }) => to !== undefined && !logs.has(hash) && isWatched(to))
  const called = [...new Set(sent.flatMap(({ to }) => to ?? []))]
  const controlled = called.length === 0 ? new Map<Hex, Hex[]>() : await getControlledSafes(called)
  /** The Safes of that release that the called contract may be a module of, by transaction. */
  const silentSafes = new Map<Hex, readonly Hex[]>()
  for (const [blockHash, ofBlock] of Map.groupBy(sent, (transaction) => transaction.blockHash)) {
    let left = MAX_UNLOGGED
    for (const { hash, to } of ofBlock) {
      const safes = (to === undefined ? undefined : controlled.get(to))?.filter(isWatched) ?? []
      const areSilent = await Promise.all(safes.map((safe) => isSilentIn(safe, blockHash)))
      if (left === 0 || !areSilent.includes(true)) continue
      left -= 1
      silentSafes.set(
        hash,
        safes.filter((_, at) => areSilent[at]),
      )
    }
  }

  const advancedIn = cached(async (safe: Hex, blockHash: Hex): Promise<boolean | undefined> => {
    const [before, after] = await Promise.all([
      firstNonce(safe, blockHash),
      nonceAt(safe, { number: blockOf(blockHash).number, hash: blockHash }),
    ])
    return before === undefined || after === undefined ? undefined : after !== before
  })

  const noncesIn = cached(async (safe: Hex, blockHash: Hex): Promise<readonly number[] | undefined> => {
    const first = await firstNonce(safe, blockHash)
    if (first === undefined) return undefined
    const ofBlock = decoded.filter(({ log }) => log.address === safe && log.blockHash === blockHash)
    return Array.from({ length: Math.min(ofBlock.length + UNLOGGED_NONCES, MAX_NONCES) }, (_, n) => first + n)
  })

  const reportExecution = async (
    transaction: Transaction,
    { safe, call, hasFailed, isCertain, isFailureDoubtful, module }: Execution,
    first: number,
  ): Promise<void> => {
    const found = (kind: TransactionEventKind, position: number, args: EventArgs, subject?: Hex): void => {
      const about = subject === undefined || subject === safe ? {} : { subject }
      events.push({ ...kind, transaction, address: safe, position, ...about, args: { ...args, ...about } })
    }
    const by = { sender: transaction.from }
    const hidesCalls = call !== undefined && isCut(call)
    const isHidden = call === undefined || !isCertain || hidesCalls
    const hidden: TransactionEventKind = hidesCalls ? { ...EXECUTION_HIDDEN, severity: 'critical' } : EXECUTION_HIDDEN
    if (isHidden && (!hasFailed || isFailureDoubtful))
      found(hidden, first, { ...by, ...(module === undefined ? {} : { module }) })
    if (call === undefined) return
    const inner = [...callsIn(call)].filter(({ isDeferred }) => !isDeferred)
    const delegates = inner.some(({ from, operation }) => from === safe && operation === 'delegatecall')
    if (hasFailed && !(isFailureDoubtful && delegates)) {
      const control = inner.find(({ isControl }) => isControl) ?? call
      return found(ATTEMPT_FAILED, first, { ...summaryOf(control), ...by }, control.affects.find(isWatched))
    }
    for (const [at, one] of inner.entries()) {
      const position = first + at
      if (one.from === safe && one.operation === 'delegatecall') {
        const code = await codeOf(one.target, transaction.blockHash)
        // Where no node has the old state it is not known, and the poll of the Safe compares its storage.
        if (code !== undefined && safeLibraryOf(one.target, code) === undefined)
          found(DELEGATECALL_UNKNOWN, position, { ...summaryOf(one), ...by })
      }
      const affected = one.isControl ? one.affects.find((address) => address !== safe && isWatched(address)) : undefined
      if (affected !== undefined) found(CONTROL_CALL, position, { ...summaryOf(one), ...by }, affected)
    }
  }

  const isSentToWatched = ({ to }: Transaction): boolean => to !== undefined && isWatched(to)
  const mayBeExecuted = async ({ blockHash }: Transaction, root: DecodedCall | undefined): Promise<boolean> => {
    const named = root === undefined ? [] : [...executedCalls(root)].filter(({ target }) => isWatched(target))
    for (const safe of new Set(named.map(({ target }) => target)))
      if ((await advancedIn(safe, blockHash)) === true) return true
    return false
  }

  const examine = async (transaction: Transaction): Promise<void> => {
    const { to, input: data } = transaction
    const root = to === undefined ? undefined : decodeCall({ ...transaction, to, data })
    const ofTransaction = logs.get(transaction.hash) ?? []
    // Without a log it can only be an execution of Safe 1.0, whose owners advance the nonce.
    if (ofTransaction.length === 0 && !isSentToWatched(transaction) && !(await mayBeExecuted(transaction, root))) return
    if (ofTransaction.length === 0 && !succeeded.has(transaction.hash)) {
      const receipt = await resultOf(pool, getTransactionReceipt(transaction.hash, transaction.blockHash), options)
      if (receipt === undefined || root === undefined) return
      if (receipt.value.hasFailed) return void failed.push({ transaction, root })
    }
    const { blockHash } = transaction
    let traced: Promise<Frame | undefined> | undefined
    const executions = await executionsIn(transaction, root, {
      chainId,
      logs: ofTransaction,
      isWatched,
      noncesOf: (safe) => noncesIn(safe, blockHash),
      hasAdvanced: (safe) => advancedIn(safe, blockHash),
      isSafe: (safe) => isSafeIn(safe, blockHash),
      silentSafes: silentSafes.get(transaction.hash) ?? [],
      trace: () => (traced ??= traceOf(pool, transaction, options)),
    })
    let position = 0
    for (const execution of executions) {
      const { log, call } = execution
      if (log !== undefined && call !== undefined) calls.set(log, listedCalls(call))
      await reportExecution(transaction, execution, position)
      position += call === undefined ? 1 : [...callsIn(call)].length
    }
  }

  const candidates = transactions.filter(
    (transaction) =>
      logs.has(transaction.hash) || mayMatter(transaction, isWatched) || silentSafes.has(transaction.hash),
  )
  for (const transaction of candidates) await examine(transaction)
  for (const [hash, [first]] of logs) {
    if (byHash.has(hash) || first === undefined) continue
    const read = await resultOf(pool, getTransaction(hash, first.log.blockHash), options)
    if (read !== undefined) await examine(read.value)
  }
  events.push(...(await failedAttempts(failed, isWatched, getControllers)))
  return { events, calls }
}

/** Whether a transaction without a log of interest could be an execution of Safe 1.0, or an attempt that failed. */
function mayMatter({ to, input }: Transaction, isWatched: (address: Hex) => boolean): boolean {
  if (to === undefined || input.length < 10) return false
  // Inside another call, as one of a nested Safe, or of the Safe itself.
  if (EXECUTION_SELECTORS.some((selector) => input.includes(selector.slice(2)))) return true
  return isWatched(to) && describeCall(to, sliceHex(input, 0, 4)).isControl
}

/** Attempts of one sender on one function of one contract in one block that are reported. */
const REPORTED_ATTEMPTS = 3

async function failedAttempts(
  failed: readonly { readonly transaction: Transaction; readonly root: DecodedCall }[],
  isWatched: (address: Hex) => boolean,
  getControllers: TransactionContext['getControllers'],
): Promise<readonly FoundInTransaction[]> {
  const attempts = failed.flatMap(({ transaction, root }) => {
    const call = [...callsIn(root)].find(({ isControl, affects }) => isControl && affects.some(isWatched))
    return call === undefined ? [] : [{ transaction, call, address: call.affects.find(isWatched) as Hex }]
  })
  if (attempts.length === 0) return []
  const controllers = await getControllers([...new Set(attempts.map(({ address }) => address))])
  const counts = new Map<string, number>()
  return attempts.flatMap(({ transaction, call, address }) => {
    const name = `${transaction.blockHash}${transaction.from}${address}${call.selector}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
    if ((counts.get(name) ?? 0) > REPORTED_ATTEMPTS) return []
    const control = controllers.get(address) ?? new Set()
    const mayControl = [transaction.from, transaction.to, call.from].some(
      (one) => one !== undefined && control.has(one),
    )
    const severity = mayControl ? ATTEMPT_FAILED.severity : 'info'
    const args = { ...summaryOf(call), sender: transaction.from }
    return [{ ...ATTEMPT_FAILED, severity, transaction, address, position: 0, args }]
  })
}

/** Undefined if no endpoint can trace the transaction now: a trace that never ends must not stop the chain. */
async function traceOf(pool: RpcPool, transaction: Transaction, options: RequestOptions): Promise<Frame | undefined> {
  try {
    return (await pool.request(traceTransaction(transaction), options)).value
  } catch (error) {
    if (error instanceof NoEndpointError) return undefined
    throw error
  }
}

function cached<T>(read: (address: Hex, blockHash: Hex) => Promise<T>): (address: Hex, blockHash: Hex) => Promise<T> {
  const found = new Map<string, Promise<T>>()
  return (address, blockHash) => {
    const key = `${address}${blockHash}`
    const result = found.get(key) ?? read(address, blockHash)
    found.set(key, result)
    return result
  }
}

/** The block before, whose state the transactions of a block start from. */
export const parentBlock = ({ number, parentHash }: BlockFacts): StateBlock =>
  parentHash === undefined ? { number: number - 1 } : { number: number - 1, hash: parentHash }

/** Undefined if no endpoint serves it. */
export async function resultOf<T>(
  pool: RpcPool,
  request: RpcRequest<T>,
  options: RequestOptions,
  ...more: readonly RpcErrorKind[]
): Promise<RpcResult<T> | undefined> {
  try {
    return await pool.request(request, options)
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'unsupported', 'range', ...more))
      return undefined
    throw error
  }
}
