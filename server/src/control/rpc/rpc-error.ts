/**
 * What can go wrong between us and an endpoint, sorted by what it asks of the caller.
 *
 * Owns the reading of other people's error texts: providers agree on neither codes nor words, so text is asked
 * before the code (-32005 is "slow down" at one provider and "too many results" at the next).
 */
import { GatewatchError } from '../../lib/errors.ts'

export type RpcErrorKind =
  | 'network' // no answer, or a broken one
  | 'timeout'
  | 'rate' // asked too often: wait
  | 'auth' // the key is wrong or spent: asking again will not help soon
  | 'server' // it answered that it failed
  | 'shape' // it answered something else than it was asked
  | 'chain' // it serves another chain
  | 'range' // too many blocks or results in one question: ask for less
  | 'missing' // it does not have the block (yet)
  | 'pruned' // it no longer has the state of that block
  | 'unsupported' // it does not know the method or the tag
  | 'reverted' // the contract refused the call: that is its answer

const DROWNING: ReadonlySet<RpcErrorKind> = new Set(['timeout', 'network', 'server', 'shape'])

export type RpcErrorDetails = { readonly retryAfterMs?: number; readonly hint?: RangeHint; readonly cause?: unknown }

/** One endpoint failed to answer one question. The message names its host alone: paths and queries carry keys. */
export class RpcError extends GatewatchError {
  override readonly code = 'rpc_fault'
  override readonly retryable = true
  readonly host: string
  readonly kind: RpcErrorKind
  readonly detail: string
  readonly retryAfterMs: number | undefined
  readonly hint: RangeHint | undefined

  constructor(host: string, kind: RpcErrorKind, detail: string, facts: RpcErrorDetails = {}) {
    super(`${host}: ${detail}`, { cause: facts.cause })
    this.host = host
    this.kind = kind
    this.detail = detail
    this.retryAfterMs = facts.retryAfterMs
    this.hint = facts.hint
  }

  /**
   * Whether a range of blocks may have been too much for the endpoint, though it did not say so: it ran out of time,
   * its answer was cut off, or it spoke of a limit without saying of what.
   */
  get mayBeTooWide(): boolean {
    return DROWNING.has(this.kind) || (this.kind === 'rate' && /: limit exceeded\b/i.test(this.detail))
  }
}

/** Every endpoint of a chain failed, or is resting after errors. */
export class NoEndpointError extends GatewatchError {
  override readonly code = 'no_endpoint'
  override readonly retryable = true
  readonly retryAt: number
  readonly errors: readonly RpcError[]
  /** Endpoints that were passed over while they rest, and may answer soon. */
  readonly skipped: number

  constructor(chain: string, retryAt: number, errors: readonly RpcError[], skipped = 0) {
    const why = errors.length === 0 ? 'all are resting after earlier errors' : errors.map((f) => f.message).join('; ')
    super(`${chain}: no endpoint answered (${why})`, { cause: errors[0] })
    this.retryAt = retryAt
    this.errors = errors
    this.skipped = skipped
  }

