/**
 * What the chain tells about whoever holds an address, as findings with what they cost, and a score made of them.
 *
 * Each finding stands for itself; two rules keep one fact from counting twice: what looks like a CoinJoin gives no clue
 * about inputs or change, and a needless input is not counted where common inputs already are.
 */
import { type Clue, cluesOf, isPlainPayment } from './change-clues.ts'
import { isCoinJoinLike } from './coinjoin.ts'
import type { DustSuspect } from './dust-attack.ts'
import type { AddressFacts, ExaminedTx } from './facts.ts'
import {
  CHANGE_CLUES_MOST,
  type Confidence,
  type Grade,
  gradeOf,
  PRIVACY,
  type PrivacyCode,
  stepImpact,
} from './score-table.ts'

export type Factor = {
  readonly code: PrivacyCode
  readonly impact: number
  readonly confidence: Confidence
  /** Ids of transactions that show it, five at most. */
  readonly evidence: string[]
  readonly text: string
}

export type Privacy = { readonly score: number; readonly grade: Grade; readonly factors: Factor[] }

const MOST_EVIDENCE = 5

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
  const evidence = [...new Set(txs.map(({ txid }) => txid))].slice(0, MOST_EVIDENCE)
  return { code, impact, confidence: PRIVACY[code].confidence, evidence, text }
}

/** Several outputs of one transaction are one use. */
function reuse({ history, txs }: AddressFacts): Factor | undefined {
  const receipts = history.filter(({ isReceipt }) => isReceipt).length
  const shown = txs.filter(({ outputs }) => outputs.some(({ isOwn }) => isOwn))
  const text = `${receipts} transactions paid to this address`
  return factor('ADDRESS_REUSE', stepImpact(PRIVACY.ADDRESS_REUSE.steps, receipts), shown, text)
}

function fundedAfterSpend({ history, txs }: AddressFacts): Factor | undefined {
  const firstSpend = history.find(({ isSpend }) => isSpend)?.order ?? Number.POSITIVE_INFINITY
  const later = history.filter(({ order, isReceipt, isSpend }) => isReceipt && !isSpend && order > firstSpend)
  if (later.length === 0) return undefined
  const shown = txs.filter(({ order }) => later.some((line) => line.order === order))
  const text = `paid ${later.length} more times after its key or script was shown by a spend`
  return factor('FUNDED_AFTER_SPEND', PRIVACY.FUNDED_AFTER_SPEND.impact, shown, text)
}

function dustSuspects(suspects: readonly DustSuspect[]): Factor | undefined {
  const impact = stepImpact(PRIVACY.DUST_SUSPECTS.steps, suspects.length)
  return factor(
    'DUST_SUSPECTS',
    impact,
    suspects,
    `${suspects.length} unspent outputs look like a dust attack; freeze them`,
  )
}

function dustSpent({ txs, dustSizedBelow }: AddressFacts): Factor | undefined {
  const shown = txs.filter(
    ({ inputs }) => inputs.length > 1 && inputs.some(({ isOwn, value }) => isOwn && value < dustSizedBelow),
  )
  if (shown.length === 0) return undefined
  const text = `${shown.length} payments spent dust together with other outputs`
  return factor('DUST_SPENT_WITH_OTHERS', PRIVACY.DUST_SPENT_WITH_OTHERS.impact, shown, text)
}

function commonInputs({ txs }: AddressFacts): Factor | undefined {
  const shown = txs.filter((tx) => tx.isSpend && !isCoinJoinLike(tx) && tx.inputs.some(({ isOwn }) => !isOwn))
  const others = new Set(shown.flatMap(({ inputs }) => inputs.flatMap(({ isOwn, script }) => (isOwn ? [] : [script]))))
  const text = `spent together with ${others.size} other addresses, which shows one owner`
  return factor('COMMON_INPUTS', stepImpact(PRIVACY.COMMON_INPUTS.steps, others.size), shown, text)
}

/** A payment with change to the address it came from. Moving everything to oneself reveals nothing. */
function selfChange({ txs }: AddressFacts): Factor | undefined {
  const shown = txs.filter(
    ({ isSpend, outputs }) => isSpend && outputs.some(({ isOwn }) => isOwn) && outputs.some(({ isOwn }) => !isOwn),
  )
  const { each, most } = PRIVACY.SELF_CHANGE
  const text = `${shown.length} payments returned their change to this address`
  return factor('SELF_CHANGE', Math.max(most, each * shown.length), shown, text)
}

