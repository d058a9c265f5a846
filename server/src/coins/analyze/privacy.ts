/**
 * Scores what the chain reveals about the owner of an address: 100 points plus the impacts of all findings.
 *
 * Two rules keep a fact from counting twice: a transaction that looks like a CoinJoin gives no clues about inputs or
 * change, and unnecessary inputs are not counted in addition to common inputs.
 */
import { type Clue, cluesOf, isPlainPayment, returnsToPayer } from './change-clues.ts'
import { isCoinJoinLike } from './coinjoin.ts'
import type { DustSuspect } from './dust-attack.ts'
import type { AddressFacts, ExaminedTx } from './facts.ts'
import {
  type Confidence,
  counted,
  type Grade,
  gradeOf,
  MAX_CHANGE_CLUES_IMPACT,
  PRIVACY,
  type PrivacyCode,
  stepImpact,
  walletReuse,
} from './score-table.ts'

export type Factor = {
  readonly code: PrivacyCode
  readonly impact: number
  readonly confidence: Confidence
  /** Txids of up to five transactions that show it. */
  readonly evidence: string[]
  readonly text: string
}

export type Privacy = { readonly score: number; readonly grade: Grade; readonly factors: Factor[] }

const MAX_EVIDENCE = 5

export function scorePrivacy(facts: AddressFacts, suspects: readonly DustSuspect[]): Privacy {
  const common = commonInputs(facts)
  const factors = [
    reuse(facts),
    fundedAfterSpend(facts),
    dustSuspects(suspects),
    dustSpent(facts),
    common,
    selfChange(facts),
    ...changeClues(facts, common !== undefined),
    toxicChange(facts),
    scriptType(facts),
    highActivity(facts),
    recurringAmount(facts),
    coinJoin(facts),
    extensionBlock(facts),
  ].filter((factor) => factor !== undefined)
  const sum = factors.reduce((total, { impact }) => total + impact, 100)
  const score = Math.round(Math.min(100, Math.max(0, sum)))
  return { score, grade: gradeOf(score), factors }
}

function factor(
  code: PrivacyCode,
  impact: number,
  txs: readonly { readonly txid: string }[],
  text: string,
): Factor | undefined {
  if (impact === 0) return undefined
  const evidence = [...new Set(txs.map(({ txid }) => txid))].slice(0, MAX_EVIDENCE)
  return { code, impact, confidence: PRIVACY[code].confidence, evidence, text }
}

/** Several outputs in one transaction count as one use. */
function reuse({ history, txs, wallet }: AddressFacts): Factor | undefined {
  const receipts = wallet?.mostReceipts ?? history.filter(({ isReceipt }) => isReceipt).length
  const matching = txs.filter(({ outputs }) => outputs.some(({ isOwn }) => isOwn))
  const text = wallet === undefined ? `${counted(receipts, 'transaction')} paid to this address.` : walletReuse(wallet)
  return factor('ADDRESS_REUSE', stepImpact(PRIVACY.ADDRESS_REUSE.steps, receipts), matching, text)
}

function fundedAfterSpend({ history, txs, wallet }: AddressFacts): Factor | undefined {
  const firstSpend = history.find(({ isSpend }) => isSpend)?.order ?? Number.POSITIVE_INFINITY
  const later =
    wallet?.paidAfterSpend ??
    history.flatMap(({ order, isReceipt, isSpend }) => (isReceipt && !isSpend && order > firstSpend ? [order] : []))
  if (later.length === 0) return undefined
  const matching = txs.filter(({ order }) => later.includes(order))
  const text = `${wallet === undefined ? 'The address' : 'An address of the wallet'} received ${counted(later.length, 'payment')} after a spend revealed its public key or script.`
  return factor('FUNDED_AFTER_SPEND', PRIVACY.FUNDED_AFTER_SPEND.impact, matching, text)
}

function dustSuspects(suspects: readonly DustSuspect[]): Factor | undefined {
  const impact = stepImpact(PRIVACY.DUST_SUSPECTS.steps, suspects.length)
  const outputs = suspects.length === 1 ? '1 unspent output looks' : `${suspects.length} unspent outputs look`
  return factor('DUST_SUSPECTS', impact, suspects, `${outputs} like a dust attack. Do not spend dust with other coins.`)
}

function dustSpent({ txs, dustSizedBelow }: AddressFacts): Factor | undefined {
  const matching = txs.filter(
    ({ inputs }) => inputs.length > 1 && inputs.some(({ isOwn, value }) => isOwn && value < dustSizedBelow),
  )
  if (matching.length === 0) return undefined
  const text = `${counted(matching.length, 'payment')} spent dust together with other outputs.`
  return factor('DUST_SPENT_WITH_OTHERS', PRIVACY.DUST_SPENT_WITH_OTHERS.impact, matching, text)
}

function commonInputs({ txs, wallet }: AddressFacts): Factor | undefined {
  const matching = txs.filter((tx) => tx.isSpend && !isCoinJoinLike(tx) && tx.inputs.some(({ isOwn }) => !isOwn))
  const others = new Set(
    matching.flatMap(({ inputs }) => inputs.flatMap(({ isOwn, script }) => (isOwn ? [] : [script]))),
  )
  const text = `The ${wallet === undefined ? 'address' : 'wallet'} was spent together with ${counted(others.size, 'other address', 'other addresses')}, which suggests one owner.`
  return factor('COMMON_INPUTS', stepImpact(PRIVACY.COMMON_INPUTS.steps, others.size), matching, text)
}

