/** Formats amounts, hash rates and difficulties. */

/** Formats satoshi as a decimal with 8 fractional digits. */
export function formatAmount(units: number | bigint): string {
  const value = BigInt(units)
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(9, '0')
  return `${sign}${digits.slice(0, -8)}.${digits.slice(-8)}`
}

const UNITS = ['H/s', 'kH/s', 'MH/s', 'GH/s', 'TH/s', 'PH/s', 'EH/s', 'ZH/s']

export function formatHashRate(perSecond: number): string {
  let value = perSecond
  let unit = 0
  while (value >= 1000 && unit < UNITS.length - 1) {
    value /= 1000
    unit++
  }
  return `${value.toFixed(2)} ${UNITS[unit] ?? ''}`
}

/** The difficulty of a target in compact form, relative to the easiest target of mainnet. */
export function difficultyOf(bits: number): number {
  const mantissa = bits & 0xff_ffff
  return mantissa === 0 ? 0 : (0xffff / mantissa) * 256 ** (0x1d - (bits >>> 24))
}
