/**
 * HTTP requests to URLs that users configured, which must not reach this network.
 *
 * The check is made on the address that the socket connects to, so that a name that resolves differently the next time
 * gains nothing. Redirects are not followed, and only the beginning of a response is read.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { GatewatchError, reasonOf } from '../lib/errors.ts'

type OutboundFacts = { readonly cause?: unknown; readonly isConnected?: boolean }

export class OutboundError extends GatewatchError {
  override readonly code = 'outbound_failed'
  override readonly retryable: boolean
  /** A connection was made, so the request may have arrived. */
  readonly isConnected: boolean
  constructor(message: string, retryable: boolean, { cause, isConnected = false }: OutboundFacts = {}) {
    super(message, { cause })
    this.retryable = retryable
    this.isConnected = isConnected
  }
}

/** Global unicast, the only part of IPv6 that is assigned. ipaddr.js treats unassigned addresses as public. */
const ASSIGNED_V6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is one of a public host, by IANA's special-purpose registries. */
export function isPublicAddress(text: string): boolean {
  // An address with a zone belongs to a link of this machine. ipaddr.js alone would accept further notations of IPv4.
  if (text.includes('%') || isIP(text) === 0) return false
  const address = ipaddr.parse(text)
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(ASSIGNED_V6))
}

export type OutboundOptions = {
  readonly allowPrivate: boolean
  readonly timeoutMs?: number
  /** For tests: resolves names without a DNS server. */
  readonly lookup?: (hostname: string, done: (error: Error | null, found: LookupAddress[]) => void) => void
}

export type OutboundResponse = {
  readonly status: number
  /** The Retry-After header. */
  readonly retryAfter?: string
}

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 64 * 1024

const lookupAll: NonNullable<OutboundOptions['lookup']> = (hostname, done) =>
  systemLookup(hostname, { all: true }, done)

/** Resolves a name to the addresses that may be connected to. */
function guardedLookup({ allowPrivate, lookup = lookupAll }: OutboundOptions): LookupFunction {
  return (hostname, options, done) =>
    lookup(hostname, (error, found) => {
      if (error !== null) {
        done(new OutboundError(`${hostname} cannot be found`, true, { cause: error }), '', 0)
        return
      }
      const allowed = found.filter(({ address }) => allowPrivate || isPublicAddress(address))
      const [first] = allowed
      // A name may resolve to another address later; a DNS server that is misconfigured for an hour must not end retries.
      if (first === undefined) done(notPublic(hostname, true), '', 0)
      else if (options.all === true) done(null, allowed)
      else done(null, first.address, first.family)
    })
}

const notPublic = (host: string, retryable: boolean): OutboundError =>
  new OutboundError(`${host} is not a public address`, retryable)

/** Returns the normalized URL. Throws if the URL alone shows that it is not allowed. */
export function checkTarget(url: string, { allowPrivate }: Pick<OutboundOptions, 'allowPrivate'>): string {
  const parsed = URL.parse(url)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new OutboundError('it is not an http or https URL', false)
  if (parsed.username !== '' || parsed.password !== '')
    throw new OutboundError('a URL with a user name is not allowed', false)
  if (parsed.port === '0') throw new OutboundError('port 0 is not allowed', false)
  // Dots at the end of a name do not make it another name.
  const host = parsed.hostname.replace(/^\[|\]$|\.+$/g, '')
  if (
    !allowPrivate &&
    (host === 'localhost' || host.endsWith('.localhost') || (isIP(host) > 0 && !isPublicAddress(host)))
  )
    throw notPublic(host, false)
  return parsed.href
}

/** Sends a POST request. Resolves with any status; throws an `OutboundError` if there is no response. */
export function postOutbound(
  url: string,
  message: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  options: OutboundOptions,
): Promise<OutboundResponse> {
  const target = checkTarget(url, options)
  const body = Buffer.from(message.body)
  const request: RequestOptions = {
    method: 'POST',
    headers: { ...message.headers, 'content-length': body.length, connection: 'close' },
    lookup: guardedLookup(options),
    agent: false,
    signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
  }
  return new Promise((resolve, reject) => {
    let isConnected = false
    const fail = (error: unknown): void =>
      reject(
        error instanceof OutboundError
          ? error
          : new OutboundError(reasonOf(error), true, { cause: error, isConnected }),
      )
    const outgoing = (target.startsWith('https:') ? httpsRequest : httpRequest)(target, request, (incoming) => {
      let length = 0
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > MAX_RESPONSE_BYTES) incoming.destroy()
      })
      // Only status and Retry-After count, even if the body breaks off.
      const retryAfter = incoming.headers['retry-after']
      const response = { status: incoming.statusCode ?? 0, ...(retryAfter !== undefined && { retryAfter }) }
      incoming.on('close', () => resolve(response))
      incoming.on('error', () => undefined)
    })
    outgoing.on('socket', (socket) =>
      socket.once(target.startsWith('https:') ? 'secureConnect' : 'connect', () => {
        isConnected = true
      }),
    )
    outgoing.on('error', fail)
    outgoing.end(body)
  })
}
