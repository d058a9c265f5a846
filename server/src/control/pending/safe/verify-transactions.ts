/**
 * Checks what a Safe Transaction Service returned against the Safe on the chain. The service may lie.
 *
 * The hash is computed again from the fields, so that no field can differ from what was signed. A transaction counts only
 * with the signature of an owner: without one, anyone could have proposed it.
 */
import type { Hex } from '../../../lib/hex.ts'
import {
  readSignature,
  type SafeTransaction,
  type SafeVersion,
  type Signature,
  safeTransactionHash,
} from '../../profile/safe-transaction.ts'
import type { ContractRef } from '../../registry/contracts.ts'
import type { ServiceList, ServiceTransaction } from './safe-service.ts'

/** A Safe at one block. */
export type Safe = ContractRef & {
  readonly version: SafeVersion
  readonly owners: readonly Hex[]
  readonly threshold: number
  readonly nonce: bigint
}

export type VerifiedTransaction = SafeTransaction & {
  readonly hash: Hex
  /** Owners whose signatures are valid, in the order of the owner list. */
  readonly confirmedBy: readonly Hex[]
  /** The account that the service names as proposer, if it is one of these owners. */
  readonly proposer: Hex | undefined
  /** As the service states it. */
  readonly submittedAt: number | undefined
}

/** Why an entry or a signature was dropped. */
export const DROP_REASONS = [
  'malformed',
  'other_safe',
  'wrong_hash',
  'repeated',
  'used_nonce',
  'foreign_signature',
  'invalid_signature',
  'unsigned',
  // The transactions of a Safe could not be requested.
  'unread',
] as const
type DropReason = (typeof DROP_REASONS)[number]
export type Dropped = Partial<Record<DropReason, number>>

/** Checks that need the chain. */
export type SignatureChecks = {
  /** Whether the Safe stores the approval of the owner. */
  readonly isApproved: (owner: Hex, hash: Hex) => Promise<boolean>
  /** Whether the contract accepts the signature as its own. */
  readonly isAccepted: (owner: Hex, transaction: SafeTransaction, signature: Hex) => Promise<boolean>
}

export type Verified = { readonly transactions: readonly VerifiedTransaction[]; readonly dropped: Dropped }

export type ReadSignature = typeof readSignature

/** Remembers the signers of the last signatures: a service returns the same ones every minute. */
export function rememberingSigners(size = 10_000): ReadSignature {
  const known = new Map<string, Signature | undefined>()
  return async (hash, signature) => {
    const key = `${hash}${signature}`
    const found = known.has(key) ? known.get(key) : await readSignature(hash, signature)
    known.delete(key)
    known.set(key, found)
    if (known.size > size) for (const oldest of known.keys()) return known.delete(oldest) ? found : undefined
    return found
  }
}

export async function verifyTransactions(
  checks: SignatureChecks & { readonly readSignature: ReadSignature },
  safe: Safe,
  { transactions, malformed }: Pick<ServiceList, 'transactions' | 'malformed'>,
): Promise<Verified> {
  const dropped: Partial<Record<DropReason, number>> = malformed === 0 ? {} : { malformed }
  const drop = (reason: DropReason): void => {
    dropped[reason] = (dropped[reason] ?? 0) + 1
  }
  const verified = new Map<Hex, VerifiedTransaction>()
  for (const transaction of transactions) {
    const fault = faultOf(safe, transaction)
    if (fault !== undefined) drop(fault)
    else if (verified.has(transaction.safeTxHash)) drop('repeated')
    else {
      const confirmedBy = await confirmationsOf(checks, safe, transaction, drop)
      if (confirmedBy.length === 0) drop('unsigned')
      else verified.set(transaction.safeTxHash, verifiedOf(transaction, confirmedBy))
    }
    // Recovering keys takes time: other work goes on between two transactions.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { transactions: [...verified.values()], dropped }
}

function faultOf(safe: Safe, transaction: ServiceTransaction): DropReason | undefined {
  if (transaction.safe !== safe.address) return 'other_safe'
  if (safeTransactionHash(safe, safe.version, transaction) !== transaction.safeTxHash) return 'wrong_hash'
  return transaction.nonce < safe.nonce ? 'used_nonce' : undefined
}

function verifiedOf(
  { safe: _safe, safeTxHash, proposer, confirmations: _confirmations, ...rest }: ServiceTransaction,
  confirmedBy: readonly Hex[],
): VerifiedTransaction {
  const isKnown = proposer !== undefined && confirmedBy.includes(proposer)
  return { ...rest, hash: safeTxHash, confirmedBy, proposer: isKnown ? proposer : undefined }
}

async function confirmationsOf(
  { isApproved, isAccepted, readSignature }: SignatureChecks & { readonly readSignature: ReadSignature },
  { owners }: Safe,
  transaction: ServiceTransaction,
  drop: (reason: DropReason) => void,
): Promise<readonly Hex[]> {
  const confirmed = new Set<Hex>()
  // The chain is read once for each owner: repeated signatures must not keep the endpoints busy.
  const read = new Set<Hex>()
  const isValidOnChain = async (owner: Hex, found: Exclude<Signature, { kind: 'key' }>): Promise<boolean> => {
    if (read.has(owner)) return false
    read.add(owner)
    return found.kind === 'approved'
      ? await isApproved(owner, transaction.safeTxHash)
      : await isAccepted(owner, transaction, found.signature)
  }
  for (const { owner, signature } of transaction.confirmations) {
    if (!owners.includes(owner)) drop('foreign_signature')
    else if (!confirmed.has(owner)) {
      const found = await readSignature(transaction.safeTxHash, signature)
      const isValid = found?.signer === owner && (found.kind === 'key' || (await isValidOnChain(owner, found)))
      if (isValid) confirmed.add(owner)
      else drop(found !== undefined && found.signer !== owner ? 'foreign_signature' : 'invalid_signature')
    }
  }
  return owners.filter((owner) => confirmed.has(owner))
}
