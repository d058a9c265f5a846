/** GET /tx/{txid}/bump: how to raise the fee rate of an unconfirmed transaction, and what each method costs. */
import { ApiError } from '../../lib/http/api-error.ts'
import { rateForTarget } from '../fees/fee-tiers.ts'
import type { MempoolTx, MempoolView } from '../mempool/mempool-view.ts'
import { describeScript } from '../parse/address.ts'
import type { Transaction } from '../parse/transaction.ts'
import {
  type BumpTx,
  type Child,
  type Family,
  isPaidAt,
  planChild,
  planReplacement,
  type RelayPolicy,
  type Replacement,
  TRUC_VERSION,
} from '../select/bump.ts'
import { signedAgainWeight } from '../select/observed-spend.ts'
import { dustThreshold, outputBytes, txWeight, virtualSize } from '../select/weights.ts'
import type { FeeService } from './fee-service.ts'
import { estimateInputSize } from './input-size.ts'
import { invalid } from './payment-terms.ts'
import type { ServedChain } from './served-chain.ts'
import { findConfirmed, findUnconfirmed, parseUnconfirmed, txNotFound } from './transaction-view.ts'

export type BumpRequest = { readonly feeRate?: number | undefined; readonly confTarget?: number | undefined }

/** Without a rate or a target: a place in one of the next blocks. */
const DEFAULT_TARGET = 2
/** Outputs for which a child is planned. */
const MAX_CHILDREN = 25
/** Relatives that are read. Nodes allow chains of 25; a transaction with many parents has more. */
const MAX_RELATIVES = 1_000
/** Sequences below signal replacement (BIP 125). */
const SIGNAL_BELOW = 0xffff_fffe

const unavailable = (): ApiError =>
  new ApiError({
    status: 503,
    code: 'UNAVAILABLE',
    message: 'The unconfirmed transactions are not known at the moment. Try again in a few seconds.',
  })

export async function getBump(feeService: FeeService, chain: ServedChain, txid: string, request: BumpRequest) {
  const { mempool, network, relay } = chain
  if (request.feeRate !== undefined && request.confTarget !== undefined)
    throw invalid('confTarget: cannot be combined with feeRate. Omit one of them.')
  if (findConfirmed(chain, txid) !== undefined)
    return { txid, chain: network.chain, state: 'confirmed' as const, recommendation: NONE, advice: null }
  if (relay === undefined || mempool.blockHash === undefined) throw unavailable()
  const quote = await feeService.quote(chain)
  const policy = await relay.getRelayPolicy()
  const found = mempool.find(txid)
  if (found === undefined) throw txNotFound(chain, txid)
  const confTarget = request.feeRate === undefined ? (request.confTarget ?? DEFAULT_TARGET) : null
  const rate = request.feeRate ?? rateForTarget(confTarget ?? DEFAULT_TARGET, quote)
  const parsed = parseUnconfirmed(chain, found)
  const isTruc = parsed.version === TRUC_VERSION
  const tx = bumpTx(mempool, found)
  const { family, all } = familyOf(mempool, found)
  const signals =
    isTruc || [parsed, ...family.ancestors.map(({ txid }) => findUnconfirmed(chain, txid))].some(isSignaling)
  const replacement = planReplacement(tx, family.descendants, {
    rate,
    policy,
    signals,
    vsize: virtualSize(signedAgainWeight(parsed)),
  })
  const children = await childrenOf(chain, { tx, found, parsed, family, terms: { rate, policy, isTruc } })
  const isEnough = isPaidAt(rate, txid, all)
  const best = children.find(({ reason }) => reason === null)
  return {
    txid,
    chain: network.chain,
    state: 'unconfirmed' as const,
    recommendation: recommend(isEnough, replacement, best),
    advice: {
      version: parsed.version,
      vsize: tx.vsize,
      fee: tx.fee,
      feeRate: round(tx.fee / tx.vsize),
      targetFeeRate: rate,
      confTarget,
      isEnough,
      ancestors: sumsOf(family.ancestors),
      descendants: sumsOf(family.descendants),
      rbf: replacementView(replacement, { signals, isTruc, policy }),
      cpfp: { possible: best !== undefined, children },
    },
  }
}

const NONE = 'none' as const

function recommend(isEnough: boolean, { reason, cost }: Replacement, child: { readonly fee: number } | undefined) {
  if (isEnough) return NONE
  const [byReplacement, byChild] = [reason === null ? cost : Infinity, child?.fee ?? Infinity]
  if (byReplacement === Infinity && byChild === Infinity) return 'wait' as const
  return byReplacement <= byChild ? ('rbf' as const) : ('cpfp' as const)
}

type ReplacementRules = { readonly signals: boolean; readonly isTruc: boolean; readonly policy: RelayPolicy }

