/** Amounts of tokens as texts. */

/** What the registry knows of a token. */
export type Token = { readonly symbol: string; readonly decimals: number }

/** An allowance of at least half of the largest number has no practical limit. */
const UNLIMITED = 2n ** 255n

/** `1,500.5 USDC`. Undefined if the text is not an amount. */
export function tokenText(units: string, { symbol, decimals }: Token): string | undefined {
  const amount = decimalText(units, decimals)
  if (amount === undefined) return undefined
  return BigInt(units) >= UNLIMITED ? `an unlimited amount of ${symbol}` : `${amount} ${symbol}`
}

/** A whole number of the smallest unit, with its decimal point. Undefined if the text is not such a number. */
export function decimalText(units: string, decimals: number): string | undefined {
  if (!/^\d{1,78}$/.test(units)) return undefined
  const digits = units.padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const whole = BigInt(digits.slice(0, point)).toLocaleString('en-US')
  const rest = digits.slice(point).replace(/0+$/, '')
  return `${whole}${rest === '' ? '' : `.${rest}`}`
}

const WEI_DECIMALS = 18

/** An amount of wei in the coin of its chain. Undefined for none. */
export function coinText(wei: string): string | undefined {
  const coins = decimalText(wei, WEI_DECIMALS)
  return coins === undefined || coins === '0' ? undefined : `${coins} of the native coin`
}
