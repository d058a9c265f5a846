/** Whom a request comes from, by its address: what a proxy writes of it may have a port, or be no address at all. */
import { isIP } from 'node:net'

type Asking = { readonly ip: string; readonly socket: { readonly remoteAddress?: string | undefined } }

/** An IP address without its port; that of whoever is connected to us where none is written. */
export function clientAddress({ ip, socket }: Asking): string {
  if (isIP(ip) !== 0) return ip
  const bare = /^\[(.*)\](?::\d+)?$/.exec(ip)?.[1] ?? /^(.*):\d+$/.exec(ip)?.[1] ?? ''
  return isIP(bare) !== 0 ? bare : (socket.remoteAddress ?? ip)
}
