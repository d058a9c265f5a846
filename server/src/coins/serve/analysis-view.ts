/** GET /health and GET /analyze: one address, judged. */
import { setImmediate as letOthersIn } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.ts'
import { adviseConsolidation } from '../analyze/consolidation.ts'
import { findDustSuspects } from '../analyze/dust-attack.ts'
import { type AddressFacts, balanceOf } from '../analyze/facts.ts'
import { judgeHealth } from '../analyze/health.ts'
import { judgePrivacy } from '../analyze/privacy.ts'
import { gatherFacts } from './address-facts.ts'
import { readAddress } from './address-view.ts'
import type { FeeService } from './fee-service.ts'
import type { ServedChain } from './served-chain.ts'

export type AnalysisDeps = { readonly feeService: FeeService; readonly clock: Clock }

export async function getHealth({ feeService }: AnalysisDeps, chain: ServedChain, text: string) {
  const address = readAddress(chain, text)
  const { facts } = await gatherFacts(chain, address, await feeService.quote(chain), 'coins')
  const { score, grade, issues } = judgeHealth(facts)
  return {
    address: address.text,
    chain: chain.network.chain,
    score,
    grade,
    utxoCount: facts.utxos.length,
    balance: balanceOf(facts.utxos),
    issues,
  }
}

/** `mostCoins`: outputs listed at most; undefined for all. */
export async function getAnalysis(
  { feeService, clock }: AnalysisDeps,
  chain: ServedChain,
  text: string,
  mostCoins?: number,
) {
  const address = readAddress(chain, text)
  const { facts, totals, tip } = await gatherFacts(chain, address, await feeService.quote(chain), 'transactions')
  // Each judgement walks over every coin: between two of them others have their turn.
  const suspects = findDustSuspects(facts)
  const listed = suspects.slice(0, mostCoins)
  await letOthersIn()
  const privacy = judgePrivacy(facts, suspects)
  await letOthersIn()
  const consolidation = adviseConsolidation(facts)
  await letOthersIn()
  const health = judgeHealth(facts)
  return {
    address: address.text,
    chain: chain.network.chain,
    scriptType: address.type,
    analyzedAt: new Date(clock.now()).toISOString(),
    tip,
    summary: {
      balance: totals.received - totals.sent,
      utxoCount: facts.utxos.length,
      txCount: totals.txCount,
      totalReceived: totals.received,
      totalSent: totals.sent,
    },
    privacy,
    dust: { ...dustFigures(facts), suspects: listed },
    consolidation,
    health,
    coverage: {
      txsExamined: facts.txs.length,
      linesExamined: facts.lines.length,
      txsTotal: totals.txCount,
      truncated: facts.txs.length < totals.txCount,
    },
    limited: listed.length < suspects.length,
  }
}

function dustFigures({ utxos, dustSized, inputVsize, tiers }: AddressFacts) {
  const dusty = utxos.filter(({ value }) => value < dustSized)
  const uneconomicAt = (rate: number): number => utxos.filter(({ value }) => value <= inputVsize * rate).length
  return {
    count: dusty.length,
    value: balanceOf(dusty),
    uneconomic: { low: uneconomicAt(tiers.low), medium: uneconomicAt(tiers.medium), high: uneconomicAt(tiers.high) },
  }
}
