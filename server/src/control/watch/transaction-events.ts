/**
 * Finds the events of transactions that no log reports: what Safes execute, and attempts that failed.
 *
 * The calls are read from the calldata of the transaction, at any depth. If a Safe executed something that the calldata
 * does not contain, because another contract composed it, the log of an L2 Safe contains it.
 */
import { type Hex, sliceHex } from 'viem'
import { callsIn, type DecodedCall, decodeCall } from '../catalog/inner-calls.ts'
import { describeCall } from '../catalog/known-functions.ts'
import type { EventArgs } from '../catalog/layout.ts'
import { safeLibraryOf } from '../catalog/safe-libraries.ts'
import {
  ATTEMPT_FAILED,
  CONTROL_CALL,
  DELEGATECALL_UNKNOWN,
  listedCalls,
  summaryOf,
  type TransactionEventKind,
} from '../catalog/transaction-events.ts'
import type { Transaction } from '../rpc/parse.ts'
import type { RequestOptions, RpcPool, RpcResult } from '../rpc/pool.ts'
import {
  getBlockTransactions,
  getCode,
  getTransaction,
  getTransactionReceipt,
  type RpcRequest,
  type StateBlock,
} from '../rpc/requests.ts'
import { NoEndpointError } from '../rpc/rpc-error.ts'
import type { Decoded } from './event-context.ts'

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
}

type Deps = { readonly pool: RpcPool }
type Execution = { readonly safe: Hex; readonly call: DecodedCall; readonly hasFailed: boolean }

const SUCCESSES: ReadonlySet<string> = new Set(['safe.exec_ok', 'safe.module_tx_ok'])
const FAILURES: ReadonlySet<string> = new Set(['safe.exec_fail', 'safe.module_tx_fail'])
/** Logs of L2 Safes, which contain the whole transaction. */
const FULL_LOGS: ReadonlySet<string> = new Set(['safe.multisig_tx', 'safe.module_tx'])

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
  const { transactions, isWatched, blockOf, getControllers, ...options } = context
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

  const reportExecution = async (transaction: Transaction, { safe, call, hasFailed }: Execution): Promise<void> => {
    const inner = [...callsIn(call)].filter(({ isDeferred }) => !isDeferred)
    const found = (kind: TransactionEventKind, position: number, args: EventArgs, subject?: Hex): void => {
      const about = subject === undefined || subject === safe ? {} : { subject }
      events.push({ ...kind, transaction, address: safe, position, ...about, args: { ...args, ...about } })
    }
    const by = { sender: transaction.from }
    if (hasFailed) {
      const control = inner.find(({ isControl }) => isControl) ?? call
      return found(ATTEMPT_FAILED, 0, { ...summaryOf(control), ...by }, control.affects.find(isWatched))
    }
    for (const [position, one] of inner.entries()) {
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

  const examine = async (transaction: Transaction): Promise<void> => {
    if (transaction.to === undefined) return
    const root = decodeCall({ ...transaction, to: transaction.to, data: transaction.input })
    const ofTransaction = logs.get(transaction.hash) ?? []
    if (ofTransaction.length === 0 && !succeeded.has(transaction.hash)) {
      const receipt = await resultOf(pool, getTransactionReceipt(transaction.hash, transaction.blockHash), options)
      if (receipt === undefined) return
      if (receipt.value.hasFailed) return void failed.push({ transaction, root })
    }
    for (const execution of executionsOf(root, ofTransaction, isWatched, calls))
      await reportExecution(transaction, execution)
  }

  const candidates = transactions.filter(
    (transaction) => logs.has(transaction.hash) || mayMatter(transaction, isWatched),
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

const isExecutionLog = (key: string): boolean => SUCCESSES.has(key) || FAILURES.has(key) || FULL_LOGS.has(key)

/** Whether a transaction without a log of interest could be an execution of Safe 1.0, or an attempt that failed. */
function mayMatter({ to, input }: Transaction, isWatched: (address: Hex) => boolean): boolean {
  if (to === undefined || input.length < 10 || !isWatched(to)) return false
  return describeCall(to, sliceHex(input, 0, 4)).isControl || input.startsWith(EXEC_TRANSACTION)
}

const EXEC_TRANSACTION = '0x6a761202'

type Source = 'owners' | 'modules'
const sourceOf = (key: string): Source => (key.startsWith('safe.module_tx') ? 'modules' : 'owners')

/** Pairs the executions in the calldata with the logs of their Safe: a Safe logs after the calls inside have logged. */
function executionsOf(
  root: DecodedCall,
  logs: readonly Decoded[],
  isWatched: (address: Hex) => boolean,
  calls: Map<Decoded, EventArgs>,
): readonly Execution[] {
  const executions: Execution[] = []
  const inCalldata = [...executedCalls(root)].filter(({ target }) => isWatched(target))
  const safes = new Set([...logs.map(({ log }) => log.address), ...inCalldata.map(({ target }) => target)])
  for (const safe of safes)
    for (const source of ['owners', 'modules'] as const) {
      const ofSafe = logs.filter(({ log, event }) => log.address === safe && sourceOf(event.key) === source)
      const outcomes = ofSafe.filter(({ event }) => !FULL_LOGS.has(event.key))
      const found = inCalldata
        .filter((call) => call.target === safe && call.source === source)
        .flatMap(({ calls }) => calls)
      const full = ofSafe.flatMap(({ log, event }) =>
        FULL_LOGS.has(event.key) ? fullCall(log.address, event.args) : [],
      )
      // Executions that another contract composed are not in the calldata.
      for (const [at, call] of (full.length > found.length ? full : found).entries()) {
        const outcome = outcomes[at]
        if (outcome !== undefined) calls.set(outcome, listedCalls(call))
        executions.push({ safe, call, hasFailed: outcome !== undefined && FAILURES.has(outcome.event.key) })
      }
    }
  return executions
}

const EXECUTION = /^execTransaction(FromModule(?:ReturnData)?)?\(/

/** The executions of Safes in a call, those inside before those around them. */
function* executedCalls(call: DecodedCall): Generator<DecodedCall & { readonly source: Source }> {
  if (call.isDeferred) return
  for (const inner of call.calls) yield* executedCalls(inner)
  const [name, byModule] = EXECUTION.exec(call.signature ?? '') ?? []
  if (name !== undefined) yield { ...call, source: byModule === undefined ? 'owners' : 'modules' }
}

function fullCall(safe: Hex, { to, value, data, operation }: EventArgs): DecodedCall[] {
  if (typeof to !== 'string' || typeof data !== 'string' || typeof value !== 'string') return []
  const call = { from: safe, to: to as Hex, value: BigInt(value), data: data as Hex }
  return [decodeCall({ ...call, operation: operation === 1 ? 'delegatecall' : 'call' })]
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
): Promise<RpcResult<T> | undefined> {
  try {
    return await pool.request(request, options)
  } catch (error) {
    if (error instanceof NoEndpointError && error.isUnanimous('pruned', 'unsupported', 'range')) return undefined
    throw error
  }
}
