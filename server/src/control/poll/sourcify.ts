/**
 * One question to Sourcify (https://docs.sourcify.dev/docs/api, version 2): is the source of this contract published?
 *
 * Owns the call and what counts as an answer. An answer must be about the contract that was asked about; everything
 * else is no answer, and never a no. The URL may carry a key, so no URL leaves this file.
 */
import { z } from 'zod'
import { GatewatchError, systemCodeOf } from '../../lib/errors.ts'
import { parseRetryAfter } from '../../lib/retry-after.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { hostOf, ResponseTooLargeError, readLimited, splitCredentials } from '../rpc/transport.ts'

export class SourcifyError extends GatewatchError {
  override readonly code = 'sourcify_failed'
  override readonly retryable = true
  /** It was not about the question: any other would have failed as well. */
  readonly isPassing: boolean
  readonly retryAfterMs: number | undefined
  constructor(
    message: string,
    facts: { readonly isPassing: boolean; readonly retryAfterMs?: number | undefined; readonly cause?: unknown },
  ) {
    super(message, { cause: facts.cause })
    this.isPassing = facts.isPassing
    this.retryAfterMs = facts.retryAfterMs
  }
}

export type Sourcify = {
  readonly host: string
  readonly isPublished: (ref: ContractRef, signal?: AbortSignal) => Promise<boolean>
}

const TIMEOUT_MS = 15_000
/** An answer has some hundred. */
const MOST_BYTES = 64 * 1024

export function createSourcify({
  url,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly url: string
  readonly timeoutMs?: number
}): Sourcify {
  const [base, authorization] = splitCredentials(url)
  const headers = { accept: 'application/json', 'user-agent': 'gatewatch', ...authorization }
  return {
    host: hostOf(url),
    isPublished: async (ref, signal) => {
      const limit = AbortSignal.timeout(timeoutMs)
      let response: Response
      let text: string
      try {
        response = await fetch(`${base.replace(/\/+$/, '')}/v2/contract/${ref.chainId}/${ref.address}`, {
          headers,
          signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
          redirect: 'error',
        })
        text = await readLimited(response, MOST_BYTES)
      } catch (error) {
        const isTooLarge = error instanceof ResponseTooLargeError
        const why = isTooLarge ? 'answers too much' : `does not answer (${whyOf(error)})`
        throw new SourcifyError(`Sourcify ${why}`, { isPassing: !isTooLarge, cause: error })
      }
      const { status } = response
      const answer = parseResponse(status, text, ref)
      if (answer !== undefined) return answer
      throw new SourcifyError(`Sourcify answered ${status}${status < 400 ? ' and something else than asked' : ''}`, {
        isPassing: status === 429 || status >= 500,
        retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
      })
    },
  }
}

/** What has no source is 404, with the same body; a 404 without it is a wrong address, or a chain Sourcify does not know. */
const body = z.object({
  match: z.enum(['match', 'exact_match']).nullable(),
  chainId: z.string(),
  address: z.string(),
})

/** Undefined where it is no answer to this question. */
export function parseResponse(status: number, text: string, { chainId, address }: ContractRef): boolean | undefined {
  if (status !== 200 && status !== 404) return undefined
  const { data: said } = body.safeParse(jsonOf(text))
  if (said === undefined || said.chainId !== String(chainId) || said.address.toLowerCase() !== address) return undefined
  if (status === 404 && said.match !== null) return undefined
  return said.match !== null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** fetch hides the reason behind "fetch failed". */
const whyOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return systemCodeOf(cause) ?? (cause instanceof Error ? cause.name : 'no reason given')
}