/** A payment with change to the address that paid. Moving all coins to the same address reveals nothing. */
function selfChange({ txs, wallet }: AddressFacts): Factor | undefined {
  const matching = txs.filter((tx) => tx.isSpend && returnsToPayer(tx) && tx.outputs.some(({ isOwn }) => !isOwn))
  const { each, most } = PRIVACY.SELF_CHANGE
  const text = `${counted(matching.length, 'payment')} returned change to ${wallet === undefined ? 'this address' : 'an address that paid'}.`
  return factor('SELF_CHANGE', Math.max(most, each * matching.length), matching, text)
}

const CLUES: Readonly<Record<Clue, string>> = {
  CHANGE_BY_PRECISION: 'One output has far fewer trailing zeros than the other, so it is probably change',
  CHANGE_BY_SCRIPT_TYPE: 'Only one output has the script type of the inputs, so it is probably change',
  CHANGE_BY_SIZE: 'One output is smaller than every input, so it is probably change',
  UNNECESSARY_INPUT: 'The payment used more inputs than it needed',
  ROUND_PAYMENT: 'One output is a round amount, so it is probably the payment',
}

function changeClues({ txs, wallet }: AddressFacts, hasCommonInputs: boolean): (Factor | undefined)[] {
  // A payment of a wallet has change if one of the outputs is its own.
  const payments = txs.filter(
    (tx) => isPlainPayment(tx) && (wallet === undefined || tx.outputs.filter(({ isOwn }) => isOwn).length === 1),
  )
  let left: number = MAX_CHANGE_CLUES_IMPACT
  return (Object.keys(CLUES) as Clue[]).map((code) => {
    if (code === 'UNNECESSARY_INPUT' && hasCommonInputs) return undefined
    const matching = payments.filter((tx) => cluesOf(tx).includes(code))
    if (matching.length === 0) return undefined
    const full = PRIVACY[code].impact * (matching.length / payments.length)
    const impact = Math.max(left, Math.round(full * 10) / 10)
    left -= impact
    return factor(
      code,
      impact,
      matching,
      `${CLUES[code]} (${matching.length} of ${counted(payments.length, 'payment')}).`,
    )
  })
}

/** Change worth so little that it will be spent together with other coins. */
function toxicChange({ txs, inputVsize, tiers }: AddressFacts): Factor | undefined {
  const limit = PRIVACY.TOXIC_CHANGE.timesSpending * inputVsize * tiers.high
  const isToxic = ({ isSpend, outputs }: ExaminedTx): boolean =>
    isSpend && outputs.length > 1 && outputs.some(({ isOwn, value }) => isOwn && value < limit)
  const matching = txs.filter(isToxic)
  const impact = matching.length === 0 ? 0 : PRIVACY.TOXIC_CHANGE.impact
  return factor(
    'TOXIC_CHANGE',
    impact,
    matching,
    `${counted(matching.length, 'payment')} left change that is worth little more than the fee to spend it.`,
  )
}

function scriptType({ scriptType }: AddressFacts): Factor | undefined {
  const impacts: Readonly<Record<string, number>> = PRIVACY.SCRIPT_TYPE.impacts
  return factor(
    'SCRIPT_TYPE',
    impacts[scriptType] ?? 0,
    [],
    `The script type ${scriptType} is less common than P2WPKH and P2TR, so its payments stand out.`,
  )
}

/** The number of transactions of a wallet, and equal amounts paid to several of its addresses, show nothing to others. */
function highActivity({ txCount, wallet }: AddressFacts): Factor | undefined {
  if (wallet !== undefined) return undefined
  const { above, impact } = PRIVACY.HIGH_ACTIVITY
  return factor(
    'HIGH_ACTIVITY',
    txCount > above ? impact : 0,
    [],
    `An address with ${txCount} confirmed transactions attracts attention.`,
  )
}

function recurringAmount({ history, txs, wallet }: AddressFacts): Factor | undefined {
  if (wallet !== undefined) return undefined
  const amounts = new Map<number, number[]>()
  for (const { isReceipt, isSpend, received, order } of history) {
    if (isReceipt && !isSpend) amounts.set(received, [...(amounts.get(received) ?? []), order])
  }
  const [most] = Array.from(amounts.values()).sort((a, b) => b.length - a.length)
  if (most === undefined || most.length < PRIVACY.RECURRING_AMOUNT.from) return undefined
  const matching = txs.filter(({ order }) => most.includes(order))
  const text = `The same amount was received ${most.length} times.`
  return factor('RECURRING_AMOUNT', PRIVACY.RECURRING_AMOUNT.impact, matching, text)
}

function coinJoin({ txs }: AddressFacts): Factor | undefined {
  const matching = txs.filter(isCoinJoinLike)
  const { each, most } = PRIVACY.COINJOIN_LIKE
  return factor(
    'COINJOIN_LIKE',
    Math.min(most, each * matching.length),
    matching,
    matching.length === 1
      ? '1 transaction looks like a CoinJoin.'
      : `${matching.length} transactions look like CoinJoins.`,
  )
}

/** Peg-ins to and peg-outs from the MWEB extension block. */
function extensionBlock({ txs }: AddressFacts): Factor | undefined {
  const matching = txs.filter(({ isSpend, outputs }) =>
    outputs.some(({ type }) => type === 'mweb_hogaddr' || (isSpend && type === 'mweb_pegin')),
  )
  const impact = matching.length === 0 ? 0 : PRIVACY.EXTENSION_BLOCK.impact
  return factor('EXTENSION_BLOCK', impact, matching, 'Coins moved into or out of the confidential extension block.')
}
