/**
 * What it costs to raise the fee rate of an unconfirmed transaction: by replacing it (BIP 125 and full RBF), or by a
 * child that pays for it (CPFP).
 *
 * Rates are in satoshi per virtual byte. Fees are exact and rounded up, as in Core.
 */
import { feeOf } from './spend.ts'

export type BumpTx = {
  readonly txid: string
  readonly fee: number
  readonly vsize: number
  /** Unconfirmed transactions that it spends from directly. */
  readonly parents: readonly string[]
}

export type RelayPolicy = {
  /** What a replacement pays for its own relay. */
  readonly incrementalRate: number
  /** The lowest rate that the node accepts. */
  readonly minRate: number
  /** Whether the node replaces transactions that do not signal it. */
  readonly isFullRbf: boolean
}

/** Limits of Core's mempool on chains of unconfirmed transactions, each counted with the transaction itself. */
const MAX_CHAIN = 25
const MAX_CHAIN_VSIZE = 101_000
/** Transactions that one replacement can remove. */
const MAX_REPLACED = 100
/** Transactions of version 3 (BIP 431): one parent with one child, and the size of the child. */
export const TRUC_VERSION = 3
const MAX_TRUC_CHILD = 1_000
/** One more descendant of this size is allowed, if the transaction is its only ancestor. */
const CARVE_OUT_VSIZE = 10_000

export type Replacement = {
  readonly reason: 'NOT_SIGNALED' | 'TOO_MANY_REPLACED' | null
  /** The transaction and its descendants, which the replacement removes. */
  readonly replacedCount: number
  readonly replacedFees: number
  /** The lowest fee that nodes accept for the replacement. */
  readonly minFee: number
  /** The fee for the wanted rate, at least `minFee`. */
  readonly fee: number
  /** What it costs in addition to the fee that the transaction pays. */
  readonly cost: number
  readonly feeRate: number
}

export type ReplacementTerms = {
  readonly rate: number
  readonly policy: RelayPolicy
  readonly signals: boolean
  /** The size of the replacement. */
  readonly vsize: number
}

/** Replaces a transaction by one with the same inputs and outputs that pays more. */
export function planReplacement(
  tx: BumpTx,
  descendants: readonly BumpTx[],
  { rate, policy, signals, vsize }: ReplacementTerms,
): Replacement {
  const replacedFees = descendants.reduce((sum, { fee }) => sum + fee, tx.fee)
  const replacedCount = descendants.length + 1
  const forRelay = replacedFees + feeOf(policy.incrementalRate, vsize)
  // Its rate must exceed that of the transaction it conflicts with, also where it removes nothing else.
  const forRate = Math.floor((tx.fee * vsize) / tx.vsize) + 1
  const minFee = Math.max(forRelay, forRate, feeOf(policy.minRate, vsize))
  const fee = Math.max(minFee, feeOf(rate, vsize))
  const isReplaceable = signals || policy.isFullRbf
  return {
    reason: isReplaceable ? (replacedCount > MAX_REPLACED ? 'TOO_MANY_REPLACED' : null) : 'NOT_SIGNALED',
    replacedCount,
    replacedFees,
    minFee,
    fee,
    cost: fee - tx.fee,
    feeRate: fee / vsize,
  }
}

export type Child = {
  readonly reason: 'TOO_MANY_ANCESTORS' | 'TOO_MANY_DESCENDANTS' | 'TRUC_HAS_CHILD' | 'TRUC_CHILD_TOO_LARGE' | null
  /** The fee of the child. */
  readonly fee: number
  /** The transactions that the child pays for, and their size and fees without it. */
  readonly packageCount: number
  readonly packageVsize: number
  readonly packageFees: number
  /** The rate of the package with the child. */
  readonly feeRate: number
}

export type ChildTerms = {
  readonly rate: number
  readonly policy: RelayPolicy
  readonly isTruc: boolean
  /** The size of the child. */
  readonly vsize: number
}

/** The relatives of a transaction in the mempool. Neither list contains it. */
export type Family = {
  readonly ancestors: readonly BumpTx[]
  readonly descendants: readonly BumpTx[]
  /** Descendants of each ancestor with their size, without the ancestor, by txid. */
  readonly descendantsOf: (txid: string) => { readonly count: number; readonly vsize: number }
}

