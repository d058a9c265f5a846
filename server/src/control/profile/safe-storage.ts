/**
 * Proves that a Safe has no other owners, modules and approvals than those that are listed.
 *
 * Code that a Safe runs by delegatecall, in its setup or later, may write any slot without an event. Released code reads
 * its storage at known positions, so a Safe is proven if its storage holds nothing outside of them.
 */
import type { Hex } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { isFixedHandler } from '../catalog/safe-libraries.ts'
import { toWord } from './abi-values.ts'
import { each, type Facts } from './facts.ts'
import { elementOf } from './listed-entries.ts'
import type { SafeAccount } from './safe-account.ts'
import { SLOTS } from './slots.ts'

const NONCE = toWord(5)
const MAX_NONCE = 1n << 32n
/** Singleton, number of owners, threshold, nonce, domain separator of old releases, guards and fallback handler. */
const FIXED: readonly Hex[] = [
  ...[0, 3, 4, 5, 6].map(toWord),
  SLOTS.safeGuard,
  SLOTS.safeModuleGuard,
  SLOTS.safeFallbackHandler,
]
const SENTINEL = toWord(1)
const [MODULES, OWNERS, MESSAGES, APPROVALS] = [toWord(1), toWord(2), toWord(7), toWord(8)]
/** A bound against histories that are built to be long. */
const MAX_POSITIONS = 2_000

const approval = (owner: Hex, hash: Hex): Hex => elementOf(elementOf(APPROVALS, owner), hash)

/**
 * Whether a Safe signs for another Safe by its owners alone. It does not if its lists may not be all, if other code answers
 * for it, or if it stored approvals or messages that no owner is known to have given: code that it ran may have stored them.
 */
export function signsByOwners(facts: Facts, safe: SafeAccount): boolean {
  const { fallbackHandler } = safe
  // Code may still be deployed at a handler without code.
  if (fallbackHandler !== undefined && !isFixedHandler(facts.sameChain(fallbackHandler).code()?.hash ?? '0x'))
    return false
  if (unprovenStorage(facts, safe) !== undefined || doubtfulApprovals(facts, safe).length > 0) return false
  return facts.holdsOnly(listedPositions(safe)) === true || facts.members('history')?.messages.length === 0
}

const listedPositions = (safe: SafeAccount): readonly Hex[] => [
  ...FIXED,
  ...[SENTINEL, ...safe.owners].map((owner) => elementOf(OWNERS, owner)),
  ...[SENTINEL, ...safe.modules].map((module) => elementOf(MODULES, module)),
]

/** Why the lists of a Safe may not be all; undefined where they are proven to be. */
export function unprovenStorage(facts: Facts, safe: SafeAccount): Reason | undefined {
  const of = { code: 'storage_unproven', address: facts.state.address } as const
  const listed = listedPositions(safe)
  if (facts.holdsOnly(listed) === true) return undefined
  // Most Safes have no approvals and messages, so their events are read only where there is more.
  const history = facts.members('history')
  if (history === undefined) return { ...of, why: 'others' }
  const { approvals, messages, removed } = history
  const used = [
    ...approvals.map(({ owner, hash }) => approval(owner, hash)),
    ...messages.map((hash) => elementOf(MESSAGES, hash)),
    ...removed.flatMap((account) => [elementOf(OWNERS, account), elementOf(MODULES, account)]),
  ]
  const positions = [...new Set([...listed, ...used])]
  if (positions.length > MAX_POSITIONS) return { ...of, why: 'too_many' }
  if (used.length === 0 || facts.holdsOnly(positions) !== true) return { ...of, why: 'others' }
  const isApproved = openApprovals(facts, safe).some(({ all }) => all.length >= safe.threshold)
  return isApproved ? { ...of, why: 'approved' } : undefined
}

/**
 * Owners whose approval of a transaction is stored that can still be executed, for each transaction. `all`: every approval;
 * `unsent`: those that no transaction of the owner shows. Code that the Safe ran may have stored these and emitted their
 * events.
 */
function openApprovals(
  facts: Facts,
  { owners }: SafeAccount,
): readonly { readonly all: readonly Hex[]; readonly unsent: readonly Hex[] }[] {
  const stored = BigInt(facts.storage(NONCE) ?? 0)
  // A forged nonce near the end of its range starts again at zero.
  const nonce = stored < MAX_NONCE ? Number(stored) : 0
  const open = (facts.members('history')?.approvals ?? []).filter(
    (approved) => owners.includes(approved.owner) && (approved.nonce === undefined || approved.nonce >= nonce),
  )
  const isStored = each(open, ({ owner, hash }) => facts.storage(approval(owner, hash)) !== undefined)
  const byHash = Map.groupBy(
    open.filter((_, at) => isStored[at]),
    ({ hash }) => hash,
  )
  return [...byHash.values()].map((of) => ({
    all: of.map(({ owner }) => owner),
    unsent: of.filter(({ isSent }) => isSent !== true).map(({ owner }) => owner),
  }))
}

/** Owners whose approval of a transaction may be forged, for each transaction. */
export const doubtfulApprovals = (facts: Facts, safe: SafeAccount): readonly (readonly Hex[])[] =>
  facts.holdsOnly(listedPositions(safe)) === true
    ? []
    : openApprovals(facts, safe)
        .map(({ unsent }) => unsent)
        .filter(({ length }) => length > 0)
