/**
 * RPC errors, classified by what the caller should do.
 *
 * Providers agree on neither codes nor messages, so the message is classified before the code: -32005 means "rate
 * limit" at one provider and "too many results" at another.
 */
import { GatewatchError } from '../../lib/errors.ts'

export type RpcErrorKind =
  | 'network' // no response, or a broken one
  | 'timeout'
  | 'rate' // rate limit: wait
  | 'auth' // the API key is wrong or its quota is spent: a retry does not help soon
  | 'server' // the endpoint reported a failure
  | 'shape' // the response is malformed or belongs to another request
  | 'chain' // the endpoint serves another chain
  | 'range' // too many blocks or results in one request: narrow it
  | 'missing' // the endpoint does not have the block (yet)
  | 'pruned' // the endpoint no longer has the state of that block
  | 'unsupported' // the endpoint does not support the method or the block tag
  | 'reverted' // the contract call reverted
  | 'aborted' // the contract call took the endpoint too long

/** Caused by the request in normal operation. They are no fault of the endpoint. */
export const REFUSALS: ReadonlySet<RpcErrorKind> = new Set([
  'range',
  'missing',
  'pruned',
  'unsupported',
  'reverted',
  'aborted',
])

const OVERLOAD_KINDS: ReadonlySet<RpcErrorKind> = new Set(['timeout', 'network', 'server', 'shape'])

export type RpcErrorDetails = { readonly retryAfterMs?: number; readonly hint?: RangeHint; readonly cause?: unknown }

/** One request to one endpoint failed. The message names the host only: paths and queries carry API keys. */
export class RpcError extends GatewatchError {
  override readonly code = 'rpc_error'
  override readonly retryable = true
  readonly host: string
  readonly kind: RpcErrorKind
  readonly detail: string
  readonly retryAfterMs: number | undefined
  readonly hint: RangeHint | undefined

  constructor(host: string, kind: RpcErrorKind, detail: string, details: RpcErrorDetails = {}) {
    super(`${host}: ${detail}`, { cause: details.cause })
    this.host = host
    this.kind = kind
    this.detail = detail
    this.retryAfterMs = details.retryAfterMs
    this.hint = details.hint
  }

  /**
   * Whether the block range may have been too wide although the error does not state it: a timeout, a truncated
   * response, or a limit that the message does not name.
   */
  get mayBeTooWide(): boolean {
    return OVERLOAD_KINDS.has(this.kind) || (this.kind === 'rate' && /: limit exceeded\b/i.test(this.detail))
  }
}

/** Every endpoint of a chain failed, or is suspended after errors. */
export class NoEndpointError extends GatewatchError {
  override readonly code = 'no_endpoint'
  override readonly retryable = true
  readonly retryAt: number
  readonly errors: readonly RpcError[]
  /** Endpoints that were skipped because they are suspended, and may respond soon. */
  readonly skipped: number

  constructor(chain: string, retryAt: number, errors: readonly RpcError[], skipped = 0) {
    const why = errors.length === 0 ? 'all are suspended after earlier errors' : errors.map((f) => f.message).join('; ')
    super(`${chain}: no endpoint responded (${why})`, { cause: errors[0] })
    this.retryAt = retryAt
    this.errors = errors
    this.skipped = skipped
  }

  /** Whether every endpoint returned one of these kinds, so that a retry would not help. */
  isUnanimous(...kinds: readonly RpcErrorKind[]): boolean {
    return this.skipped === 0 && this.errors.length > 0 && this.errors.every((error) => kinds.includes(error.kind))
  }
}

/** No endpoint has a block that must exist: the endpoint lags behind the head it reported. */
export class BlockMissingError extends GatewatchError {
  override readonly code = 'block_missing'
  override readonly retryable = true
  constructor(chain: string, block: number) {
    super(`${chain}: no endpoint has block ${block} yet`)
  }
}

/** The endpoint lacks data the block is known to have: it lags, or follows another branch. */
export class NotFoundError extends Error {}

/** The response does not match the method's specification. Becomes an `RpcError` where it is caught. */
export class MalformedError extends Error {}

/** Messages about a range that is too wide. */
const RANGE =
  /block range|blocks? range|range (?:is )?too|ranges? over|too many (?:blocks|logs|results|topics|addresses)|more than [\d,]+k? (?:results|logs)|exceed\w* (?:the )?(?:max\w* )?(?:allowed )?(?:block )?range|exceeds the range|max(?:imum)?(?: allowed)? range|max(?:imum)? results|limit of [\d,]+k? (?:results|logs|blocks)|logs matched by query|response (?:size|is too (?:big|large)|too (?:big|large))|(?:query|log query) (?:returned|timed out|timeout|exceeds)|limited to (?:a )?[\d,. -]*\d+k? (?:block|range)|at most [\d,]+k? blocks|block span|maximum (?:allowed )?(?:number of )?(?:requested )?blocks|range limit exceeded/i
/** The end of the range does not exist yet: a narrower range would not help. */
const BEYOND_HEAD =
  /beyond (?:the )?(?:current )?head|(?:greater|higher) than (?:the )?(?:latest|head|current)|invalid block range params|block ?out ?of ?range/i
const RATE =
  /rate.?limit|too many requests|throughput|compute units|request(?:s)? (?:limit|count)|requests per|capacity|quota|slow down|throttl|backend is currently healthy/i