/**
 * Adds a child that pays for the transaction and for those of its ancestors that are not mined at the wanted rate anyway,
 * as Core's mini miner decides it.
 */
export function planChild(tx: BumpTx, family: Family, { rate, policy, isTruc, vsize }: ChildTerms): Child {
  const unpaid = unpaidAt(rate, [tx, ...family.ancestors])
  const packageVsize = unpaid.reduce((sum, each) => sum + each.vsize, 0)
  const packageFees = unpaid.reduce((sum, each) => sum + each.fee, 0)
  const fee = Math.max(
    feeOf(policy.minRate, vsize),
    feeOf(rate, packageVsize + vsize) - packageFees,
    feeOf(rate, vsize),
  )
  return {
    reason: childFault(tx, family, { isTruc, vsize }),
    fee,
    packageCount: unpaid.length,
    packageVsize,
    packageFees,
    feeRate: (packageFees + fee) / (packageVsize + vsize),
  }
}

/** Whether a transaction is mined at the rate with what it and its descendants pay. `txs` are all that this needs. */
export const isPaidAt = (rate: number, txid: string, txs: readonly BumpTx[]): boolean =>
  !unpaidAt(rate, txs).some((tx) => tx.txid === txid)

/** Removes what is mined at the rate without help: repeatedly, the ancestor set with the highest rate, if it is enough. */
function unpaidAt(rate: number, txs: readonly BumpTx[]): readonly BumpTx[] {
  let left = new Map(txs.map((tx) => [tx.txid, tx]))
  for (;;) {
    const sets = [...left.values()].map((tx) => {
      const set = ancestorSet(tx, left)
      return { set, fees: sumOf(set, 'fee'), vsize: sumOf(set, 'vsize') }
    })
    const [best] = sets.sort((a, b) => b.fees * a.vsize - a.fees * b.vsize)
    if (best === undefined || best.fees < feeOf(rate, best.vsize)) return [...left.values()]
    const mined = new Set(best.set.map(({ txid }) => txid))
    left = new Map([...left].filter(([txid]) => !mined.has(txid)))
  }
}

const sumOf = (txs: readonly BumpTx[], field: 'fee' | 'vsize'): number => txs.reduce((sum, tx) => sum + tx[field], 0)

function ancestorSet(tx: BumpTx, among: ReadonlyMap<string, BumpTx>): BumpTx[] {
  const found = new Map([[tx.txid, tx]])
  for (const each of found.values())
    for (const parent of each.parents) {
      const known = among.get(parent)
      if (known !== undefined) found.set(parent, known)
    }
  return [...found.values()]
}

function childFault(
  tx: BumpTx,
  family: Family,
  { isTruc, vsize }: Pick<ChildTerms, 'isTruc' | 'vsize'>,
): Child['reason'] {
  const { ancestors, descendants } = family
  if (isTruc) {
    if (ancestors.length > 0) return 'TOO_MANY_ANCESTORS'
    if (descendants.length > 0) return 'TRUC_HAS_CHILD'
    return vsize > MAX_TRUC_CHILD ? 'TRUC_CHILD_TOO_LARGE' : null
  }
  const above = ancestors.reduce((sum, each) => sum + each.vsize, tx.vsize)
  if (ancestors.length + 2 > MAX_CHAIN || above + vsize > MAX_CHAIN_VSIZE) return 'TOO_MANY_ANCESTORS'
  const isCrowded = ({ count, size }: { readonly count: number; readonly size: number }, carveOut: boolean): boolean =>
    count > MAX_CHAIN + (carveOut ? 1 : 0) || size > MAX_CHAIN_VSIZE + (carveOut ? CARVE_OUT_VSIZE : 0)
  const own = {
    count: descendants.length + 2,
    size: descendants.reduce((sum, each) => sum + each.vsize, tx.vsize) + vsize,
  }
  if (isCrowded(own, ancestors.length === 0 && vsize <= CARVE_OUT_VSIZE)) return 'TOO_MANY_DESCENDANTS'
  const crowded = ancestors.some(({ txid, vsize: size }) => {
    const below = family.descendantsOf(txid)
    return isCrowded({ count: below.count + 2, size: below.vsize + size + vsize }, false)
  })
  return crowded ? 'TOO_MANY_DESCENDANTS' : null
}
