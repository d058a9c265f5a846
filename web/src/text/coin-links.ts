/** Page paths for a text that may name an address, a transaction or a block. Whether it exists is not checked. */
import { COIN_TEXTS, type CoinChain, shortHex } from './names.ts'

/**
 * The page that a text names on one chain, or undefined. A hash that begins with eight zeros is a block hash; on test
 * chains without proof of work it may be a transaction, whose page links to the block.
 */
export function coinPath(chain: CoinChain, text: string): string | undefined {
  const trimmed = text.trim()
  if (/^\d{1,9}$/.test(trimmed)) return `/coins/${chain}/block/${Number(trimmed)}`
  if (/^0{8}[0-9a-f]{56}$/i.test(trimmed)) return `/coins/${chain}/block/${trimmed.toLowerCase()}`
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return `/coins/${chain}/tx/${trimmed.toLowerCase()}`
  return /^[0-9A-Za-z]{14,110}$/.test(trimmed) ? `/coins/${chain}/address/${trimmed}` : undefined
}

export type CoinLink = {
  readonly href: string
  /** What the page shows. */
  readonly text: string
  /** The address, hash or height. */
  readonly subject: string
}

const ADDRESSES: Readonly<Record<CoinChain, RegExp>> = {
  btc: /^((bc1|tb1|bcrt1)[02-9ac-hj-np-z]{6,87}|[13mn2][1-9A-HJ-NP-Za-km-z]{24,34})$/,
  ltc: /^((ltc1|tltc1|rltc1|ltcmweb1|tmweb1)[02-9ac-hj-np-z]{6,130}|[LM3mnQ2][1-9A-HJ-NP-Za-km-z]{24,34})$/,
}

/** The last part of a URL's path, where explorers name addresses, transactions and blocks. */
function withoutUrl(text: string): string {
  const [path = ''] = text.split(/[?#]/)
  return path.split('/').findLast((part) => part !== '') ?? text
}

/** An extended public key or an output descriptor. It reveals all addresses of a wallet, so a search does not send it. */
export const isWallet = (text: string): boolean =>
  /^([xyztuv]pub|[YZUV]pub|[LM]tub)[1-9A-HJ-NP-Za-km-z]{70,}$/.test(text) || /^(pkh|wpkh|sh|wsh|tr)\(/.test(text)

const WALLETS: CoinLink = {
  href: '/docs/reference/coin-data',
  text: 'API docs. This key was not sent.',
  subject: 'Analyze a wallet by its extended public key or descriptor',
}

/** The pages that a search text may name on any of the chains, likeliest first. */
export function coinLinks(searched: string, chains: readonly CoinChain[]): readonly CoinLink[] {
  if (isWallet(searched)) return [WALLETS]
  const text = withoutUrl(searched)
  const subject = shortHex(text, 16, 8)
  return chains.flatMap((chain) => {
    const { name } = COIN_TEXTS[chain]
    if (ADDRESSES[chain].test(text) || ADDRESSES[chain].test(text.toLowerCase()))
      return [{ href: `/coins/${chain}/address/${text}`, text: `${name} address`, subject }]
    if (/^[0-9a-f]{64}$/i.test(text)) {
      const block = { href: `/coins/${chain}/block/${text.toLowerCase()}`, text: `${name} block`, subject }
      const tx = { href: `/coins/${chain}/tx/${text.toLowerCase()}`, text: `${name} transaction`, subject }
      // Proof of work makes block hashes begin with zeros.
      return text.startsWith('00000') ? [block, tx] : [tx, block]
    }
    return /^\d{1,8}$/.test(text) ? [{ href: `/coins/${chain}/block/${text}`, text: `${name} block`, subject }] : []
  })
}
