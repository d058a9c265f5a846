/** The address of a client, and the network it belongs to. */
import { isIP, isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

type ClientRequest = { readonly ip: string; readonly socket: { readonly remoteAddress?: string | undefined } }

/**
 * Returns the IP address of a request without a port. `ip` is what a proxy reports: it may include a port, or not be an
 * address at all. In that case this returns the address of the connection.
 */
export function clientAddress({ ip, socket }: ClientRequest): string {
  if (isIP(ip) !== 0) return ip
  const bare = /^\[(.*)\](?::\d+)?$/.exec(ip)?.[1] ?? /^(.*):\d+$/.exec(ip)?.[1] ?? ''
  return isIP(bare) !== 0 ? bare : (socket.remoteAddress ?? ip)
}

/** Returns the network that one customer of a provider usually has: one IPv4 address, or an IPv6 /64. */
export const customerNetwork = (address: string): string => networkOf(address, 32, 64) ?? address

/** Returns a network that is too large to identify a client: an IPv4 /24 or an IPv6 /48. Undefined if it is not an IP address. */
export const anonymousNetwork = (address: string | undefined): string | undefined => networkOf(address ?? '', 24, 48)

const V4_MAPPED = '::ffff:'

function networkOf(address: string, v4Prefix: 24 | 32, v6Prefix: 48 | 64): string | undefined {
  const v4 = address.toLowerCase().startsWith(V4_MAPPED) ? address.slice(V4_MAPPED.length) : address
  if (isIPv4(v4)) return v4Prefix === 32 ? v4 : `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`
  if (!isIPv6(address)) return undefined
  const groups = ipaddr.IPv6.parse(address).parts.slice(0, v6Prefix / 16)
  return `${groups.map((group) => group.toString(16)).join(':')}::/${v6Prefix}`
}
