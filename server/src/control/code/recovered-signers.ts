/** Accounts that ECRECOVER returns for a signature. */
import type { Address, Memory } from './memory.ts'
import type { Term, Terms } from './terms.ts'

/** Begins the tag of a signer that is what was in memory before where the signature is not valid, and not zero. */
const FILLED = 'filled:'

/** The precompiled contract that recovers the account of a signature. */
export const isRecovery = (target: Term): boolean => target.kind === 'constant' && target.value === 1n

/** Whether the account of a signature is zero where the signature is not valid. */
export const isBlankSigner = ({ kind, tag }: Term): boolean => kind === 'signer' && !tag.startsWith(FILLED)

/** Whether a term is the size of what was returned with the account of a signature: an invalid one returns nothing. */
export const isSizeWith = ({ kind, tag }: Term, signer: Term): boolean =>
  kind === 'returned' && tag === `size:${signer.tag.replace(FILLED, '')}`

/** The account of a signature. Of a second one in the same call nothing is known, as it may differ from the first. */
export function signerOf(terms: Terms, memory: Memory, address: Address | undefined, place: string): Term {
  if (memory.hasSigner) return terms.opaque(`signer${place}`, true)
  const before = memory.word(address, terms, () => terms.one)
  return terms.signer(before === terms.zero ? place : FILLED + place)
}
