/** What a search text may name: an address, a transaction, the first digits of an address, or words. */
import type { Hex } from '../../lib/hex.ts'

export type SearchText =
  | { readonly kind: 'address'; readonly address: Hex }
  | { readonly kind: 'transaction'; readonly hash: Hex }
  | {
      readonly kind: 'words'
      readonly words: string
      /** The text may also be the first digits of an address. */
      readonly digits: string | undefined
    }

/** A whole address or hash anywhere in a text: alone, after the prefix of its chain, or in the URL of an explorer. */
const WHOLE = /(?<![0-9a-z])0x([0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/i
const BARE = /^([0-9a-f]{64}|[0-9a-f]{40})$/i
/** Fewer digits would match by chance. */
const PREFIX = /^(?:0x)?([0-9a-f]{4,39})$/i

export function readSearchText(text: string): SearchText {
  const [, whole] = WHOLE.exec(text) ?? BARE.exec(text) ?? []
  const hex = `0x${whole?.toLowerCase()}` as const
  if (whole?.length === 64) return { kind: 'transaction', hash: hex }
  if (whole !== undefined) return { kind: 'address', address: hex }
  return { kind: 'words', words: text, digits: PREFIX.exec(text)?.[1]?.toLowerCase() }
}
