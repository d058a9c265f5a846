/**
 * What can go wrong between us and an endpoint, sorted by what it asks of the caller.
 *
 * Owns the reading of other people's error texts: providers agree on neither codes nor words, so text is asked
 * before the code (-32005 is "slow down" at one provider and "too many results" at the next).
 */
import { GatewatchError } from '../../lib/errors.ts'

export type FaultKind =
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

/** Faults that are an answer to this question rather than a weakness of the endpoint: others are not asked to repeat it. */
const ANSWERS: ReadonlySet<FaultKind> = new Set(['range'])

export type FaultFacts = { readonly retryAfterMs?: number; readonly hintBlocks?: number; readonly cause?: unknown }

/** One endpoint failed to answer one question. The message names its host alone: paths and queries carry keys. */
export class RpcFault extends GatewatchError {
  override readonly code = 'rpc_fault'
  override readonly retryable = true
  readonly host: string
  readonly kind: FaultKind
  readonly detail: string
  readonly retryAfterMs: number | undefined
  readonly hintBlocks: number | undefined

  constructor(host: string, kind: FaultKind, detail: string, facts: FaultFacts = {}) {
    super(`${host}: ${detail}`, { cause: facts.cause })
    this.host = host
    this.kind = kind
    this.detail = detail
    this.retryAfterMs = facts.retryAfterMs
    this.hintBlocks = facts.hintBlocks
  }

  get isAnswer(): boolean {
    return ANSWERS.has(this.kind)
  }
}

/** Every endpoint of a chain failed, or is resting after faults. */
export class NoEndpointError extends GatewatchError {
  override readonly code = 'no_endpoint'
  override readonly retryable = true
  readonly retryAt: number
  readonly faults: readonly RpcFault[]
  /** Endpoints that were passed over while they rest, and may answer soon. */
  readonly unasked: number

  constructor(chain: string, retryAt: number, faults: readonly RpcFault[], unasked = 0) {
    const why = faults.length === 0 ? 'all are resting after earlier faults' : faults.map((f) => f.message).join('; ')
    super(`${chain}: no endpoint answered (${why})`, { cause: faults[0] })
    this.retryAt = retryAt
    this.faults = faults
    this.unasked = unasked
  }

  /** Whether everyone who can be asked has said one of these, so that asking again would change nothing. */
  isUnanimous(...kinds: readonly FaultKind[]): boolean {
    return this.unasked === 0 && this.faults.length > 0 && this.faults.every((fault) => kinds.includes(fault.kind))
  }
}

/** The endpoint does not have what the block is known to hold: it lags, or stands on another branch. */
export class MissingError extends Error {}

/** The answer is not what the method promises; becomes the endpoint's fault where it is caught. */
export class ShapeError extends Error {}

const RANGE =
  /block range|range is too|range too|ranges? over|too many (?:blocks|logs|results)|more than \d[\d,]* (?:results|logs)|exceed\w* (?:max\w* )?(?:block )?range|(?:log )?response size|response is too (?:big|large)|limited to (?:a )?[\d,. -]*\d+k? (?:block|range)|query (?:returned|timeout|exceeds)|block span|maximum (?:number of )?blocks/i
const RATE =
  /rate.?limit|too many requests|throughput|compute units|request(?:s)? (?:limit|count)|requests per|capacity|quota|slow down|throttl/i
const MISSING =
  /unknown block|header not found|block (?:\S+ )?(?:not found|does not exist)|could not find block|future block/i
const PRUNED =
  /missing trie node|state (?:\S+ ){0,4}(?:not available|unavailable|pruned)|pruned|archive|historical state|old data not available/i
const UNSUPPORTED =
  /method (?:\S+ )?(?:not found|not supported|not available|does not exist|is not whitelisted)|unsupported method|not supported|invalid block tag|unknown (?:block )?tag|safe block not found|finalized block not found/i

/** In the words of geth, and in those of revm, which stands in anvil and reth. */
const REVERTED =
  /\brevert(?:ed)?\b|invalid opcode|out of gas|stack (?:under|over)flow|invalid jump|\b(?:InvalidFEOpcode|OpcodeNotFound|NotActivated|InvalidJump|OutOfGas|OutOfOffset|Stack(?:Under|Over)flow)\b/i
/** No such method; not these parameters (a block by hash, on old nodes); not on this plan. */
const UNSUPPORTED_CODES: ReadonlySet<number> = new Set([-32601, -32602, -32004])
const RATE_CODES: ReadonlySet<number> = new Set([429, -32005, -32016, -32029, -32097, -33200])

/** Sorts a JSON-RPC error object by its words first, then by its code. */
export function kindOfRpcError(code: number, message: string): FaultKind {
  if (code === 3 || REVERTED.test(message)) return 'reverted'
  if (RANGE.test(message)) return 'range'
  if (UNSUPPORTED.test(message) || UNSUPPORTED_CODES.has(code)) return 'unsupported'
  if (RATE.test(message) || RATE_CODES.has(code)) return 'rate'
  if (PRUNED.test(message)) return 'pruned'
  if (MISSING.test(message)) return 'missing'
  return 'server'
}

export function kindOfHttpStatus(status: number): FaultKind {
  if (status === 429 || status === 503) return 'rate'
  if (status === 401 || status === 402 || status === 403) return 'auth'
  if (status === 413) return 'range'
  return 'server'
}

const MULTIPLES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 }

/** How many blocks the provider says it would serve, where it says so; results and bytes are not blocks. */
export function hintOf(message: string): number | undefined {
  const span = /\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\]/i.exec(message)
  if (span?.[1] !== undefined && span[2] !== undefined) {
    const blocks = Number(span[2]) - Number(span[1]) + 1
    return blocks >= 1 ? blocks : undefined
  }
  const counted =
    /(?:0\s*-\s*)?(\d[\d,]*)\s*([km])?\s*(?:-?\s*blocks?\b|range\b)/i.exec(message) ??
    /(?:block range|range|maximum|max)\D{0,24}?(\d[\d,]*)\s*([km])?(?!\s*(?:results|logs|mb|kb|bytes|[\d,]))/i.exec(
      message,
    )
  if (counted?.[1] === undefined) return undefined
  const blocks = Number(counted[1].replaceAll(',', '')) * (MULTIPLES[counted[2]?.toLowerCase() ?? ''] ?? 1)
  return blocks >= 1 ? blocks : undefined
}

/** `Retry-After` in milliseconds: seconds, or an HTTP date. */
export function retryAfterOf(header: string | null | undefined, now: number): number | undefined {
  if (header === null || header === undefined) return undefined
  const seconds = Number(header)
  if (header.trim() !== '' && Number.isFinite(seconds)) return Math.max(0, seconds * 1_000)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
