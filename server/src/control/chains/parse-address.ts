/** Parses an EVM address in any case. */
import { getAddress } from 'viem/utils'
import type { Hex } from '../../lib/hex.ts'

/** The address in lower case, or the reason it is invalid, to be appended to the field's name. */
export function parseAddress(text: string): { readonly address: Hex } | { readonly refusal: string } {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return { refusal: 'must be 0x and 40 hexadecimal characters' }
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && getAddress(text.toLowerCase()) !== text)
    return { refusal: 'has a wrong EIP-55 checksum: a character was mistyped' }
  return { address: `0x${digits.toLowerCase()}` }
}
