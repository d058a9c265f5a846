/** Sign-In with Ethereum (ERC-4361): the domains of messages, and the wallet that signed one. */
import { recoverMessageAddress } from 'viem/utils'
import type { Hex } from '../lib/hex.ts'

/** The first line of a Sign-In with Ethereum message (ERC-4361): scheme, domain, text. */
const SIGN_IN_HEADER = /^((?:https?:\/\/)?)([^\s/]+)( wants you to sign in with your Ethereum account:)/

/**
 * Lets a wallet sign in at every origin of the service, such as localhost and 127.0.0.1. better-auth accepts messages
 * for one domain, so a message for another own domain is checked as one for the public domain, and its signature with
 * the domains it may have been signed for.
 */
export function createSignInMessages({
  publicUrl,
  origins,
}: {
  readonly publicUrl: string
  readonly origins: readonly string[]
}) {
  const hosts = [...new Set([publicUrl, ...origins].map((origin) => new URL(origin).host))]
  const withHost = (message: string, host: string) => message.replace(SIGN_IN_HEADER, `$1${host}$3`)
  return {
    toPublic: (message: string): string => {
      const [, , domain = ''] = SIGN_IN_HEADER.exec(message) ?? []
      return hosts.includes(domain) ? withHost(message, new URL(publicUrl).host) : message
    },
    variantsOf: (message: string): readonly string[] => hosts.map((host) => withHost(message, host)),
  }
}

/**
 * Returns the address whose key signed the message (EIP-191); undefined if the signature is invalid. Contract wallets
 * (ERC-1271) are not supported: their check needs an endpoint of the wallet's chain.
 */
export async function signerOf(message: string, signature: string): Promise<string | undefined> {
  if (!/^0x[0-9a-fA-F]{130}$/.test(signature)) return undefined
  try {
    return await recoverMessageAddress({ message, signature: signature as Hex })
  } catch {
    return undefined // r, s or v is out of range
  }
}
