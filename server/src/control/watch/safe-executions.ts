/**
 * What Safes executed in a transaction.
 *
 * Calldata alone shows what a contract was asked to do, not what it did: one between the sender and the Safe may execute
 * something else. The hash that a Safe logs for its owners covers every field of the transaction, so calldata and traces are
 * searched for the one that has it. L2 Safes log the whole transaction. What a module executes has no hash: a trace shows it.
 * If nothing shows it, the execution is hidden.
 *
 * Code that a Safe delegates to can log anything in the name of the Safe. It runs before the Safe logs the end of the execution:
 * of several logs with one hash, the last is true.
 */
import type { Hex } from 'viem'
import { type DecodedCall, decodeCall } from '../catalog/inner-calls.ts'
import type { EventArgs } from '../catalog/layout.ts'
import { fieldsOf, nonceOf, type SafeFields, transactionsIn, type Values } from '../profile/safe-calldata.ts'
import type { Transaction } from '../rpc/parse.ts'
import { completedCalls, type Frame } from '../rpc/traces.ts'
import type { Decoded } from './event-context.ts'

export type Execution = {
  readonly safe: Hex
  /** Undefined: hidden. */
  readonly call: DecodedCall | undefined
  /** Whether it is known that the call was executed, and not only named in the calldata. */
  readonly isCertain: boolean
  readonly hasFailed: boolean
  /** Whether code that the Safe delegates to may have logged the failure. */
  readonly isFailureDoubtful: boolean
  /** The log that reports its end. */
  readonly log: Decoded | undefined
  /** Undefined: the owners executed it. */
  readonly module: Hex | undefined
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
const hasFailed = (log: Decoded | undefined): boolean => log !== undefined && FAILURES.has(log.event.key)
const hashOf = ({ event }: Decoded): Hex => event.args.txHash as Hex
/** Release 1.0.0 logs failures only: code that it delegates to can log one. */
const isOfSilentRelease = (log: Decoded): boolean => hasFailed(log) && log.event.args.payment === undefined

export type ExecutionContext = {
  /** Undefined: the hashes cannot be compared. */
  readonly chainId: number | undefined
  /** The logs of executions in the transaction, in order. */
  readonly logs: readonly Decoded[]
  readonly isWatched: (address: Hex) => boolean
  /** The nonces that executions in the block of the transaction can have. Undefined if no endpoint has the state. */
  readonly noncesOf: (safe: Hex) => Promise<readonly number[] | undefined>
  /** Whether the owners executed something in the block. Undefined if no endpoint has the state. */
  readonly hasAdvanced: (safe: Hex) => Promise<boolean | undefined>
  /** Whether the contract responds as a Safe: modules of Zodiac are called in the same way, and only queue. */
  readonly isSafe: (address: Hex) => Promise<boolean>
  /** Safes that log nothing of what a module executes, and that the called contract may be a module of. */
  readonly silentSafes: readonly Hex[]
  /** Undefined if no endpoint can trace the transaction. */
  readonly trace: () => Promise<Frame | undefined>
}

/** The logs and calls of one Safe and one source, in order. */
type Observed = {
  readonly safe: Hex
  readonly root: DecodedCall | undefined
  readonly outcomes: readonly Decoded[]
  readonly full: readonly Decoded[]
  /** Executions in the calldata. */
  readonly named: readonly DecodedCall[]
}

/** `root`: the call that the transaction makes; undefined if it creates a contract, whose code may make others. */
export async function executionsIn(
  transaction: Transaction,
  root: DecodedCall | undefined,
  context: ExecutionContext,
): Promise<readonly Execution[]> {
  const { logs, isWatched, silentSafes } = context
  const executions: Execution[] = []
  const inCalldata = root === undefined ? [] : [...executedCalls(root)].filter(({ target }) => isWatched(target))
  const named = [...logs.map(({ log }) => log.address), ...inCalldata.map(({ target }) => target)]
  const safes = new Set([...named, ...silentSafes])
  for (const safe of safes)
    for (const source of ['owners', 'modules'] as const) {
      const ofSafe = logs.filter(({ log, event }) => log.address === safe && sourceOf(event.key) === source)
      const observed = {
        safe,
        root,
        outcomes: ofSafe.filter(({ event }) => !FULL_LOGS.has(event.key)),
        full: ofSafe.filter(({ event }) => FULL_LOGS.has(event.key)),
        named: inCalldata
          .filter((call) => call.target === safe && call.source === source)
          .flatMap(({ calls }) => calls),
      }
      const found =
        source === 'owners' ? byOwners(transaction, observed, context) : byModules(transaction, observed, context)
      executions.push(...(await found))
    }
  return executions
}

/** Whether the sender called the Safe itself, which executed one transaction: then the calldata shows it. */
const isDirect = ({ safe, root, named, outcomes }: Observed): boolean =>
  root?.target === safe && isExecution(root) && named.length === 1 && outcomes.length <= 1

function executionOf(
  safe: Hex,
  call: DecodedCall | undefined,
  log?: Decoded,
  more: Partial<Execution> = {},
): Execution {
  const isFailureDoubtful = log !== undefined && isOfSilentRelease(log)
  return { safe, call, log, hasFailed: hasFailed(log), isFailureDoubtful, isCertain: true, module: undefined, ...more }
}

async function byOwners(
  { input }: Transaction,
  observed: Observed,
  { chainId, noncesOf, hasAdvanced, trace }: ExecutionContext,
): Promise<readonly Execution[]> {
  const { safe, outcomes, full, named } = observed
  if (full.length === 0 && isDirect(observed)) return [executionOf(safe, named[0], outcomes[0])]
  if (outcomes.length === 0 && full.length === 0) {
    const isExecuted = named.length > 0 && (await hasAdvanced(safe)) !== false
    return isExecuted ? named.map((call) => executionOf(safe, call)) : []
  }
  const logged = full.flatMap(({ event }) => loggedTransactions(safe, event.args))
  if (chainId === undefined) {
    const calls = logged.length > 0 ? logged.map(({ call }) => call) : named
    return calls.map((call, at) => executionOf(safe, call, outcomes[at]))
  }
  const ofSafe = { chainId, address: safe }
  // The last of several logs with one hash is that of the Safe.
  const ends = [...new Map(outcomes.map((outcome) => [hashOf(outcome), outcome])).values()]
  const open = [...logged]
  const executions: Execution[] = []
  let candidates: readonly SafeFields[] | undefined
  for (const outcome of ends) {
    const hash = hashOf(outcome)
    const at = open.findIndex(({ fields, nonce }) => nonceOf(ofSafe, hash, fields, [nonce]) !== undefined)
    const [known] = at === -1 ? [] : open.splice(at, 1)
    if (known !== undefined) {
      executions.push(executionOf(safe, known.call, outcome))
      continue
    }
    const nonces = await noncesOf(safe)
    candidates ??= transactionsIn(input, MAX_COMPARED)
    if (nonces === undefined && logged.length === 0) {
      // No state to compare with: what the calldata names is all that is known.
      const call = named[executions.length]
      executions.push(executionOf(safe, call, outcome))
      continue
    }
    const inInput = callWithHash(ofSafe, outcome.event.args, candidates, nonces ?? [])
    executions.push(executionOf(safe, inInput ?? (await tracedWithHash(ofSafe, outcome, nonces ?? [], trace)), outcome))
  }
  executions.push(...open.map(({ call }) => executionOf(safe, call)))
  // What release 1.0.0 executes without a failure has no log.
  const shown = new Set(executions.map(({ call }) => JSON.stringify(call)))
  if (outcomes.every(isOfSilentRelease) && full.length === 0)
    executions.push(...named.filter((call) => !shown.has(JSON.stringify(call))).map((call) => executionOf(safe, call)))
  return executions
}

async function tracedWithHash(
  safe: { readonly chainId: number; readonly address: Hex },
  { event }: Decoded,
  nonces: readonly number[],
  trace: ExecutionContext['trace'],
): Promise<DecodedCall | undefined> {
  const frames = tracedFrames(await trace(), safe.address, 'owners')
  return callWithHash(
    safe,
    event.args,
    frames.flatMap(({ input }) => transactionsIn(input, 1)),
    nonces,
  )
}

async function byModules(
  transaction: Transaction,
  observed: Observed,
  { trace, isSafe, silentSafes }: ExecutionContext,
): Promise<readonly Execution[]> {
  const { safe, root, outcomes, full, named } = observed
  const moduleOf = (log: Decoded | undefined): Hex | undefined => log?.event.args.module as Hex | undefined
  const isFailureDoubtful = outcomes.length > 1
  if (full.length > 0)
    return full.flatMap((log, at) => {
      const outcome = full.length === outcomes.length ? outcomes[at] : undefined
      const of = { module: moduleOf(log), isFailureDoubtful }
      return fullCall(safe, log.event.args).map((call) => executionOf(safe, call, outcome, of))
    })
  // Release 1.0.0 logs nothing.
  const mayBeUnlogged = silentSafes.includes(safe) || (named.length > 0 && (await isSafe(safe)))
  if (outcomes.length === 0 && !mayBeUnlogged) return []
  if (isDirect(observed)) return [executionOf(safe, named[0], outcomes[0], { module: transaction.from })]
  const frames = tracedFrames(await trace(), safe, 'modules')
  if (frames.length > 0) {
    const isPaired =
      frames.length === outcomes.length && frames.every(({ from }, at) => from === moduleOf(outcomes[at]))
    const traced = frames.map(({ from, input }, at) => {
      const [call] = decodeCall({ from, to: safe, value: 0n, data: input }).calls
      return executionOf(safe, call, isPaired ? outcomes[at] : undefined, { module: from, isFailureDoubtful })
    })
    // A trace with fewer executions than logs is not complete.
    const missing = outcomes.slice(frames.length).map((log) => ({ module: moduleOf(log), isCertain: false }))
    return [...traced, ...missing.map((of) => executionOf(safe, undefined, undefined, of))]
  }
  return outcomes.map((log) => {
    const module = moduleOf(log)
    const isNamed = outcomes.length === 1 && root?.target === module && MODULE_CALL.test(root?.signature ?? '')
    // The module makes the call for the Safe.
    const [claimed] = isNamed ? decodeCall({ ...transaction, to: safe, data: transaction.input }).calls : []
    return executionOf(safe, claimed, log, { module, isCertain: false, isFailureDoubtful })
  })
}

/** The calls of a Safe that execute something, and that were not reverted. */
function tracedFrames(root: Frame | undefined, safe: Hex, source: Source): readonly Frame[] {
  if (root === undefined) return []
  return [...completedCalls(root)].filter(
    ({ kind, to, input }) => kind === 'call' && to === safe && SELECTORS[source].has(input.slice(0, 10)),
  )
}

const SELECTORS: Readonly<Record<Source, ReadonlySet<string>>> = {
  owners: new Set(['0x6a761202']),
  modules: new Set(['0x468721a7', '0x5229073f']),
}
export const EXECUTION_SELECTORS: readonly string[] = [...SELECTORS.owners, ...SELECTORS.modules]

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
/** Functions of modules whose arguments are what the Safe executes. */
const MODULE_CALL = /^(?:executeNextTx|execTransactionWithRole|execTransactionFromModule|executeAllowanceTransfer)/

const isExecution = ({ signature = '' }: DecodedCall): boolean => EXECUTION.test(signature)

/** The executions of Safes in a call, those inside before those around them. */
export function* executedCalls(call: DecodedCall): Generator<DecodedCall & { readonly source: Source }> {
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

const amountOf = (value: EventArgs[string] | undefined): bigint => (typeof value === 'string' ? BigInt(value) : 0n)

type Logged = { readonly call: DecodedCall; readonly fields: SafeFields; readonly nonce: number }

/** What an L2 Safe logged about a transaction of its owners. The first word of `additionalInfo` is the nonce. */
function loggedTransactions(safe: Hex, args: EventArgs): readonly Logged[] {
  const amounts = ['value', 'safeTxGas', 'baseGas', 'gasPrice'].map((name) => amountOf(args[name]))
  const [value, safeTxGas, baseGas, gasPrice] = amounts as [bigint, bigint, bigint, bigint]
  const { to, data, operation, gasToken, refundReceiver, additionalInfo } = args
  const values = [
    to,
    value,
    data,
    operation,
    safeTxGas,
    baseGas,
    gasPrice,
    gasToken,
    refundReceiver,
  ] as unknown as Values
  const logged = typeof additionalInfo === 'string' ? Number(`0x0${additionalInfo.slice(2, 66)}`) : 0
  const nonce = Number.isSafeInteger(logged) ? logged : 0
  return fullCall(safe, args).flatMap((call) => fieldsOf(values).map((fields) => ({ call, fields, nonce })))
}
