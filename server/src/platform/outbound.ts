/**
 * Requests to addresses that users chose: never into this network.
 *
 * Owns what may be connected to, checked on the very address the socket goes to, so that a name that changes its mind
 * between two lookups gains nothing. Redirects are not followed, answers are not read beyond what a message can show.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { GatewatchError, reasonOf } from '../lib/errors.ts'

type OutboundFacts = { readonly cause?: unknown; readonly isConnected?: boolean }

export class OutboundError extends GatewatchError {
  override readonly code = 'outbound_failed'
  override readonly retryable: boolean
  /** There was a connection: what was to be said may have been heard. */
  readonly isConnected: boolean
  constructor(message: string, retryable: boolean, { cause, isConnected = false }: OutboundFacts = {}) {
    super(message, { cause })
    this.retryable = retryable
    this.isConnected = isConnected
  }
}

/** IANA's special-purpose registries: everything that is not a public host. */
const FORBIDDEN_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Of IPv6 only global unicast is public, and these parts of it are not; some carry an IPv4 address inside. */
const PUBLIC_V6 = ['2000::', 3] as const
const FORBIDDEN_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const forbiddenV4 = new BlockList()
for (const [net, bits] of FORBIDDEN_V4) forbiddenV4.addSubnet(net, bits, 'ipv4')
const forbiddenV6 = new BlockList()
for (const [net, bits] of FORBIDDEN_V6) forbiddenV6.addSubnet(net, bits, 'ipv6')
const publicV6 = new BlockList()
publicV6.addSubnet(...PUBLIC_V6, 'ipv6')

export function isPublicAddress(address: string): boolean {
  // An address with a zone is one of a link of this machine.
  const family = address.includes('%') ? 0 : isIP(address)
  if (family === 4) return !forbiddenV4.check(address, 'ipv4')
  return family === 6 && publicV6.check(address, 'ipv6') && !forbiddenV6.check(address, 'ipv6')
}

export type OutboundOptions = {
  readonly allowPrivate: boolean
  readonly timeoutMs?: number
  /** For tests: names without a name server. */
  readonly lookup?: (hostname: string, done: (error: Error | null, found: LookupAddress[]) => void) => void
}

export type OutboundAnswer = {
  readonly status: number
  /** The header of this name, as it came. */
  readonly retryAfter?: string
}

const TIMEOUT_MS = 15_000
const MOST_ANSWER_BYTES = 64 * 1024

const lookupAll: NonNullable<OutboundOptions['lookup']> = (hostname, done) =>
  systemLookup(hostname, { all: true }, done)

/** Hands the socket only addresses it may connect to. */
function guardedLookup({ allowPrivate, lookup = lookupAll }: OutboundOptions): LookupFunction {
  return (hostname, options, done) =>
    lookup(hostname, (error, found) => {
      if (error !== null) {
        done(new OutboundError(`${hostname} cannot be found`, true, { cause: error }), '', 0)
        return
      }
      const allowed = found.filter(({ address }) => allowPrivate || isPublicAddress(address))
      const [first] = allowed
      if (first === undefined) done(notPublic(hostname), '', 0)
      else if (options.all === true) done(null, allowed)
      else done(null, first.address, first.family)
    })
}

const notPublic = (host: string): OutboundError =>
  new OutboundError(`${host} is not a public address; it is not connected to`, false)

/** The URL as it is used; throws where it can be told to be forbidden without asking anyone. */
export function checkTarget(url: string, { allowPrivate }: Pick<OutboundOptions, 'allowPrivate'>): string {
  const parsed = URL.parse(url)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new OutboundError('it is not an http or https address', false)
  if (parsed.username !== '' || parsed.password !== '')
    throw new OutboundError('an address with a user name in it is not used', false)
  if (parsed.port === '0') throw new OutboundError('nobody listens on port 0', false)
  // The root's dot at the end of a name, or several that mean nothing, do not make it another.
  const host = parsed.hostname.replace(/^\[|\]$|\.+$/g, '')
  if (
    !allowPrivate &&
    (host === 'localhost' || host.endsWith('.localhost') || (isIP(host) > 0 && !isPublicAddress(host)))
  )
    throw notPublic(host)
  return parsed.href
}

/** Any status is an answer; what never became one throws an `OutboundError`. */
export function postOutbound(
  url: string,
  message: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  options: OutboundOptions,
): Promise<OutboundAnswer> {
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
        if (length > MOST_ANSWER_BYTES) incoming.destroy()
      })
      // The status is all that counts, whatever becomes of the rest.
      const retryAfter = incoming.headers['retry-after']
      const answer = { status: incoming.statusCode ?? 0, ...(retryAfter !== undefined && { retryAfter }) }
      incoming.on('close', () => resolve(answer))
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
