/**
 * Who signed a message with an Ethereum key (EIP-191, as wallets sign ERC-4361 messages).
 *
 * Contract wallets (ERC-1271) would need a node of the chain the wallet lives on, and are refused.
 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'

/** The lower-case address whose key made `signature` over `message`; undefined where it is not a valid signature. */
export function signerOf(message: string, signature: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const v = bytes[64] ?? 0
  const recovery = v >= 27 ? v - 27 : v
  if (recovery > 1) return undefined
  const text = Buffer.from(message, 'utf8')
  const digest = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${text.length}`, 'utf8'), text]))
  try {
    const point = secp256k1.Signature.fromBytes(bytes.subarray(0, 64), 'compact')
      .addRecoveryBit(recovery)
      .recoverPublicKey(digest)
    return `0x${Buffer.from(keccak_256(point.toBytes(false).subarray(1)).subarray(12)).toString('hex')}`
  } catch {
    return undefined // r or s out of range, or no such point
  }
}
