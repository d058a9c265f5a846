/** Conversions between hexadecimal text, which the code uses, and bytes, which the database stores. */
export type Hex = `0x${string}`

export const toHex = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`
export const toHexOrUndefined = (bytes: Buffer | null): Hex | undefined => (bytes === null ? undefined : toHex(bytes))
export const toBytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')
/** The digits without 0x, for array parameters, where text is faster than bytes. The SQL decodes them. */
export const toDigits = (hex: Hex): string => hex.slice(2)
