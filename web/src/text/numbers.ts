const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** `1,234,567`. */
export const wholeNumber = (value: number | bigint): string => whole.format(value)

const bytes = new Intl.NumberFormat('en-US', {
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'narrow',
  notation: 'compact',
  maximumFractionDigits: 1,
})

/** `1.2MB`. */
export const byteSize = (value: number): string => bytes.format(value)

/** `1.2M`, for where there is no room. */
export const shortNumber = (value: number): string => short.format(value)

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`
