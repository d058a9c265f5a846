/** Posts a message to a URL that a user configured, and reads the response as an outcome. */
import type { Clock } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import { parseRetryAfter } from '../../lib/http/retry-after.ts'
import { OutboundError, type OutboundOptions, type OutboundResponse, postOutbound } from '../outbound.ts'
import type { Failure, Outcome } from './outcome.ts'

export type PostDeps = { readonly clock: Clock; readonly outbound: OutboundOptions }

export type Post = {
  readonly url: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** What a refusal of a recipient means. Users read `detail`, so it never quotes a response. */
export type Refusal = Pick<Failure, 'isGone' | 'isRejected'> & { readonly detail?: string }

export type Recipient = {
  /** Begins sentences about it: "The webhook". */
  readonly name: string
  readonly readRefusal: (response: OutboundResponse) => Refusal
}

/** A longer Retry-After is cut to this, so that a mistake of a recipient does not silence it for a day. */
const LONGEST_PAUSE_MS = 3_600_000

export async function postForOutcome(
  { clock, outbound }: PostDeps,
  { url, body, headers }: Post,
  { name, readRefusal }: Recipient,
): Promise<Outcome> {
  const allHeaders = { 'content-type': 'application/json', 'user-agent': 'gatewatch', ...headers }
  try {
    const response = await postOutbound(url, { body, headers: allHeaders }, outbound)
    const { status, retryAfter } = response
    if (status >= 200 && status < 300) return { ok: true, status }
    const { detail = `status ${status}`, ...refusal } = readRefusal(response)
    const requestedMs = parseRetryAfter(retryAfter, clock.now())
    const pause = requestedMs === undefined ? {} : { pauseAtLeastMs: Math.min(requestedMs, LONGEST_PAUSE_MS) }
    return { ok: false, reason: `${name} returned ${detail}.`, status, ...refusal, ...pause }
  } catch (error) {
    const isForbidden = error instanceof OutboundError && !error.retryable
    const isUncertain = error instanceof OutboundError && error.isConnected
    return {
      ok: false,
      reason: reasonOf(error),
      ...(isForbidden && { isForbidden }),
      ...(isUncertain && { isUncertain }),
    }
  }
}
