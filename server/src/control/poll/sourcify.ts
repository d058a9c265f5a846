/**
 * Client for Sourcify's API version 2 (https://docs.sourcify.dev/docs/api): is the source of a contract published?
 *
 * A response must name the requested contract. Any other response is an error, never a no. The URL may contain a key, so
 * no URL leaves this file.
 */
import { z } from 'zod'
import { GatewatchError, reasonOf, systemCodeOf } from '../../lib/errors.ts'
import { parseRetryAfter } from '../../lib/http/retry-after.ts'
import { type CheckResult, failed, passed } from '../../platform/checks/check-result.ts'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import type { ContractRef } from '../registry/contracts.ts'
import { ResponseTooLargeError } from '../rpc/json-reader.ts'
import { hostOf, readText, splitCredentials } from '../rpc/transport.ts'

export class SourcifyError extends GatewatchError {
  override readonly code = 'sourcify_failed'
  override readonly retryable = true
  /** Not caused by the contract: any other request would have failed too. */
  readonly isTemporary: boolean
  readonly retryAfterMs: number | undefined
  constructor(
    message: string,
    facts: { readonly isTemporary: boolean; readonly retryAfterMs?: number | undefined; readonly cause?: unknown },
  ) {
    super(message, { cause: facts.cause })
    this.isTemporary = facts.isTemporary
    this.retryAfterMs = facts.retryAfterMs
  }
}

export type Sourcify = {
  readonly host: string
  readonly isPublished: (ref: ContractRef, signal?: AbortSignal) => Promise<boolean>
}

const TIMEOUT_MS = 15_000
/** A response has some hundred bytes. */
const MAX_BYTES = 64 * 1024

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
        text = await readText(response, MAX_BYTES)
      } catch (error) {
        const isTooLarge = error instanceof ResponseTooLargeError
        const why = isTooLarge ? 'returned too much data' : `did not respond (${causeOf(error)})`
        throw new SourcifyError(`Sourcify ${why}`, { isTemporary: !isTooLarge, cause: error })
      }
      const { status } = response
      const isPublished = parseResponse(status, text, ref)
      if (isPublished !== undefined) return isPublished
      throw new SourcifyError(`Sourcify returned ${status}${status < 400 ? ' with an unexpected body' : ''}`, {
        isTemporary: status === 429 || status >= 500,
        retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
      })
    },
  }
}

/** A contract without source is a 404 with this body. Another 404 is a wrong URL or a chain Sourcify does not support. */
const body = z.object({
  match: z.enum(['match', 'exact_match']).nullable(),
  chainId: z.string(),
  address: z.string(),
})

/** Undefined where the response is not about this contract. */
export function parseResponse(status: number, text: string, { chainId, address }: ContractRef): boolean | undefined {
  if (status !== 200 && status !== 404) return undefined
  const { data } = body.safeParse(jsonOf(text))
  if (data === undefined || data.chainId !== String(chainId) || data.address.toLowerCase() !== address) return undefined
  if (status === 404 && data.match !== null) return undefined
  return data.match !== null
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `fetch` hides the cause behind "fetch failed". */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return systemCodeOf(cause) ?? (cause instanceof Error ? cause.name : 'no reason given')
}

/** The zero address on a chain that every Sourcify supports: any valid response will do. */
const CONTRACT = { chainId: 1, address: ZERO_ADDRESS } as const

/** Checks whether Sourcify responds at the configured URL. */
export async function checkSourcify(url: string): Promise<CheckResult> {
  const sourcify = createSourcify({ url })
  const about = `sourcify ${sourcify.host}`
  try {
    await sourcify.isPublished(CONTRACT)
    return passed(about, 'It responds.')
  } catch (error) {
    return failed(about, `${reasonOf(error)}.`, 'Check SOURCIFY_URL, without /v2 at its end.')
  }
}