const CLUES: Readonly<Record<Clue, string>> = {
  CHANGE_BY_PRECISION: 'one output has far more trailing zeros than the other, which is then change',
  CHANGE_BY_SCRIPT_TYPE: 'one output has the type of the inputs and the other has not',
  CHANGE_BY_SIZE: 'one output is smaller than every input, so it is change',
  UNNECESSARY_INPUT: 'more inputs than the payment needed',
  ROUND_PAYMENT: 'one output is a round amount, so it is the payment',
}

function changeClues({ txs }: AddressFacts, hasCommonInputs: boolean): (Factor | undefined)[] {
  const payments = txs.filter(isPlainPayment)
  let left: number = CHANGE_CLUES_MOST
  return (Object.keys(CLUES) as Clue[]).map((code) => {
    if (code === 'UNNECESSARY_INPUT' && hasCommonInputs) return undefined
    const shown = payments.filter((tx) => cluesOf(tx).includes(code))
    if (shown.length === 0) return undefined
    const full = PRIVACY[code].impact * (shown.length / payments.length)
    const impact = Math.max(left, Math.round(full * 10) / 10)
    left -= impact
    return factor(code, impact, shown, `${CLUES[code]} (${shown.length} of ${payments.length} payments)`)
  })
}

/** Change that is hardly worth its input: it will be spent together with something else. */
function toxicChange({ txs, inputVsize, tiers }: AddressFacts): Factor | undefined {
  const limit = PRIVACY.TOXIC_CHANGE.timesSpending * inputVsize * tiers.high
  const isToxic = ({ isSpend, outputs }: ExaminedTx): boolean =>
    isSpend && outputs.length > 1 && outputs.some(({ isOwn, value }) => isOwn && value < limit)
  const shown = txs.filter(isToxic)
  const impact = shown.length === 0 ? 0 : PRIVACY.TOXIC_CHANGE.impact
  return factor('TOXIC_CHANGE', impact, shown, `${shown.length} payments left change hardly worth spending alone`)
}

function scriptType({ scriptType }: AddressFacts): Factor | undefined {
  const impacts: Readonly<Record<string, number>> = PRIVACY.SCRIPT_TYPE.impacts
  return factor(
    'SCRIPT_TYPE',
    impacts[scriptType] ?? 0,
    [],
    `addresses of type ${scriptType} are told from most others`,
  )
}

function highActivity({ txCount }: AddressFacts): Factor | undefined {
  const { above, impact } = PRIVACY.HIGH_ACTIVITY
  return factor('HIGH_ACTIVITY', txCount > above ? impact : 0, [], `${txCount} transactions draw attention`)
}

function recurringAmount({ history, txs }: AddressFacts): Factor | undefined {
  const amounts = new Map<number, number[]>()
  for (const { isReceipt, isSpend, received, order } of history) {
    if (isReceipt && !isSpend) amounts.set(received, [...(amounts.get(received) ?? []), order])
  }
  const [most] = Array.from(amounts.values()).sort((a, b) => b.length - a.length)
  if (most === undefined || most.length < PRIVACY.RECURRING_AMOUNT.from) return undefined
  const shown = txs.filter(({ order }) => most.includes(order))
  const text = `the same amount was received ${most.length} times`
  return factor('RECURRING_AMOUNT', PRIVACY.RECURRING_AMOUNT.impact, shown, text)
}

function coinJoin({ txs }: AddressFacts): Factor | undefined {
  const shown = txs.filter(isCoinJoinLike)
  const { each, most } = PRIVACY.COINJOIN_LIKE
  return factor(
    'COINJOIN_LIKE',
    Math.min(most, each * shown.length),
    shown,
    `${shown.length} transactions look like CoinJoins`,
  )
}

/** Coins that came out of, or went into, the confidential part of the chain. */
function extensionBlock({ txs }: AddressFacts): Factor | undefined {
  const shown = txs.filter(({ isSpend, outputs }) =>
    outputs.some(({ type }) => type === 'mweb_hogaddr' || (isSpend && type === 'mweb_pegin')),
  )
  const impact = shown.length === 0 ? 0 : PRIVACY.EXTENSION_BLOCK.impact
  return factor('EXTENSION_BLOCK', impact, shown, 'coins crossed into or out of the confidential extension block')
}
