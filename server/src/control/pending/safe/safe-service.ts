/**
 * Client for a Safe Transaction Service (https://docs.safe.global/core-api/transaction-service-overview): which
 * transactions of a Safe wait for signatures?
 *
 * Nothing that it returns is trusted: size, time and number are limited here, and `verify-transactions.ts` checks every
 * field. Pages are requested by offset, because the links of the service may lead anywhere. The URL may contain a key, so
 * no URL leaves this file.
 */
import type { Hex } from 'viem'
import { getAddress } from 'viem/utils'
import { z } from 'zod'
import { GatewatchError, reasonOf, systemCodeOf } from '../../../lib/errors.ts'
import { type CheckResult, failed, passed } from '../../../platform/checks/check-result.ts'
import { ZERO_ADDRESS } from '../../chains/chains.ts'
import type { SafeTransaction } from '../../profile/safe-transaction.ts'
import { JsonReader, ResponseTooLargeError } from '../../rpc/json-reader.ts'
import { MalformedError } from '../../rpc/rpc-error.ts'
import { hostOf, splitCredentials } from '../../rpc/transport.ts'

export class SafeServiceError extends GatewatchError {
  override readonly code = 'safe_service_failed'
  override readonly retryable = true
  /** Whether a request for another Safe would have failed too. */
  readonly isTemporary: boolean
  constructor(message: string, facts: { readonly isTemporary: boolean; readonly cause?: unknown }) {
    super(message, { cause: facts.cause })
    this.isTemporary = facts.isTemporary
  }
}

/** A transaction as the service describes it. */
export type ServiceTransaction = SafeTransaction & {
  readonly safe: Hex
  readonly safeTxHash: Hex
  readonly proposer: Hex | undefined
  /** Milliseconds since the epoch. */
  readonly submittedAt: number | undefined
  readonly confirmations: readonly { readonly owner: Hex; readonly signature: Hex }[]
}

export type ServiceList = {
  readonly transactions: readonly ServiceTransaction[]
  /** Entries that do not have the published form. */
  readonly malformed: number
  /** False if the service has more than the limits allow. */
  readonly isComplete: boolean
}

export type SafeService = {
  readonly host: string
  /** The transactions of a Safe with this nonce or a later one that are not executed. */
  readonly list: (safe: Hex, fromNonce: bigint, signal?: AbortSignal) => Promise<ServiceList>
  /** The version of the service. */
  readonly version: () => Promise<string>
}

const PAGE = 20
const MAX_PAGES = 5
/** Of one page. A transaction has at most 128 kB of calldata, and the service adds its decoded form. */
const MAX_BYTES = 8 * 1_048_576
/** The decoded form nests as deep as the calls. */
const MAX_DEPTH = 64
/** For all pages of a Safe. */
const TIMEOUT_MS = 20_000
/** As many as the owners of the largest Safe that is read. */
const MAX_CONFIRMATIONS = 200
const MAX_DATA_DIGITS = 2 * 131_072 + 2

export type SafeServiceOptions = { readonly url: string; readonly timeoutMs?: number }

export function createSafeService({ url, timeoutMs = TIMEOUT_MS }: SafeServiceOptions): SafeService {
  const [base, headers] = requestOf(url)
  return {
    host: hostOf(url),
    list: async (safe, fromNonce, signal) => {
      const limit = AbortSignal.timeout(timeoutMs)
      const either = signal === undefined ? limit : AbortSignal.any([limit, signal])
      const path = `${base}/api/v1/safes/${getAddress(safe)}/multisig-transactions/`
      const found: ServiceTransaction[] = []
      let malformed = 0
      // A service can return fewer entries than the limit.
      let offset = 0
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const query = `executed=false&nonce__gte=${fromNonce}&ordering=nonce&limit=${PAGE}&offset=${offset}`
        const body = await request(`${path}?${query}`, { headers, signal: either })
        // The service does not know the Safe: nothing was proposed for it there.
        if (body === NOT_FOUND) return { transactions: [], malformed: 0, isComplete: true }
        const { results, next } = parsed(list, body)
        for (const result of results.slice(0, PAGE)) {
          const { data } = entry.safeParse(result)
          if (data !== undefined) found.push(transactionOf(data))
          else malformed += 1
        }
        if (results.length > PAGE) return { transactions: found, malformed, isComplete: false }
        if (next === null || results.length === 0) return { transactions: found, malformed, isComplete: true }
        offset += results.length
      }
      return { transactions: found, malformed, isComplete: false }
    },
    version: async () => {
      const body = await request(`${base}/api/v1/about/`, { headers, signal: AbortSignal.timeout(timeoutMs) })
      return parsed(about, body).version
    },
  }
}

/** A password without a user is an API key, which the service takes as a bearer token. */
function requestOf(url: string): readonly [base: string, headers: Record<string, string>] {
  const { username, password } = new URL(url)
  const [base, basic] = splitCredentials(url)
  const key = username === '' && password !== '' ? { authorization: `Bearer ${decodeURIComponent(password)}` } : basic
  return [base.replace(/\/+$/, ''), { accept: 'application/json', 'user-agent': 'gatewatch', ...key }]
}

