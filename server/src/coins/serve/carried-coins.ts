/**
 * Inspects coins for inscriptions and runes: in the transaction that created them and, if requested, in those that their
 * satoshi come from.
 */
import {
  type CarriedAsset,
  inheritsRunes,
  inscriptionsIn,
  needsInputValues,
  originsOf,
  runesIn,
  type SatRange,
} from '../analyze/carried-assets.ts'
import type { Transaction } from '../parse/transaction.ts'
import { invalid } from './payment-terms.ts'
import type { ServedChain } from './served-chain.ts'
import { loadTransactions, outpointKey } from './transaction-view.ts'

export type Outpoint = { readonly txid: string; readonly vout: number }

/** Transactions that one request loads beyond those that created the coins: each can cost a call to the node. */
const MAX_LOADED = 500
/** Inputs of a transaction whose values are loaded. */
const MAX_INPUTS = 100

type Budget = { left: number }

/** Returns what each coin carries, by outpoint. Coins of unknown transactions are left out. */
export async function inspectCoins(
  chain: ServedChain,
  coins: readonly Outpoint[],
  { depth }: { readonly depth: number },
): Promise<{ readonly carried: ReadonlyMap<string, readonly CarriedAsset[]>; readonly isComplete: boolean }> {
  const txs = await loadTransactions(chain, new Set(coins.map(({ txid }) => txid)))
  const budget: Budget = { left: MAX_LOADED }
  const carried = new Map<string, readonly CarriedAsset[]>()
  for (const coin of coins) {
    const tx = txs.get(coin.txid)
    const value = tx?.outputs[coin.vout]?.value
    if (tx === undefined || value === undefined) continue
    const found = await inspect(chain, tx, coin.vout, { range: { from: 0, to: value }, runes: true, depth, budget })
    carried.set(outpointKey(coin), unique(found))
  }
  return { carried, isComplete: budget.left >= 0 }
}

type Search = {
  /** The satoshi whose inscriptions are followed; undefined if none are. */
  readonly range: SatRange | undefined
  /** Whether runes are followed. They have no position: an output has them or not. */
  readonly runes: boolean
  readonly depth: number
  readonly budget: Budget
}

async function inspect(chain: ServedChain, tx: Transaction, vout: number, search: Search): Promise<CarriedAsset[]> {
  const { range, runes, depth, budget } = search
  const parents = depth > 0 || needsInputValues(tx) ? await parentsOf(chain, tx, budget) : undefined
  const values = parents?.map(({ value }) => value) ?? []
  const found = [
    ...(range === undefined ? [] : inscriptionsIn(tx, vout, range, parents === undefined ? undefined : values)),
    ...(runes ? runesIn(tx, vout) : []),
  ]
  if (parents === undefined || depth === 0) return found
  const passesRunes = runes && inheritsRunes(tx, vout)
  const origins = range === undefined ? [] : originsOf(tx, vout, range, values)
  const ranges = new Map(origins.map(({ input, range: part }) => [input, part]))
  for (const [input, parent] of parents.entries()) {
    const part = ranges.get(input)
    if (part === undefined && !passesRunes) continue
    const next = { range: part, runes: passesRunes, depth: depth - 1, budget }
    found.push(...(await inspect(chain, parent.tx, parent.vout, next)))
  }
  return found
}

type Parent = { readonly tx: Transaction; readonly vout: number; readonly value: number }

/** The transactions that the inputs spend from, in order; undefined for a coinbase or beyond the limits. */
async function parentsOf(chain: ServedChain, tx: Transaction, budget: Budget): Promise<Parent[] | undefined> {
  const prevouts = tx.inputs.flatMap(({ prevout }) => prevout ?? [])
  if (prevouts.length < tx.inputs.length) return undefined
  if (prevouts.length > Math.min(MAX_INPUTS, budget.left)) {
    budget.left = -1
    return undefined
  }
  budget.left -= prevouts.length
  const loaded = await loadTransactions(chain, new Set(prevouts.map(({ txid }) => txid)))
  const parents = prevouts.flatMap(({ txid, vout }) => {
    const parent = loaded.get(txid)
    const value = parent?.outputs[vout]?.value
    return parent === undefined || value === undefined ? [] : [{ tx: parent, vout, value }]
  })
  return parents.length === prevouts.length ? parents : undefined
}

const unique = (assets: readonly CarriedAsset[]): CarriedAsset[] => [
  ...new Map(assets.map((asset) => [`${asset.kind} ${asset.txid} ${asset.input}`, asset])).values(),
]

/** POST /utxos/inspect. */
export async function getCarriedAssets(
  chain: ServedChain,
  { outpoints, depth }: { readonly outpoints: readonly string[]; readonly depth: number },
) {
  const coins = outpoints.map((text) => {
    const [txid = '', vout = ''] = text.split(':')
    return { txid, vout: Number(vout) }
  })
  const { carried, isComplete } = await inspectCoins(chain, coins, { depth })
  return {
    chain: chain.network.chain,
    isComplete,
    outputs: coins.map((coin, i) => {
      const assets = carried.get(outpointKey(coin))
      if (assets === undefined) throw invalid(`outpoints.${i}: is not an output of a known transaction.`)
      return { ...coin, assets: [...assets] }
    }),
  }
}
