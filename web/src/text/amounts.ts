/** Numbers, byte sizes, coin amounts and fee rates as texts. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
const compactBytes = new Intl.NumberFormat('en-US', {
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
  notation: 'compact',
  maximumFractionDigits: 1,
})

/** `1,234,567`. */
export const wholeNumber = (value: number | bigint): string => whole.format(value)

/** `1.2M`. */
export const shortNumber = (value: number): string => compact.format(value)

/** `1.2MB`. */
export const byteSize = (value: number): string => compactBytes.format(value)

/** `1 event`, `2 events`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`

const SATOSHI_PER_COIN = 100_000_000n

/** `1,234.56780000`. An amount beyond the exact integer range is rounded and marked: `≈ 90,071,993`. */
export function coinAmount(satoshi: number): string {
  if (!Number.isSafeInteger(satoshi)) return `≈ ${wholeNumber(satoshi / Number(SATOSHI_PER_COIN))}`
  const exact = BigInt(satoshi)
  const size = exact < 0n ? -exact : exact
  const digits = String(size % SATOSHI_PER_COIN).padStart(8, '0')
  return `${exact < 0n ? '−' : ''}${wholeNumber(size / SATOSHI_PER_COIN)}.${digits}`
}

/** `123,456,780,000`. */
export const satoshiAmount = (satoshi: number): string => wholeNumber(satoshi).replace('-', '−')

/** Thousands are marked as in `1,234.5` or `1,234,567`. A single comma before three digits may mean either: `1,234`. */
const THOUSANDS = /^[1-9]\d{0,2}(?:,\d{3}(?=[.,]))+(?:,\d{3}|\.\d{0,8})$/
const EITHER = /^[1-9]\d{0,2},\d{3}$/

/** Parses an amount typed in whole coins to satoshi. Undefined if the text is not an amount, or could mean two. */
export function parseCoinAmount(text: string): number | undefined {
  const typed = text.trim()
  const plain = THOUSANDS.test(typed) ? typed.replaceAll(',', '') : typed
  const match = /^(\d{1,8})?(?:[.,](\d{0,8}))?$/.exec(plain)
  if (match === null || plain === '' || /^[.,]$/.test(plain) || EITHER.test(plain)) return undefined
  const satoshi = BigInt(match[1] ?? '0') * SATOSHI_PER_COIN + BigInt((match[2] ?? '').padEnd(8, '0'))
  return satoshi > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(satoshi)
}

const axis = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2, notation: 'compact' })

/** `0.001`, `25`, `1.2K`: an amount for a chart axis. */
export function axisCoinAmount(satoshi: number): string {
  const coins = satoshi / Number(SATOSHI_PER_COIN)
  return coins > 0 && coins < 0.000_1 ? `${axis.format(satoshi)} sat` : axis.format(coins)
}

const rate = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

/** `12.35`: a fee rate in sat/vB. */
export const feeRate = (value: number): string => rate.format(value)
