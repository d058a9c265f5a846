/** Hex text of the program ↔ bytes of the database. */
import type { Hex } from '../node/parse.ts'

export const toHex = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`
export const toHexOrUndefined = (bytes: Buffer | null): Hex | undefined => (bytes === null ? undefined : toHex(bytes))
export const toBytes = (hex: Hex): Buffer => Buffer.from(hex.slice(2), 'hex')
/** For arrays: hex without 0x travels cheaper than the driver's escaped bytes; SQL says `decode(…, 'hex')`. */
export const toDigits = (hex: Hex): string => hex.slice(2)