  /** Whether everyone who can be asked has said one of these, so that asking again would change nothing. */
  isUnanimous(...kinds: readonly RpcErrorKind[]): boolean {
    return this.skipped === 0 && this.errors.length > 0 && this.errors.every((fault) => kinds.includes(fault.kind))
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

/** The endpoint does not have what the block is known to hold: it lags, or stands on another branch. */
export class NotFoundError extends Error {}

/** The answer is not what the method promises; becomes the endpoint's fault where it is caught. */
export class MalformedError extends Error {}

/** Words for a question that was too wide. */
const RANGE =
  /block range|blocks? range|range (?:is )?too|ranges? over|too many (?:blocks|logs|results|topics|addresses)|more than [\d,]+k? (?:results|logs)|exceed\w* (?:the )?(?:max\w* )?(?:allowed )?(?:block )?range|exceeds the range|max(?:imum)?(?: allowed)? range|max(?:imum)? results|limit of [\d,]+k? (?:results|logs|blocks)|logs matched by query|response (?:size|is too (?:big|large)|too (?:big|large))|(?:query|log query) (?:returned|timed out|timeout|exceeds)|limited to (?:a )?[\d,. -]*\d+k? (?:block|range)|at most [\d,]+k? blocks|block span|maximum (?:allowed )?(?:number of )?(?:requested )?blocks|range limit exceeded/i
/** The end of the range is not there yet: asking for less of it would not help. */
const BEYOND_HEAD =
  /beyond (?:the )?(?:current )?head|(?:greater|higher) than (?:the )?(?:latest|head|current)|invalid block range params|block ?out ?of ?range/i
const RATE =
  /rate.?limit|too many requests|throughput|compute units|request(?:s)? (?:limit|count)|requests per|capacity|quota|slow down|throttl|backend is currently healthy/i
const MISSING =
  /unknown block|header (?:\S+ ){0,3}not found|block (?:\S+ )?(?:not found|does not exist)|could not find block|cannot find block|future block|not currently canonical|resource not found/i
const PRUNED =
  /missing trie node|state (?:\S+ ){0,4}(?:not available|unavailable|pruned)|pruned|archive|historical state|old data not available|history (?:\S+ ){0,3}(?:unavailable|not available)/i
const NO_SUCH_TAG = /invalid block tag|unknown (?:block )?tag|(?:safe|finalized) block not found/i
const UNSUPPORTED =
  /method (?:\S+ )?(?:not found|not supported|not available|does not exist|is not whitelisted)|unsupported method|not supported|specify an address/i

/** In the words of geth, and in those of revm, which stands in anvil and reth. */
const REVERTED =
  /\brevert(?:ed)?\b|invalid opcode|out of gas|stack (?:under|over)flow|invalid jump|\b(?:InvalidFEOpcode|OpcodeNotFound|NotActivated|InvalidJump|OutOfGas|OutOfOffset|Stack(?:Under|Over)flow)\b/i
/** No such method; not these parameters (a block by hash, on old nodes); not on this plan. */
const UNSUPPORTED_CODES: ReadonlySet<number> = new Set([-32601, -32602, -32004])
const RATE_CODES: ReadonlySet<number> = new Set([429, -32005, -32016, -32029, -32097, -33200])

const BY_WORDS: readonly (readonly [RegExp, RpcErrorKind])[] = [
  [REVERTED, 'reverted'],
  [BEYOND_HEAD, 'missing'],
  [RANGE, 'range'],
  [NO_SUCH_TAG, 'unsupported'],
  [RATE, 'rate'],
  [PRUNED, 'pruned'],
  [MISSING, 'missing'],
  [UNSUPPORTED, 'unsupported'],
]

/** Only the beginning of a text is read: whoever writes it decides how long it is. */
const READ_CHARACTERS = 1_000

/** Sorts a JSON-RPC error object by its words first, then by its code. */
export function classifyRpcError(code: number, message: string): RpcErrorKind {
  if (code === 3) return 'reverted'
  if (code === 4444) return 'pruned' // https://eips.ethereum.org/EIPS/eip-4444
  const text = message.slice(0, READ_CHARACTERS)
  const said = BY_WORDS.find(([words]) => words.test(text))
  if (said !== undefined) return said[1]
  if (UNSUPPORTED_CODES.has(code)) return 'unsupported'
  return RATE_CODES.has(code) ? 'rate' : 'server'
}

/** What an error beside an HTTP status says: the text where it is telling, else the status. */
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

/** What a provider says it would serve. A `limit` holds for every question, a suggestion for the one it refused. */
export type RangeHint = { readonly blocks: number; readonly isLimit: boolean }

const SUGGESTED = /\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\]/i
const SUGGESTED_DECIMAL = /with the range (\d+)\s*-\s*(\d+)/i

/** How many blocks to ask for, where the text says so; results and bytes are not blocks. */
export function rangeHintOf(message: string): RangeHint | undefined {
  const text = message.slice(0, READ_CHARACTERS)
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
