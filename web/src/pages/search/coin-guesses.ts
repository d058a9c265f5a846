/** What a search text may be on the coin chains. Pure: whether it exists is for the page it leads to. */

export type CoinChain = 'btc' | 'ltc'
export type Guess = { readonly href: string; readonly text: string }

const ADDRESSES: Readonly<Record<CoinChain, RegExp>> = {
  btc: /^((bc1|tb1|bcrt1)[02-9ac-hj-np-z]{6,87}|[13mn2][1-9A-HJ-NP-Za-km-z]{24,34})$/,
  ltc: /^((ltc1|tltc1|rltc1|ltcmweb1|tmweb1)[02-9ac-hj-np-z]{6,130}|[LM3mnQ2][1-9A-HJ-NP-Za-km-z]{24,34})$/,
}
const NAMES: Readonly<Record<CoinChain, string>> = { btc: 'Bitcoin', ltc: 'Litecoin' }

export function coinGuesses(text: string, chains: readonly CoinChain[]): readonly Guess[] {
  return chains.flatMap((chain) => {
    const name = NAMES[chain]
    if (ADDRESSES[chain].test(text) || ADDRESSES[chain].test(text.toLowerCase()))
      return [{ href: `/coins/${chain}/address/${text}`, text: `${name} address` }]
    if (/^[0-9a-f]{64}$/i.test(text)) {
      const block = { href: `/coins/${chain}/block/${text.toLowerCase()}`, text: `${name} block` }
      const tx = { href: `/coins/${chain}/tx/${text.toLowerCase()}`, text: `${name} transaction` }
      // Blocks are found by work, and their hashes begin with zeros.
      return text.startsWith('00000') ? [block, tx] : [tx, block]
    }
    return /^\d{1,8}$/.test(text) ? [{ href: `/coins/${chain}/block/${text}`, text: `${name} block ${text}` }] : []
  })
}
