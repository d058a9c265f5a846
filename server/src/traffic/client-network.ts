/** Where a request came from, coarse enough not to name a person: the /24 of an IPv4 address, the /48 of an IPv6 one. */
import { isIPv4, isIPv6 } from 'node:net'

export function clientNetworkOf(address: string | undefined): string | undefined {
  const [plain = ''] = (address ?? '').split('%') // a zone names an interface of this machine
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain
  if (isIPv4(v4)) return `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`
  if (!isIPv6(plain)) return undefined
  const [head = '', tail] = plain.split('::')
  const before = head.split(':').filter((group) => group !== '')
  // Only the first three groups matter; zeros stand where `::` left them out, unless what follows reaches so far.
  const after = (tail ?? '').split(':').filter((group) => group !== '')
  const afterCount = after.length + (after.at(-1)?.includes('.') === true ? 1 : 0)
  const all = [...before, ...Array.from({ length: 8 - before.length - afterCount }, () => '0'), ...after]
  return `${all.slice(0, 3).join(':')}::/48`
}
