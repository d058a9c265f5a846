/**
 * Client for Sourcify's API version 2 (https://docs.sourcify.dev/docs/api): is the source of a contract published, and what
 * is its storage layout?
 *
 * A response must name the requested contract. Any other response is an error, never a no. The URL may contain a key, so
 * no URL leaves this file.
 */
import { z } from 'zod'
import { GatewatchError, reasonOf, systemCodeOf } from '../../lib/errors.ts'
import { parseRetryAfter } from '../../lib/http/retry-after.ts'
import { type CheckResult, failed, passed } from '../../platform/checks/check-result.ts'
import { ZERO_ADDRESS } from '../chains/chains.ts'
import type { StorageLayout } from '../profile/storage-layouts.ts'
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
  /** Undefined if the source is not published, or its compiler writes no layout. */
  readonly findLayout: (ref: ContractRef, signal?: AbortSignal) => Promise<StorageLayout | undefined>
}

const TIMEOUT_MS = 15_000
/** A response has some hundred bytes. */
const MAX_BYTES = 64 * 1024
/** The layout of a contract with hundreds of variables. */
const MAX_LAYOUT_BYTES = 512 * 1024

export function createSourcify({
  url,
  timeoutMs = TIMEOUT_MS,
}: {
  readonly url: string
  readonly timeoutMs?: number
}): Sourcify {
  const [base, authorization] = splitCredentials(url)
  const headers = { accept: 'application/json', 'user-agent': 'gatewatch', ...authorization }
  const request = async <T>(
    { chainId, address }: ContractRef,
    query: string,
    maxBytes: number,
    parse: (status: number, text: string) => T | undefined,
    signal: AbortSignal | undefined,
  ): Promise<T> => {
    const limit = AbortSignal.timeout(timeoutMs)
    let response: Response
    let text: string
    try {
      response = await fetch(`${base.replace(/\/+$/, '')}/v2/contract/${chainId}/${address}${query}`, {
        headers,
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
        redirect: 'error',
      })
      text = await readText(response, maxBytes)
    } catch (error) {
      const isTooLarge = error instanceof ResponseTooLargeError
      const why = isTooLarge ? 'returned too much data' : `did not respond (${causeOf(error)})`
      throw new SourcifyError(`Sourcify ${why}`, { isTemporary: !isTooLarge, cause: error })
    }
    const { status } = response
    const parsed = parse(status, text)
    if (parsed !== undefined) return parsed
    throw new SourcifyError(`Sourcify returned ${status}${status < 400 ? ' with an unexpected body' : ''}`, {
      isTemporary: status === 429 || status >= 500,
      retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
    })
  }
  return {
    host: hostOf(url),
    isPublished: async (ref, signal) =>
      await request(ref, '', MAX_BYTES, (status, text) => parseResponse(status, text, ref), signal),
    findLayout: async (ref, signal) => {
      const parse = (status: number, text: string): ReturnType<typeof parseLayout> => parseLayout(status, text, ref)
      const { layout } = await request(ref, '?fields=storageLayout', MAX_LAYOUT_BYTES, parse, signal)
      return layout
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

const decimal = z.string().regex(/^\d{1,78}$/)
const variable = z.object({ label: z.string(), offset: z.int().min(0).max(31), slot: decimal, type: z.string() })
const layoutBody = z.object({
  storageLayout: z
    .object({
      storage: z.array(variable),
      types: z
        .record(
          z.string(),
          z.object({
            encoding: z.string(),
            label: z.string(),
            numberOfBytes: decimal,
            key: z.string().optional(),
            value: z.string().optional(),
            base: z.string().optional(),
            members: z.array(variable).optional(),
          }),
        )
        .nullable(),
    })
    .nullish(),
})

/** Undefined where the response is not about this contract. Without source, or with an old compiler, there is no layout. */
export function parseLayout(
  status: number,
  text: string,
  ref: ContractRef,
): { readonly layout: StorageLayout | undefined } | undefined {
  if (parseResponse(status, text, ref) === undefined) return undefined
  const { data } = layoutBody.safeParse(jsonOf(text))
  if (data === undefined) return undefined
  const { storageLayout } = data
  return { layout: storageLayout == null ? undefined : { ...storageLayout, types: storageLayout.types ?? {} } }
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