const MISSING =
  /unknown block|header (?:\S+ ){0,3}not found|block (?:\S+ )?(?:not found|does not exist)|could not find block|cannot find block|future block|not currently canonical|resource not found/i
const PRUNED =
  /missing trie node|requested block is too old|maximum proof window|state (?:\S+ ){0,4}(?:not available|unavailable|pruned)|pruned|archive|historical state|old data not available|history (?:\S+ ){0,3}(?:unavailable|not available)/i
const NO_SUCH_TAG = /invalid block tag|unknown (?:block )?tag|(?:safe|finalized) block not found/i
const UNSUPPORTED =
  /method (?:\S+ )?(?:not found|not supported|not available|does not exist|is not whitelisted)|unsupported method|not supported|specify an address|not (?:available|included|enabled) (?:on|in|for) (?:the |your |this )?(?:\S+ ){0,3}(?:tier|plan)/i

/** Every way that code may fail: messages of geth, then names of revm, which anvil and reth use. */
const REVERTED =
  /\brevert(?:ed)?\b|invalid opcode|out of gas|gas uint64 overflow|stack (?:(?:under|over)flow|limit reached)|invalid jump|return data out of bounds|write protection|max (?:initcode|code) size exceeded|invalid code: must not begin|contract address collision|max call depth|nonce uint64 overflow|VM execution error|\b(?:InvalidFEOpcode|OpcodeNotFound|NotActivated|InvalidJump|OutOfGas|\w+OOG|OutOfOffset|Stack(?:Under|Over)flow|Create(?:Collision|ContractSizeLimit|ContractStartingWithEF|InitCodeSizeLimit)|NonceOverflow|StateChangeDuringStaticCall|CallNotAllowedInsideStatic|CallTooDeep|PrecompileError)\b/i
/** Unknown method; unsupported parameters (a block by hash, on old nodes); not included in the plan. */
const UNSUPPORTED_CODES: ReadonlySet<number> = new Set([-32601, -32602, -32004])
const RATE_CODES: ReadonlySet<number> = new Set([429, -32005, -32016, -32029, -32097, -33200])

const BY_MESSAGE: readonly (readonly [RegExp, RpcErrorKind])[] = [
  [REVERTED, 'reverted'],
  [/execution (?:aborted|timeout)/i, 'aborted'],
  [BEYOND_HEAD, 'missing'],
  [RANGE, 'range'],
  [NO_SUCH_TAG, 'unsupported'],
  [RATE, 'rate'],
  [PRUNED, 'pruned'],
  [MISSING, 'missing'],
  [UNSUPPORTED, 'unsupported'],
]

/** Only the beginning of a message is matched, because the endpoint decides its length. */
const MATCHED_CHARACTERS = 1_000

/** Classifies a JSON-RPC error by its message first, then by its code. */
export function classifyRpcError(code: number, message: string): RpcErrorKind {
  if (code === 3) return 'reverted'
  if (code === 4444) return 'pruned' // https://eips.ethereum.org/EIPS/eip-4444
  const text = message.slice(0, MATCHED_CHARACTERS)
  const match = BY_MESSAGE.find(([pattern]) => pattern.test(text))
  if (match !== undefined) return match[1]
  if (UNSUPPORTED_CODES.has(code)) return 'unsupported'
  return RATE_CODES.has(code) ? 'rate' : 'server'
}

/** Classifies an error with an HTTP status: by its message, and by the status where the message matches nothing. */
export function classifyHttpError(status: number, code: number, message: string): RpcErrorKind {
  const kind = classifyRpcError(code, message)
  return kind === 'server' ? classifyHttpStatus(status) : kind
}

export function classifyHttpStatus(status: number): RpcErrorKind {
  if (status === 429 || status === 503) return 'rate'
  if (status === 401 || status === 402 || status === 403) return 'auth'
  if (status === 413) return 'range'
  return 'server'
}

const MULTIPLES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 }

/** The range a provider would serve. A limit holds for every request, a suggestion for the refused one. */
export type RangeHint = { readonly blocks: number; readonly isLimit: boolean }

const SUGGESTED = /\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\]/i
const SUGGESTED_DECIMAL = /with the range (\d+)\s*-\s*(\d+)/i

/** Reads the number of blocks from an error message, if it states one. Numbers of results and bytes do not count. */
export function rangeHintOf(message: string): RangeHint | undefined {
  const text = message.slice(0, MATCHED_CHARACTERS)
  const span = SUGGESTED.exec(text) ?? SUGGESTED_DECIMAL.exec(text)
  if (span?.[1] !== undefined && span[2] !== undefined) {
    const blocks = Number(span[2]) - Number(span[1]) + 1
    return blocks >= 1 ? { blocks, isLimit: false } : undefined
  }
  const counted =
    /(?:0\s*-\s*)?(\d[\d,]*)\s*([km]\b)?\s*(?:-?\s*blocks?\b|range\b)/i.exec(text) ??
    /(?:block range|range|maximum|max)\D{0,48}?(\d[\d,]*)\s*([km]\b)?(?!\s*(?:results|logs|mb|kb|bytes|[\d,]))/i.exec(
      text,
    )
  if (counted?.[1] === undefined || /results\W*$/i.test(text.slice(0, counted.index + counted[0].indexOf(counted[1]))))
    return undefined
  const blocks = Number(counted[1].replaceAll(',', '')) * (MULTIPLES[counted[2]?.toLowerCase() ?? ''] ?? 1)
  return blocks >= 1 ? { blocks, isLimit: true } : undefined
}
