/** What a text names on a chain, as the address of its page. Pure. */
import type { CoinChain } from '../../text/coins.ts'

/**
 * Hashes of blocks begin with zeros wherever mining takes work; on a chain made for tests they need not, and are found
 * by the link of the block before or after.
 */
export function coinPath(chain: CoinChain, text: string): string | undefined {
  const given = text.trim()
  if (/^\d{1,9}$/.test(given)) return `/coins/${chain}/block/${Number(given)}`
  if (/^0{8}[0-9a-f]{56}$/i.test(given)) return `/coins/${chain}/block/${given.toLowerCase()}`
  if (/^[0-9a-f]{64}$/i.test(given)) return `/coins/${chain}/tx/${given.toLowerCase()}`
  return /^[0-9A-Za-z]{14,110}$/.test(given) ? `/coins/${chain}/address/${given}` : undefined
}
