/** Amounts of coins, exact to the last digit. */

export const COIN_CHAINS = ['btc', 'ltc'] as const
export type CoinChain = (typeof COIN_CHAINS)[number]

export const COIN_TEXTS: Readonly<Record<CoinChain, { readonly name: string; readonly symbol: string }>> = {
  btc: { name: 'Bitcoin', symbol: 'BTC' },
  ltc: { name: 'Litecoin', symbol: 'LTC' },
}

export const isCoinChain = (text: string): text is CoinChain => COIN_CHAINS.some((chain) => chain === text)

const PER_COIN = 100_000_000n
const grouped = new Intl.NumberFormat('en-US')

/** `1,234.56780000`. A sum that a page cannot hold exactly says so: `≈ 90,071,993`. */
export function coinAmount(satoshi: number): string {
  if (!Number.isSafeInteger(satoshi)) return `≈ ${grouped.format(Math.round(satoshi / Number(PER_COIN)))}`
  const whole = BigInt(satoshi)
  const size = whole < 0n ? -whole : whole
  const digits = String(size % PER_COIN).padStart(8, '0')
  return `${whole < 0n ? '−' : ''}${grouped.format(size / PER_COIN)}.${digits}`
}

/** What a person types, in whole coins, as satoshi; undefined for what is no amount. */
export function readCoinAmount(text: string): number | undefined {
  const found = /^(\d{1,8})?(?:[.,](\d{0,8}))?$/.exec(text.trim())
  if (found === null || text.trim() === '' || /^[.,]$/.test(text.trim())) return undefined
  const satoshi = BigInt(found[1] ?? '0') * PER_COIN + BigInt((found[2] ?? '').padEnd(8, '0'))
  return Number(satoshi)
}

/** `0.5`: an amount as a person would type it. */
export const plainCoinAmount = (satoshi: number): string =>
  coinAmount(satoshi)
    .replaceAll(',', '')
    .replace(/\.?0+$/, '')

const axis = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2, notation: 'compact' })

/** `0.001`, `25`, `1.2K`: for axes. */
export const axisCoinAmount = (satoshi: number): string => {
  const coins = satoshi / Number(PER_COIN)
  return coins > 0 && coins < 0.000_1 ? `${axis.format(satoshi)} sat` : axis.format(coins)
}

const rate = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** `12.35`, of sat/vB. */
export const feeRate = (value: number): string => rate.format(value)
