/**
 * Proves that a Safe has no other owners, modules and approvals than those that are listed.
 *
 * Code that a Safe runs by delegatecall, in its setup or later, may write any slot without an event. Released code reads
 * its storage at known positions, so a Safe is proven if its storage holds nothing outside of them.
 */
import { concatHex, type Hex, keccak256 } from 'viem'
import type { Reason } from '../../../../vocabulary/reasons.ts'
import { isFixedHandler } from '../catalog/safe-libraries.ts'
import { toWord } from './abi-values.ts'
import { each, type Facts } from './facts.ts'
import type { SafeAccount } from './safe-account.ts'
import { SLOTS } from './slots.ts'

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

const entry = (table: Hex, key: Hex): Hex => keccak256(concatHex([toWord(key), table]))
const approval = (owner: Hex, hash: Hex): Hex => entry(entry(APPROVALS, owner), hash)

/**
 * Whether a Safe signs for another Safe by its owners alone. It does not if its lists may not be all, if other code answers
 * for it, or if it stored messages as signed: code that it ran may have stored them.
 */
export function signsByOwners(facts: Facts, safe: SafeAccount): boolean {
  const { fallbackHandler } = safe
  const handler = fallbackHandler === undefined ? undefined : facts.sameChain(fallbackHandler).code()
  if (handler !== undefined && !isFixedHandler(handler.hash)) return false
  if (unprovenStorage(facts, safe) !== undefined) return false
  return facts.holdsOnly(listedPositions(safe)) === true || facts.members('history')?.messages.length === 0
}

const listedPositions = (safe: SafeAccount): readonly Hex[] => [
  ...FIXED,
  ...[SENTINEL, ...safe.owners].map((owner) => entry(OWNERS, owner)),
  ...[SENTINEL, ...safe.modules].map((module) => entry(MODULES, module)),
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
    ...messages.map((hash) => entry(MESSAGES, hash)),
    ...removed.flatMap((account) => [entry(OWNERS, account), entry(MODULES, account)]),
  ]
  const positions = [...new Set([...listed, ...used])]
  if (positions.length > MAX_POSITIONS) return { ...of, why: 'too_many' }
  if (used.length === 0 || facts.holdsOnly(positions) !== true) return { ...of, why: 'others' }
  return approvedByEnough(facts, safe) ? { ...of, why: 'approved' } : undefined
}

/**
 * Whether enough owners approved a transaction that any account may execute then. Code that the Safe ran may have stored
 * the approvals and emitted their events.
 */
function approvedByEnough(facts: Facts, { owners, threshold }: SafeAccount): boolean {
  const approvals = (facts.members('history')?.approvals ?? []).filter(({ owner }) => owners.includes(owner))
  const byHash = [...Map.groupBy(approvals, ({ hash }) => hash).values()].filter((of) => of.length >= threshold)
  return each(byHash, (of) => {
    const stored = each(of, ({ owner, hash }) => facts.storage(approval(owner, hash)) !== undefined)
    return stored.filter(Boolean).length >= threshold
  }).includes(true)
}
