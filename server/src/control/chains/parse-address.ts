/** An EVM address as people write it → as we keep it. */
import { getAddress } from 'viem/utils'
import type { Hex } from '../../lib/hex.ts'

/** In lower case; or why it is refused, as the end of a sentence that begins with its name. */
export function parseAddress(text: string): { readonly address: Hex } | { readonly refusal: string } {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return { refusal: 'must be 0x and 40 hexadecimal characters' }
  const digits = text.slice(2)
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (isMixed && getAddress(text.toLowerCase()) !== text)
    return { refusal: 'has a wrong EIP-55 checksum: a character was mistyped' }
  return { address: `0x${digits.toLowerCase()}` }
}
