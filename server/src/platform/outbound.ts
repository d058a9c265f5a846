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
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
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

/**
 * Addresses at which clouds give their machines credentials. Most are link-local or private. Azure's and Equinix Metal's
 * look public, and those of AWS, Google Cloud and Scaleway are private IPv6 addresses, which an operator may allow.
 */
const METADATA = [
  '169.254.0.0/16', // AWS, Azure, Google Cloud, DigitalOcean, Hetzner, IBM, OpenStack, Oracle, Tencent, Huawei
  'fe80::/10', // OpenStack
  '100.100.100.200/32', // Alibaba
  '168.63.129.16/32', // Azure's agent
  '192.0.0.192/32', // Oracle
  '192.80.8.124/32', // Equinix Metal
  'fd00:ec2::/32', // AWS
  'fd20:ce::/32', // Google Cloud
  'fd00:42::42/128', // Scaleway
].map((range) => ipaddr.parseCIDR(range))

/** Whether a cloud gives credentials to its machines at this address. No setting allows such a target. */
export function isMetadataAddress(text: string): boolean {
  if (isIP(text) === 0) return false
  const parsed = ipaddr.process(text) // IPv4 inside IPv6 becomes IPv4
  const embedded = parsed.kind() === 'ipv6' && parsed.range() === 'rfc6052' ? lastFourBytes(parsed) : parsed
  return METADATA.some(([network, bits]) => embedded.kind() === network.kind() && embedded.match(network, bits))
}

const lastFourBytes = (address: IPv4 | IPv6): IPv4 => new ipaddr.IPv4(address.toByteArray().slice(-4))

/** Names that only a private network, a cloud or this machine resolves. */
const PRIVATE_NAMES =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home\.arpa|metadata\.tencentyun\.com|metadata\.packet\.net|metadata\.platformequinix\.com|metadata\.cloud\.ibm\.com)$/

const isPrivateName = (host: string): boolean => isIP(host) === 0 && (!host.includes('.') || PRIVATE_NAMES.test(host))

const FIRST_FREE_PORT = 1_024

/** Which targets are allowed. */
export type TargetRules = {
  /** Allows private addresses and all ports. */
  readonly allowPrivate: boolean
  /** URLs that are allowed exactly as they are: the demo's own receiver. */
  readonly ownTargets?: readonly string[] | undefined
}

export const PUBLIC_TARGETS: TargetRules = { allowPrivate: false }

export type OutboundOptions = TargetRules & {
  readonly timeoutMs?: number
  /** For tests: resolves names without a DNS server. */
  readonly lookup?: (hostname: string, done: (error: Error | null, found: LookupAddress[]) => void) => void
}

export type OutboundResponse = {
  readonly status: number
  /** The Retry-After header. */
  readonly retryAfter?: string
  /** The beginning of the body. It is not shown to users, because it may be that of a private service. */
  readonly body: string
}

const TIMEOUT_MS = 15_000
const MAX_RESPONSE_BYTES = 64 * 1024
const READ_BYTES = 2 * 1024

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
      const allowed = found.filter(
        ({ address }) => !isMetadataAddress(address) && (allowPrivate || isPublicAddress(address)),
      )
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
export function checkTarget(url: string, { allowPrivate, ownTargets = [] }: TargetRules): string {
  const parsed = URL.parse(url)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new OutboundError('it is not an http or https URL', false)
  if (parsed.username !== '' || parsed.password !== '')
    throw new OutboundError('a URL with a user name is not allowed', false)
  if (ownTargets.includes(parsed.href)) return parsed.href
  const port = parsed.port === '' ? undefined : Number(parsed.port)
  if (port === 0) throw new OutboundError('port 0 is not allowed', false)
  if (!allowPrivate && port !== undefined && port < FIRST_FREE_PORT && port !== 80 && port !== 443)
    throw new OutboundError(`port ${port} is not allowed; use 80, 443, or ${FIRST_FREE_PORT} and above`, false)
  // Dots at the end of a name do not make it another name.
  const host = parsed.hostname.replace(/^\[|\]$|\.+$/g, '')
  if (isMetadataAddress(host) || (!allowPrivate && (isPrivateName(host) || (isIP(host) > 0 && !isPublicAddress(host)))))
    throw notPublic(host, false)
  return parsed.href
}

/** Sends a POST request. Resolves with any status; throws an `OutboundError` if there is no response. */
export async function postOutbound(
  url: string,
  message: { readonly body: string; readonly headers: Readonly<Record<string, string>> },
  options: OutboundOptions,
): Promise<OutboundResponse> {
  const target = checkTarget(url, options)
  const isOwn = options.ownTargets?.includes(target) === true
  const body = Buffer.from(message.body)
  const request: RequestOptions = {
    method: 'POST',
    headers: { ...message.headers, 'content-length': body.length, connection: 'close' },
    lookup: guardedLookup({ ...options, allowPrivate: options.allowPrivate || isOwn }),
    agent: false,
    signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
  }
  return await new Promise((resolve, reject) => {
    let isConnected = false
    const fail = (error: unknown): void =>
      reject(
        error instanceof OutboundError
          ? error
          : new OutboundError(reasonOf(error), true, { cause: error, isConnected }),
      )
    const outgoing = (target.startsWith('https:') ? httpsRequest : httpRequest)(target, request, (incoming) => {
      let length = 0
      let beginning = Buffer.alloc(0)
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (beginning.length < READ_BYTES) beginning = Buffer.concat([beginning, chunk]).subarray(0, READ_BYTES)
        if (length > MAX_RESPONSE_BYTES) incoming.destroy()
      })
      // The response counts, even if the body breaks off.
      const retryAfter = incoming.headers['retry-after']
      const head = { status: incoming.statusCode ?? 0, ...(retryAfter !== undefined && { retryAfter }) }
      incoming.on('close', () => resolve({ ...head, body: beginning.toString('utf8') }))
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
