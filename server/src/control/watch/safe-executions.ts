/**
 * What Safes executed in a transaction.
 *
 * Calldata alone shows what a contract was asked to do, not what it did: one between the sender and the Safe may execute
 * something else. The hash that a Safe logs covers every field of its transaction, so the calldata is searched for the one that
 * has it. L2 Safes log the whole transaction. If neither shows it, the execution is hidden.
 */
import type { Hex } from 'viem'
import { type DecodedCall, decodeCall } from '../catalog/inner-calls.ts'
import type { EventArgs } from '../catalog/layout.ts'
import { nonceOf, type SafeFields, transactionsIn } from '../profile/safe-calldata.ts'
import type { Transaction } from '../rpc/parse.ts'
import type { Decoded } from './event-context.ts'

export type Execution = {
  readonly safe: Hex
  /** Undefined: hidden. */
  readonly call: DecodedCall | undefined
  readonly hasFailed: boolean
  /** The log that reports its end. */
  readonly log: Decoded | undefined
}

type Source = 'owners' | 'modules'

const SUCCESSES: ReadonlySet<string> = new Set(['safe.exec_ok', 'safe.module_tx_ok'])
const FAILURES: ReadonlySet<string> = new Set(['safe.exec_fail', 'safe.module_tx_fail'])
/** Logs of L2 Safes, which contain the whole transaction. */
const FULL_LOGS: ReadonlySet<string> = new Set(['safe.multisig_tx', 'safe.module_tx'])
/** Transactions in one calldata that are compared with a hash. */
const MAX_COMPARED = 100

export const isExecutionLog = (key: string): boolean => SUCCESSES.has(key) || FAILURES.has(key) || FULL_LOGS.has(key)

const sourceOf = (key: string): Source => (key.startsWith('safe.module_tx') ? 'modules' : 'owners')

export type ExecutionContext = {
  /** Undefined: the hashes cannot be compared. */
  readonly chainId: number | undefined
  /** The logs of executions in the transaction, in order. */
  readonly logs: readonly Decoded[]
  readonly isWatched: (address: Hex) => boolean
  /** The nonces that executions in the block of the transaction can have. Undefined if no endpoint has the state. */
  readonly noncesOf: (safe: Hex) => Promise<readonly number[] | undefined>
}

/** `root`: the call that the transaction makes; undefined if it creates a contract, whose code may make others. */
export async function executionsIn(
  transaction: Transaction,
  root: DecodedCall | undefined,
  { chainId, logs, isWatched, noncesOf }: ExecutionContext,
): Promise<readonly Execution[]> {
  const executions: Execution[] = []
  const inCalldata = root === undefined ? [] : [...executedCalls(root)].filter(({ target }) => isWatched(target))
  const safes = new Set([...logs.map(({ log }) => log.address), ...inCalldata.map(({ target }) => target)])
  let compared: readonly SafeFields[] | undefined
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
      const isDirect = root?.target === safe && isExecution(root) && found.length === 1 && outcomes.length === 1
      const nonces =
        source === 'modules' || isDirect || full.length > 0 || outcomes.length === 0 || chainId === undefined
          ? undefined
          : await noncesOf(safe)
      let calls: readonly (DecodedCall | undefined)[]
      if (nonces !== undefined && chainId !== undefined && !isOfSilentRelease(outcomes, found)) {
        compared ??= transactionsIn(transaction.input, MAX_COMPARED)
        const candidates = compared
        calls = outcomes.map(({ event }) => callWithHash({ chainId, address: safe }, event.args, candidates, nonces))
      } else calls = full.length > 0 && !isAmong(found, full) ? full : found
      for (const [at, call] of calls.entries()) {
        const log = outcomes[at]
        executions.push({ safe, call, log, hasFailed: log !== undefined && FAILURES.has(log.event.key) })
      }
    }
  return executions
}

/** Release 1.0.0 logs failures only: what succeeded in the same transaction has no log. */
const isOfSilentRelease = (outcomes: readonly Decoded[], found: readonly DecodedCall[]): boolean =>
  found.length > outcomes.length && outcomes.every(({ event }) => FAILURES.has(event.key))

/** Whether the calldata shows exactly what the Safe logged. */
function isAmong(found: readonly DecodedCall[], full: readonly DecodedCall[]): boolean {
  const logged = new Set(full.map((call) => JSON.stringify(call)))
  return found.length === full.length && found.every((call) => logged.has(JSON.stringify(call)))
}

function callWithHash(
  safe: { readonly chainId: number; readonly address: Hex },
  { txHash }: EventArgs,
  candidates: readonly SafeFields[],
  nonces: readonly number[],
): DecodedCall | undefined {
  const fields = candidates.find((candidate) => nonceOf(safe, txHash as Hex, candidate, nonces) !== undefined)
  if (fields === undefined) return undefined
  const { to, value, data, operation } = fields
  const call = { from: safe.address, to: to.toLowerCase() as Hex, value, data }
  return decodeCall({ ...call, operation: operation === 1 ? 'delegatecall' : 'call' })
}

const EXECUTION = /^execTransaction(FromModule(?:ReturnData)?)?\(/

const isExecution = ({ signature = '' }: DecodedCall): boolean => EXECUTION.test(signature)

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