const list = z.object({ next: z.string().nullable(), results: z.array(z.unknown()) })
const about = z.object({ version: z.string().max(40) })

function parsed<T extends z.ZodType>(shape: T, body: unknown): z.infer<T> {
  const result = shape.safeParse(body)
  if (result.success) return result.data
  throw new SafeServiceError('The Safe Transaction Service returned an unexpected body', { isTemporary: false })
}

const NOT_FOUND = Symbol('not found')

async function request(
  url: string,
  init: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): Promise<unknown> {
  let status: number
  try {
    const response = await fetch(url, { ...init, redirect: 'error' })
    status = response.status
    if (response.ok) return await readJson(response)
    await response.body?.cancel()
  } catch (error) {
    const isTooLarge = error instanceof ResponseTooLargeError
    const isTemporary = !isTooLarge && !(error instanceof SyntaxError) && !(error instanceof MalformedError)
    const why = isTooLarge ? 'returned too much data' : `did not return a response (${causeOf(error)})`
    throw new SafeServiceError(`The Safe Transaction Service ${why}`, { isTemporary, cause: error })
  }
  if (status === 404) return NOT_FOUND
  const isTemporary = status === 401 || status === 403 || status === 429 || status >= 500
  throw new SafeServiceError(`The Safe Transaction Service returned ${status}`, { isTemporary })
}

async function readJson(response: Response): Promise<unknown> {
  if (Number(response.headers.get('content-length') ?? 0) > MAX_BYTES) {
    await response.body?.cancel()
    throw new ResponseTooLargeError(MAX_BYTES)
  }
  const reader = new JsonReader({ maxBytes: MAX_BYTES, maxDepth: MAX_DEPTH })
  try {
    if (response.body !== null) for await (const chunk of response.body) reader.add(chunk)
    return await reader.end()
  } catch (error) {
    reader.cancel()
    throw error
  }
}

/** `fetch` hides the cause behind "fetch failed". */
const causeOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return systemCodeOf(cause) ?? (cause instanceof Error ? cause.name : 'no reason given')
}

const hex = (pattern: RegExp) =>
  z
    .string()
    .regex(pattern)
    .transform((text) => text.toLowerCase() as Hex)
const address = hex(/^0x[0-9a-fA-F]{40}$/)
const bytes = z
  .string()
  .max(MAX_DATA_DIGITS)
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase() as Hex)
/** Version 1 of the API has numbers where version 2 has texts. */
const quantity = z
  .union([z.int().nonnegative(), z.string().regex(/^\d{1,78}$/)])
  .transform((value) => BigInt(value))
  .refine((value) => value < 1n << 256n)

const entry = z.object({
  safe: address,
  to: address,
  value: quantity,
  data: bytes.nullable(),
  operation: z.union([z.literal(0), z.literal(1)]),
  gasToken: address.nullable(),
  safeTxGas: quantity,
  baseGas: quantity,
  gasPrice: quantity,
  refundReceiver: address.nullable(),
  nonce: quantity.refine((value) => value <= BigInt(Number.MAX_SAFE_INTEGER)),
  safeTxHash: hex(/^0x[0-9a-fA-F]{64}$/),
  proposer: address.nullish(),
  submissionDate: z.string().max(40).nullish(),
  confirmations: z.array(z.unknown()).nullish(),
})
const confirmation = z.object({ owner: address, signature: bytes })

function transactionOf({
  data,
  gasToken,
  refundReceiver,
  proposer,
  submissionDate,
  confirmations,
  ...rest
}: z.infer<typeof entry>): ServiceTransaction {
  const time = Date.parse(submissionDate ?? '')
  return {
    ...rest,
    data: data ?? '0x',
    gasToken: gasToken ?? ZERO_ADDRESS,
    refundReceiver: refundReceiver ?? ZERO_ADDRESS,
    proposer: proposer ?? undefined,
    submittedAt: Number.isNaN(time) ? undefined : time,
    confirmations: (confirmations ?? []).slice(0, MAX_CONFIRMATIONS).flatMap((each) => {
      const { data: parsed } = confirmation.safeParse(each)
      return parsed === undefined ? [] : [parsed]
    }),
  }
}

/** Checks whether the service responds at the configured URL, for a chain's setting. */
export async function checkSafeService(chain: string, url: string): Promise<CheckResult> {
  const service = createSafeService({ url })
  const name = `${chain} safe transaction service ${service.host}`
  try {
    return passed(name, `It responds, version ${await service.version()}.`)
  } catch (error) {
    const advice = `Check ${chain.toUpperCase()}_SAFE_TX_SERVICE_URL, without /api at its end. An API key is its password: https://:KEY@host/path.`
    return failed(name, `${reasonOf(error)}.`, advice)
  }
}
