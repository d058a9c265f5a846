/**
 * Keeps coins out of payments that should not be spent by accident: those with inscriptions or runes, and outputs of dust
 * attacks.
 *
 * Only coins that a strategy selects are inspected, because each costs a read of its transaction. A flagged coin is removed
 * and the strategy selects again, until it selects none.
 */
import type { CarriedAsset } from '../analyze/carried-assets.ts'
import { type DustSuspect, findDustSuspects } from '../analyze/dust-attack.ts'
import type { KvReader } from '../index/kv.ts'
import type { Network } from '../networks/network.ts'
import { NodeUnreachableError } from '../node/node-errors.ts'
import type { Simulation, Strategy } from '../select/simulate.ts'
import type { Coin } from '../select/spend.ts'
import { inspectCoins } from './carried-coins.ts'
import type { PaymentSource } from './payment-source.ts'
import type { ServedChain } from './served-chain.ts'
import { coinKey } from './spendable-coins.ts'
import { loadTransactions, outpointKey } from './transaction-view.ts'

export type Protection = 'small' | 'all' | 'none'

export type ProtectedCoin = {
  readonly coin: Coin
  readonly txid: string
  readonly vout: number
  readonly value: number
  readonly assets: readonly CarriedAsset[]
  readonly dustAttack: Pick<DustSuspect, 'verdict' | 'reasons'> | null
}

export type Inspection = {
  readonly flagged: readonly ProtectedCoin[]
  /** Required coins that would be flagged. */
  readonly required: readonly ProtectedCoin[]
  /** Whether every selected coin that can be flagged was inspected. */
  readonly isComplete: boolean
}

/** Inscriptions and runes are usually on coins up to this value, at Bitcoin Core's dust relay rate. */
const SMALL = 20_000
const CORE_DUST_RATE = 3_000
/** Coins that one request inspects. */
const MAX_INSPECTED = 300

const smallBelow = ({ dustRelayRate }: Network): number => (SMALL * dustRelayRate) / CORE_DUST_RATE

export type ProtectionTerms = {
  readonly protect: Protection
  readonly strategies: readonly Strategy[]
  readonly required: readonly Coin[]
  /** Selects among the coins without those with these keys. */
  readonly select: (strategy: Strategy, without: ReadonlySet<string>) => Simulation
  readonly dust: { readonly dustThreshold: number; readonly dustSizedBelow: number }
}

export async function protectCoins(
  chain: ServedChain,
  reader: KvReader,
  source: PaymentSource,
  { protect, strategies, required, select, dust }: ProtectionTerms,
): Promise<Inspection> {
  if (protect === 'none') return { flagged: [], required: [], isComplete: true }
  const most = protect === 'all' ? Number.POSITIVE_INFINITY : smallBelow(chain.network)
  const inspected = new Set(required.map(coinKey))
  const isNew = (coin: Coin): boolean => coin.value <= most && !inspected.has(coinKey(coin))
  const flagged: ProtectedCoin[] = []
  let left = MAX_INSPECTED
  let isComplete = true
  const flag = async (coins: readonly Coin[]): Promise<ProtectedCoin[]> => {
    try {
      return await inspect(chain, reader, source, coins, dust)
    } catch (error) {
      // Selecting coins needs no node, so a node that does not answer does not prevent it.
      if (!(error instanceof NodeUnreachableError)) throw error
      isComplete = false
      left = 0
      return []
    }
  }
  /** Selects with a strategy until it selects nothing that has to be flagged. */
  const settle = async (strategy: Strategy): Promise<void> => {
    for (;;) {
      const result = select(strategy, new Set(flagged.map(({ coin }) => coinKey(coin))))
      const fresh = result.viable ? result.coins.filter(isNew) : []
      const part = fresh.slice(0, left)
      isComplete &&= part.length === fresh.length
      left -= part.length
      for (const coin of part) inspected.add(coinKey(coin))
      const found = await flag(part)
      if (found.length === 0) return
      flagged.push(...found)
    }
  }
  // A strategy can select other coins after a later one found something, so all of them are tried again.
  for (let count = -1; count !== flagged.length; ) {
    count = flagged.length
    for (const strategy of strategies) await settle(strategy)
  }
  const known = await flag(required.filter(({ value }) => value <= most).slice(0, MAX_INSPECTED))
  return { flagged, required: known, isComplete }
}

async function inspect(
  chain: ServedChain,
  reader: KvReader,
  source: PaymentSource,
  coins: readonly Coin[],
  dust: ProtectionTerms['dust'],
): Promise<ProtectedCoin[]> {
  if (coins.length === 0) return []
  const placed = coins.map((coin) => ({ coin, ...source.available.outpointOf(reader, coin), value: coin.value }))
  const { carried } = await inspectCoins(chain, placed, { depth: 0 })
  const txs = await loadTransactions(chain, new Set(placed.map(({ txid }) => txid)))
  return placed.flatMap((each): ProtectedCoin[] => {
    const assets = carried.get(outpointKey(each)) ?? []
    const tx = txs.get(each.txid)
    const [suspect] =
      tx === undefined || !source.wasUsedBefore(each.coin)
        ? []
        : findDustSuspects({
            utxos: [{ ...each.coin, isSettled: true, firstUse: -1 }],
            history: [],
            txs: [
              {
                txid: each.txid,
                order: each.coin.order,
                isSpend: source.spentIn(each.coin),
                inputCount: tx.inputs.length,
                inputs: [],
                outputs: tx.outputs.map(({ value }) => ({ value, script: '', type: 'nonstandard', isOwn: false })),
              },
            ],
            ...dust,
          })
    if (assets.length === 0 && suspect === undefined) return []
    const { verdict, reasons } = suspect ?? {}
    return [
      { ...each, assets, dustAttack: verdict === undefined || reasons === undefined ? null : { verdict, reasons } },
    ]
  })
}
