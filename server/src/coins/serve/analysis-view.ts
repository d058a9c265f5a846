/** The health and the analysis of an address as the API returns them. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { adviseConsolidation } from '../analyze/consolidation.ts'
import { findDustSuspects } from '../analyze/dust-attack.ts'
import { type AddressFacts, balanceOf } from '../analyze/facts.ts'
import { scoreHealth } from '../analyze/health.ts'
import { scorePrivacy } from '../analyze/privacy.ts'
import { type CollectedFacts, collectFacts } from './address-facts.ts'
import { readAddress } from './address-view.ts'
import type { FeeService } from './fee-service.ts'
import type { ServedChain } from './served-chain.ts'

export type AnalysisDeps = { readonly feeService: FeeService; readonly clock: Clock }

export async function getHealth({ feeService }: AnalysisDeps, chain: ServedChain, text: string) {
  const address = readAddress(chain, text)
  const collected = await collectFacts(chain, address, await feeService.quote(chain), 'coins')
  return { address: address.text, ...healthOf(chain, collected) }
}

export function healthOf(chain: ServedChain, { facts, totals, utxoCount, unconfirmed }: CollectedFacts) {
  const { score, grade, issues } = scoreHealth(facts)
  return {
    chain: chain.network.chain,
    score,
    grade,
    utxoCount,
    balance: totals.received - totals.sent,
    unconfirmedBalance: unconfirmed.unconfirmedBalance,
    issues,
  }
}

/** `utxoLimit`: dust suspects listed at most; undefined for all. */
export async function getAnalysis(deps: AnalysisDeps, chain: ServedChain, text: string, utxoLimit?: number) {
  const address = readAddress(chain, text)
  const collected = await collectFacts(chain, address, await deps.feeService.quote(chain), 'transactions')
  return { address: address.text, ...(await analysisOf(deps, chain, collected, utxoLimit)) }
}

export async function analysisOf(
  { clock }: Pick<AnalysisDeps, 'clock'>,
  chain: ServedChain,
  { facts, totals, utxoCount, unconfirmed, tip }: CollectedFacts,
  utxoLimit?: number,
) {
  // Each part scans every coin, so other requests run in between.
  const suspects = findDustSuspects(facts)
  const listed = suspects.slice(0, utxoLimit)
  await yieldToEventLoop()
  const privacy = scorePrivacy(facts, suspects)
  await yieldToEventLoop()
  const consolidation = adviseConsolidation(facts)
  await yieldToEventLoop()
  const health = scoreHealth(facts)
  return {
    chain: chain.network.chain,
    scriptType: facts.scriptType,
    analyzedAt: new Date(clock.now()).toISOString(),
    tip,
    summary: {
      balance: totals.received - totals.sent,
      unconfirmedBalance: unconfirmed.unconfirmedBalance,
      utxoCount,
      txCount: totals.txCount,
      unconfirmedTxCount: unconfirmed.unconfirmedTxCount,
      totalReceived: totals.received,
      totalSent: totals.sent,
    },
    privacy,
    dust: { ...dustFigures(facts), suspects: listed },
    consolidation,
    health,
    coverage: {
      txsExamined: facts.txs.length,
      historyEntriesExamined: facts.history.length,
      txsTotal: totals.txCount,
      truncated: facts.txs.length < totals.txCount,
    },
    limited: listed.length < suspects.length,
  }
}

function dustFigures({ utxos, dustSizedBelow, inputVsize, tiers }: AddressFacts) {
  const dust = utxos.filter(({ value }) => value < dustSizedBelow)
  const uneconomicAt = (rate: number): number => utxos.filter(({ value }) => value <= inputVsize * rate).length
  return {
    count: dust.length,
    value: balanceOf(dust),
    uneconomic: { low: uneconomicAt(tiers.low), medium: uneconomicAt(tiers.medium), high: uneconomicAt(tiers.high) },
  }
}
