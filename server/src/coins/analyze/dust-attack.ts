/**
 * Outputs that were probably sent to be spent together with others, so that a stranger learns what belongs together.
 *
 * After WalletWasabi#10046: a small output is only suspect on an address that was used before and when it was not sent
 * from there. Signals in the transaction that paid it then make it possible (one) or probable (more).
 */
import type { AddressFacts, SeenTx, Utxo } from './facts.ts'
import { DUST_ATTACK } from './score-table.ts'

export type Verdict = 'possible' | 'probable'
export type DustReason = 'DUST_FAN_OUT' | 'SINGLE_DUST_OUTPUT' | 'EQUAL_DUST_OUTPUTS' | 'NEAR_DUST_LIMIT'
export type DustSuspect = {
  readonly txid: string
  readonly vout: number
  readonly value: number
  readonly verdict: Verdict
  readonly reasons: DustReason[]
}

type DustFacts = Pick<AddressFacts, 'utxos' | 'lines' | 'txs' | 'dust' | 'dustSized'>

export function findDustSuspects(facts: DustFacts): DustSuspect[] {
  const firstUse = facts.lines[0]?.order ?? Number.POSITIVE_INFINITY
  const byOrder = new Map(facts.txs.map((tx) => [tx.order, tx]))
  return facts.utxos.flatMap((utxo) => {
    const tx = byOrder.get(utxo.order)
    if (utxo.value >= facts.dustSized || tx === undefined || tx.isSpend || tx.order <= firstUse) return []
    const reasons = signalsOf(tx, utxo, facts)
    if (reasons.length === 0) return []
    const { vout, value } = utxo
    const { txid } = tx
    return [{ txid, vout, value, verdict: reasons.length > 1 ? ('probable' as const) : ('possible' as const), reasons }]
  })
}

function signalsOf({ outputs, inputCount }: SeenTx, { value }: Utxo, { dust, dustSized }: DustFacts): DustReason[] {
  const dusty = outputs.filter((output) => output.value < dustSized).length
  const equal = outputs.filter((output) => output.value === value).length
  const signals: readonly (readonly [DustReason, boolean])[] = [
    ['DUST_FAN_OUT', outputs.length >= DUST_ATTACK.fanOut && dusty >= outputs.length * DUST_ATTACK.fanOutShare],
    ['SINGLE_DUST_OUTPUT', inputCount === 1 && outputs.length === 2 && dusty === 1],
    ['EQUAL_DUST_OUTPUTS', equal >= DUST_ATTACK.equalOutputs],
    ['NEAR_DUST_LIMIT', value <= dust * DUST_ATTACK.nearDust],
  ]
  return signals.filter(([, fires]) => fires).map(([reason]) => reason)
}
