/**
 * A reply's body → the answer to each question, or the one word with which all were refused.
 *
 * Owns the outer shape of JSON-RPC, with the liberties that endpoints take with it.
 */
import { reasonOf } from '../../lib/errors.ts'
import type { RpcRequest } from './requests.ts'
import {
  classifyHttpError,
  classifyHttpStatus,
  classifyRpcError,
  MalformedError,
  NotFoundError,
  RpcError,
  type RpcErrorDetails,
  type RpcErrorKind,
  rangeHintOf,
} from './rpc-error.ts'
import { ResponseTooLargeError } from './transport.ts'

export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

export function answersOf(body: unknown, ids: readonly number[]): ReadonlyMap<number, Answer> {
  const items: readonly unknown[] = Array.isArray(body) ? body : [body]
  if (ids.length > 1 && !Array.isArray(body)) {
    // Some providers answer a whole batch with one error object.
    if (errorTextOf(body) !== undefined) throw new RefusedError(200, body, undefined)
    throw new MalformedError('a batch was not answered with a list')
  }
  const answers = new Map<number, Answer>()
  for (const item of items) {
    if (typeof item !== 'object' || item === null) throw new MalformedError('an answer is not an object')
    const message = errorTextOf(item)
    const single = ids.length === 1 ? ids[0] : undefined
    // An error may come without an id when the node could not read the question.
    const key = idOf(item) ?? (message === undefined ? undefined : single)
    if (key === undefined || !ids.includes(key)) throw new MalformedError('an answer belongs to no question')
    if (message !== undefined) answers.set(key, { error: { code: errorCodeOf(item), message } })
    else if ('result' in item) answers.set(key, { result: item.result })
    else throw new MalformedError('an answer has neither result nor error')
  }
  return answers
}

/** Some give numbers back as text. */
function idOf(item: object): number | undefined {
  const id = (item as { id?: unknown }).id
  return typeof id === 'number' ? id : typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : undefined
}

function errorTextOf(body: unknown): string | undefined {
  const error = (body as { error?: unknown } | null | undefined)?.error
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return undefined
  const message = (error as { message?: unknown }).message
  return typeof message === 'string' ? message : 'error without a message'
}

function errorCodeOf(body: unknown): number {
  const code = Number((body as { error?: { code?: unknown } } | null | undefined)?.error?.code)
  return Number.isSafeInteger(code) ? code : 0
}

/** Everything that was asked together was refused with one word. */
export class RefusedError extends Error {
  readonly status: number
  readonly text: string | undefined
  readonly rpcCode: number
  readonly retryAfterMs: number | undefined
  constructor(status: number, body: unknown, retryAfterMs: number | undefined) {
    super(`HTTP ${status}`)
    this.status = status
    this.text = errorTextOf(body)
    this.rpcCode = errorCodeOf(body)
    this.retryAfterMs = retryAfterMs
  }
}

/** Statuses of gateways whose node is away: they say nothing about batches. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504, 520, 521, 522, 523, 524])
const NOT_OF_THE_BATCH: ReadonlySet<RpcErrorKind> = new Set(['rate', 'auth', 'timeout', 'network', 'chain'])

/** Providers have codes of their own for it, some of which mean "slow down" elsewhere. */
export const speaksOfBatches = ({ kind, detail }: RpcError): boolean => kind !== 'reverted' && /batch/i.test(detail)

/** Whether smaller batches may fare better. */
export function isOfTheBatch(error: unknown, fault: RpcError): boolean {
  if (error instanceof RefusedError && GATEWAY.has(error.status)) return false
  return speaksOfBatches(fault) || !NOT_OF_THE_BATCH.has(fault.kind)
}

export type Outcome = { readonly value: unknown } | RpcError

export type Faults = {
  readonly as: (kind: RpcErrorKind, detail: string, facts?: RpcErrorDetails) => RpcError
  /** Whatever was thrown, as a fault of the endpoint. */
  readonly of: (error: unknown, method?: string) => RpcError
  readonly outcomeOf: (
    question: RpcRequest<unknown>,
    answer: Answer | undefined,
    retryAfterMs: number | undefined,
  ) => Outcome
}

/** Faults of one endpoint: named by its host, and cleaned of what is secret in its address. */
export function faultsOf(host: string, secrets: readonly string[]): Faults {
  const as: Faults['as'] = (kind, detail, facts) =>
    new RpcError(host, kind, cleanOf(detail, secrets).slice(0, LONGEST_DETAIL), facts)

  const of: Faults['of'] = (error, method) => {
    if (error instanceof RpcError) return error
    if (error instanceof ResponseTooLargeError) return as('range', error.message)
    if (error instanceof RefusedError) return ofRefusal(error)
    const about = method === undefined ? '' : `${method}: `
    if (error instanceof NotFoundError) return as('missing', `${about}${error.message}`, { cause: error })
    if (error instanceof MalformedError || error instanceof SyntaxError)
      return as('shape', `${about}${error.message}`, { cause: error })
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return as('network', `cannot be reached: ${reasonOf(cause)}`, { cause: error })
  }

  const ofRefusal = ({ status, text, rpcCode, retryAfterMs }: RefusedError): RpcError => {
    const after = optional('retryAfterMs', retryAfterMs)
    if (text === undefined) return as(classifyHttpStatus(status), `HTTP ${status}`, after)
    const kind = classifyHttpError(status, rpcCode, text)
    return as(kind, `HTTP ${status}: ${text}`, { ...after, ...optional('hint', rangeHintOf(text)) })
  }

  return {
    as,
    of,
    outcomeOf: (question, answer, retryAfterMs) => {
      try {
        if (answer === undefined) throw new MalformedError('a batch came back without one of its answers')
        if (!('error' in answer)) return { value: question.parse(answer.result) }
        const { code, message } = answer.error
        const kind = classifyRpcError(code, message)
        return as(kind, `${question.method}: ${message} (${code})`, {
          ...optional('hint', kind === 'range' ? rangeHintOf(message) : undefined),
          ...optional('retryAfterMs', retryAfterMs),
        })
      } catch (error) {
        return of(error, question.method)
      }
    },
  }
}

const LONGEST_DETAIL = 300

/** A provider's own words may name the key they refuse. */
function cleanOf(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text.slice(0, 2_000))
}

/** `exactOptionalPropertyTypes` wants an absent field, not an undefined one. */
function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
}