function replacementView({ feeRate, ...replacement }: Replacement, { signals, isTruc, policy }: ReplacementRules) {
  return {
    possible: replacement.reason === null,
    rule: isTruc ? ('truc' as const) : signals ? ('bip125' as const) : policy.isFullRbf ? ('full-rbf' as const) : null,
    ...replacement,
    feeRate: round(feeRate),
  }
}

const isSignaling = (tx: Transaction | undefined): boolean =>
  tx?.inputs.some(({ sequence }) => sequence < SIGNAL_BELOW) === true

const bumpTx = (mempool: MempoolView, { txid, fee, vsize, inputs }: MempoolTx): BumpTx => ({
  txid,
  fee,
  vsize,
  parents: inputs.flatMap(({ txid: parent }) => (mempool.find(parent) === undefined ? [] : [parent])),
})

/** Rates are shown with three decimal places, rounded down. */
const round = (rate: number): number => Math.floor(rate * 1_000 + 1e-9) / 1_000

function sumsOf(txs: readonly BumpTx[]) {
  return {
    count: txs.length,
    vsize: txs.reduce((sum, { vsize }) => sum + vsize, 0),
    fees: txs.reduce((sum, { fee }) => sum + fee, 0),
  }
}

/** Follows a relation from a transaction, which the result does not contain. */
function relativesOf(mempool: MempoolView, from: MempoolTx, next: (tx: MempoolTx) => readonly string[]): MempoolTx[] {
  const found = new Map<string, MempoolTx>([[from.txid, from]])
  for (const tx of found.values()) {
    for (const txid of next(tx)) {
      const relative = found.has(txid) ? undefined : mempool.find(txid)
      if (relative !== undefined) found.set(txid, relative)
    }
    if (found.size > MAX_RELATIVES) break
  }
  found.delete(from.txid)
  return [...found.values()]
}

const parentsOf = ({ inputs }: MempoolTx): readonly string[] => inputs.map(({ txid }) => txid)
const childrenIn =
  (mempool: MempoolView) =>
  ({ txid, outputs }: MempoolTx): readonly string[] =>
    outputs.flatMap((_, vout) => mempool.findSpender(txid, vout) ?? [])

/** The relatives of a transaction, and everything that its descendants need to be mined. */
function familyOf(mempool: MempoolView, tx: MempoolTx) {
  const toBump = (each: MempoolTx): BumpTx => bumpTx(mempool, each)
  const children = childrenIn(mempool)
  const ancestors = relativesOf(mempool, tx, parentsOf)
  const descendants = relativesOf(mempool, tx, children)
  const all = new Map([tx, ...ancestors, ...descendants].map((each) => [each.txid, each]))
  for (const each of descendants)
    for (const needed of relativesOf(mempool, each, parentsOf)) all.set(needed.txid, needed)
  const family: Family = {
    ancestors: ancestors.map(toBump),
    descendants: descendants.map(toBump),
    descendantsOf: (txid) => {
      const ancestor = all.get(txid)
      return sumsOf(ancestor === undefined ? [] : relativesOf(mempool, ancestor, children).map(toBump))
    },
  }
  return { family, all: [...all.values()].map(toBump) }
}

type ChildParts = {
  readonly tx: BumpTx
  readonly found: MempoolTx
  readonly parsed: Transaction
  readonly family: Family
  readonly terms: { readonly rate: number; readonly policy: RelayPolicy; readonly isTruc: boolean }
}

/** A child for each output that is not spent yet, with one output to the same address. Possible and cheap ones first. */
async function childrenOf(chain: ServedChain, { tx, found, parsed, family, terms }: ChildParts) {
  const { network, mempool } = chain
  const children: (Omit<Child, 'feeRate' | 'reason'> & {
    readonly vout: number
    readonly address: string
    readonly value: number
    readonly vsize: number
    readonly feeRate: number
    readonly reason: Child['reason'] | 'OUTPUT_TOO_SMALL'
    readonly isSizeAssumed: boolean
  })[] = []
  for (const [vout, { script, value }] of parsed.outputs.entries()) {
    const { address, type } = describeScript(network, script)
    if (address === null || mempool.findSpender(found.txid, vout) !== undefined) continue
    const estimate = await estimateInputSize(chain, { text: address, type, script })
    if (estimate === undefined) continue
    const weight = txWeight({ inputs: 1, input: estimate.size, outputs: 1, outputBytes: outputBytes(script) })
    const vsize = virtualSize(weight)
    const child = planChild(tx, family, { ...terms, vsize })
    const left = value - child.fee
    const isTooSmall = left < dustThreshold(script, network.dustRelayRate)
    children.push({
      vout,
      address,
      value,
      vsize,
      ...child,
      feeRate: round(child.feeRate),
      reason: child.reason ?? (isTooSmall ? 'OUTPUT_TOO_SMALL' : null),
      isSizeAssumed: estimate.assumptions.length > 0,
    })
    if (children.length >= MAX_CHILDREN) break
  }
  return children.sort(
    (a, b) => Number(a.reason !== null) - Number(b.reason !== null) || a.fee - b.fee || b.value - a.value,
  )
}
