/**
 * The calls that a transaction made, as the node executed them. Not every node can trace: `debug_traceTransaction` of geth and its
 * relatives, or `trace_transaction` of others.
 */
import type { Hex } from '../../lib/hex.ts'
import { parseAddress, parseHex, parseList, parseObject, type Transaction } from './parse.ts'
import type { RpcRequest } from './requests.ts'
import { MalformedError, NotFoundError } from './rpc-error.ts'

/** A call, and the calls that it made in turn, in order. */
export type Frame = {
  readonly kind: 'call' | 'delegatecall' | 'other'
  readonly from: Hex
  /** Undefined for the creation of a contract that failed. */
  readonly to: Hex | undefined
  readonly input: Hex
  /** Whether it reverted, and with it all that it called. */
  readonly hasFailed: boolean
  readonly calls: readonly Frame[]
}

/** Calls nest up to 1,024 levels, each of them an object in a list. */
const LIMITS = { maxBytes: 32 * 1_048_576, maxDepth: 2_100, heavy: true, tooLarge: 'range' } as const

/** The calls of a transaction, below the call that the transaction itself makes. */
export function traceTransaction(transaction: Pick<Transaction, 'hash' | 'from' | 'input'>): RpcRequest<Frame> {
  const checked = (root: Frame): Frame => {
    if (root.from !== transaction.from || root.input !== transaction.input)
      throw new MalformedError('the trace is that of another transaction')
    return root
  }
  return {
    method: 'debug_traceTransaction',
    params: [transaction.hash, { tracer: 'callTracer' }],
    ...LIMITS,
    parse: (result) => checked(parseFrame(found(result))),
    fallback: {
      method: 'trace_transaction',
      params: [transaction.hash],
      ...LIMITS,
      parse: (result) => checked(parseFlat(found(result))),
    },
  }
}

function found(result: unknown): unknown {
  if (result === null) throw new NotFoundError('the endpoint does not have the transaction')
  return result
}

const kindOf = (type: unknown): Frame['kind'] => {
  const name = typeof type === 'string' ? type.toLowerCase() : ''
  return name === 'call' || name === 'delegatecall' ? name : 'other'
}

const addressOf = (value: unknown): Hex | undefined =>
  value === undefined || value === null ? undefined : parseAddress(value, 'trace.to')

function parseFrame(value: unknown): Frame {
  const frame = parseObject(value, 'trace')
  return {
    kind: kindOf(frame.type),
    from: parseAddress(frame.from, 'trace.from'),
    to: addressOf(frame.to),
    input: parseHex(frame.input ?? '0x', 'trace.input'),
    hasFailed: frame.error !== undefined && frame.error !== null,
    calls:
      frame.calls === undefined || frame.calls === null ? [] : parseList(frame.calls, 'trace.calls').map(parseFrame),
  }
}

type Draft = Frame & { readonly calls: Draft[] }

/** A list in which each call has its path from the root: calls come before those that they make. */
function parseFlat(value: unknown): Frame {
  const byPath = new Map<string, Draft>()
  for (const item of parseList(value, 'traces')) {
    const { action, type, error, traceAddress } = parseObject(item, 'trace')
    const { from, to, init, input, callType, address } = parseObject(action, 'trace.action')
    const path = parseList(traceAddress, 'trace.traceAddress').map(Number)
    const draft: Draft = {
      kind: type === 'call' ? kindOf(callType) : 'other',
      from: parseAddress(from ?? address, 'trace.from'),
      to: addressOf(to),
      input: parseHex(input ?? init ?? '0x', 'trace.input'),
      hasFailed: error !== undefined && error !== null,
      calls: [],
    }
    byPath.set(path.join(), draft)
    if (path.length > 0) {
      const parent = byPath.get(path.slice(0, -1).join())
      if (parent === undefined) throw new MalformedError('a trace precedes the call that contains it')
      parent.calls.push(draft)
    }
  }
  const root = byPath.get('')
  if (root === undefined) throw new MalformedError('the traces have no root')
  return root
}

/** The calls that were not reverted, those inside before those around them, as their logs are. */
export function* completedCalls(frame: Frame): Generator<Frame> {
  if (frame.hasFailed) return
  for (const inner of frame.calls) yield* completedCalls(inner)
  yield frame
}
