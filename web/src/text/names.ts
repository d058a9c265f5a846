/** Names of chains, codes, hashes and path segments as texts. */

const COIN_CHAINS = ['btc', 'ltc'] as const
export type CoinChain = (typeof COIN_CHAINS)[number]

export const COIN_TEXTS: Readonly<Record<CoinChain, { readonly name: string; readonly symbol: string }>> = {
  btc: { name: 'Bitcoin', symbol: 'BTC' },
  ltc: { name: 'Litecoin', symbol: 'LTC' },
}

export const isCoinChain = (text: string): text is CoinChain => COIN_CHAINS.some((chain) => chain === text)

/** `ADDRESS_REUSE` → `Address reuse`, `DUST_UTXOS` → `Dust UTXOs`. */
export function codeName(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ')
  const sentence = words.charAt(0).toUpperCase() + words.slice(1)
  return sentence.replace(/\butxo/i, 'UTXO')
}

const SCRIPT_NAMES: Readonly<Record<string, string>> = {
  nulldata: 'OP_RETURN',
  mweb_pegin: 'MWEB peg-in',
  mweb_hogaddr: 'MWEB HogAddr',
}

/** `p2wpkh` → `P2WPKH`, `witness_v2` → `Witness v2`. */
export const scriptTypeName = (type: string): string =>
  SCRIPT_NAMES[type] ?? (type.startsWith('p2') ? type.toUpperCase() : codeName(type))

/** `mint` → `Mint`. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Shortens a hash or address to its beginning and end. */
export const shortHex = (text: string, head = 6, tail = 4): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Shortens a name to `maxLength` visible characters. An emoji of several code units counts as one. */
export function shortName(name: string, maxLength: number): string {
  const characters = Array.from(graphemes.segment(name), ({ segment }) => segment)
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : name
}

/**
 * Decodes a path segment into the name it was made of. The router has decoded everything except what would change the
 * path (`%2F`), so a `%` that cannot be decoded is a percent sign.
 */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
