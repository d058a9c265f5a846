/**
 * Finds outputs of dust attacks: small amounts sent so that the owner spends them together with other coins and links
 * the addresses.
 *
 * After WalletWasabi#10046: a small output is suspect only on an address that was used before, and only if another
 * address sent it. One signal in its transaction makes an attack possible, more make it probable.
 */
import type { AddressFacts, ExaminedTx, Utxo } from './facts.ts'
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

type DustFacts = Pick<AddressFacts, 'utxos' | 'history' | 'txs' | 'dustThreshold' | 'dustSizedBelow'>

export function findDustSuspects(facts: DustFacts): DustSuspect[] {
  const firstUse = facts.history[0]?.order ?? Number.POSITIVE_INFINITY
  const byOrder = new Map(facts.txs.map((tx) => [tx.order, tx]))
  return facts.utxos.flatMap((utxo) => {
    const tx = byOrder.get(utxo.order)
    if (utxo.value >= facts.dustSizedBelow || tx === undefined || tx.isSpend || tx.order <= (utxo.firstUse ?? firstUse))
      return []
    const reasons = signalsOf(tx, utxo, facts)
    if (reasons.length === 0) return []
    const { vout, value } = utxo
    const { txid } = tx
    return [{ txid, vout, value, verdict: reasons.length > 1 ? ('probable' as const) : ('possible' as const), reasons }]
  })
}

function signalsOf({ outputs, inputCount }: ExaminedTx, { value }: Utxo, facts: DustFacts): DustReason[] {
  const dust = outputs.filter((output) => output.value < facts.dustSizedBelow).length
  const equal = outputs.filter((output) => output.value === value).length
  const signals: readonly (readonly [DustReason, boolean])[] = [
    ['DUST_FAN_OUT', outputs.length >= DUST_ATTACK.fanOut && dust >= outputs.length * DUST_ATTACK.fanOutShare],
    ['SINGLE_DUST_OUTPUT', inputCount === 1 && outputs.length === 2 && dust === 1],
    ['EQUAL_DUST_OUTPUTS', equal >= DUST_ATTACK.equalOutputs],
    ['NEAR_DUST_LIMIT', value <= facts.dustThreshold * DUST_ATTACK.nearDust],
  ]
  return signals.filter(([, fires]) => fires).map(([reason]) => reason)
}
