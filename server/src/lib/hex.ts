/** Hex text as the program holds it, and the bytes the database holds. */
export type Hex = `0x${string}`

export const toHex = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`
export const toHexOrUndefined = (bytes: Buffer | null): Hex | undefined => (bytes === null ? undefined : toHex(bytes))
export const toBytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')
/** The digits without 0x, for array parameters: cheaper than the driver's escaped bytes. SQL uses `decode(…, 'hex')`. */
export const toDigits = (hex: Hex): string => hex.slice(2)
