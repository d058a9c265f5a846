/** Accounts that ECRECOVER returns for a signature. */
import type { Fact } from './conditions.ts'
import type { RawEffect } from './dataflow.ts'
import { OP } from './instructions.ts'
import type { Address, Memory } from './memory.ts'
import { type Segment, type Term, type Terms, withoutMask } from './terms.ts'

/** Begins the tag of a signer that is what was in memory before where the signature is not valid, and not zero. */
const FILLED = 'filled:'

/** The precompiled contract that recovers the account of a signature. */
export const isRecovery = (target: Term): boolean => target.kind === 'constant' && target.value === 1n

/** Whether the account of a signature is zero where the signature is not valid. */
const isBlankSigner = ({ kind, tag }: Term): boolean => kind === 'signer' && !tag.startsWith(FILLED)

/** Whether a term is the size of what was returned with the account of a signature: an invalid one returns nothing. */
const isSizeWith = ({ kind, tag }: Term, signer: Term): boolean =>
  kind === 'returned' && tag === `size:${signer.tag.replace(FILLED, '')}`

/** The account of a signature. Of a second one in the same call nothing is known, as it may differ from the first. */
export function signerOf(terms: Terms, memory: Memory, address: Address | undefined, place: string): Term {
  if (memory.hasSigner) return terms.opaque(`signer${place}`, true)
  const before = memory.word(address, terms, () => terms.one)
  return terms.signer(before === terms.zero ? place : FILLED + place)
}

/** Whether a call is the one that returned the account of a signature. */
export const isRecoveryOf = ({ tag }: Term, { at, blocks }: Pick<RawEffect, 'at' | 'blocks'>): boolean =>
  blocks.some((node) => tag.replace(FILLED, '') === `${node}.${at}`)

/** Whether the account is that of a valid signature: otherwise it is zero, or what was in memory before. */
export function isValidSigner(signer: Term, facts: readonly Fact[]): boolean {
  const isSet = (account: Term): boolean => facts.some(({ term, holds }) => holds && withoutMask(term) === account)
  if (facts.some(({ term, holds }) => holds && isSizeWith(term, signer))) return true
  return isBlankSigner(signer) && (isSet(signer) || namesOf(signer, facts).some(isSet))
}

/** Words of the input that are equal to the signer: the account that the caller names as the one that signed. */
export const namesOf = (signer: Term, facts: readonly Fact[]): readonly Term[] =>
  facts.flatMap(({ term, holds }) => {
    if (!holds || term.kind !== 'operation' || term.op !== OP.EQ) return []
    const [left, right] = term.args.map(withoutMask)
    const name = left === signer ? right : right === signer ? left : undefined
    return name?.kind === 'input' ? [name] : []
  })

/** The whole words that a digest is the hash of, also by hashes in it. None where it is no hash, such as what the caller passes. */
export function wordsSigned(digest: Segment | undefined): ReadonlySet<Term> {
  const found = new Set<Term>()
  const add = ({ term, from, to }: Segment): void => {
    if (from !== 0 || to !== 32 || found.has(term)) return
    found.add(term)
    if (term.kind === 'hash') for (const each of term.segments ?? []) add(each)
  }
  if (digest?.term.kind === 'hash') add(digest)
  return found
}
