/**
 * All weights, thresholds and confidences of the scores, and the numbers in their texts. docs/analysis.md explains each
 * of them with its source.
 */

/** How certain a finding is: `deterministic` is read from the chain, the others are inferred from wallet behavior. */
export type Confidence = 'deterministic' | 'high' | 'medium' | 'low'

/** Points that privacy findings add to 100. */
export const PRIVACY = {
  /** By the number of funding transactions. */
  ADDRESS_REUSE: {
    confidence: 'deterministic',
    steps: [
      { from: 50, impact: -45 },
      { from: 10, impact: -34 },
      { from: 5, impact: -26 },
      { from: 3, impact: -18 },
      { from: 2, impact: -10 },
    ],
  },
  FUNDED_AFTER_SPEND: { confidence: 'deterministic', impact: -5 },
  DUST_SUSPECTS: {
    confidence: 'medium',
    steps: [
      { from: 3, impact: -8 },
      { from: 1, impact: -5 },
    ],
  },
  DUST_SPENT_WITH_OTHERS: { confidence: 'high', impact: -8 },
  /** By the number of other scripts spent together with this one. */
  COMMON_INPUTS: {
    confidence: 'high',
    steps: [
      { from: 20, impact: -25 },
      { from: 10, impact: -18 },
      { from: 4, impact: -12 },
      { from: 3, impact: -9 },
      { from: 2, impact: -6 },
      { from: 1, impact: -3 },
    ],
  },
  SELF_CHANGE: { confidence: 'deterministic', each: -5, most: -15 },
  /** The five change clues scale with the share of payments that show them. `MAX_CHANGE_CLUES_IMPACT` bounds their sum. */
  CHANGE_BY_PRECISION: { confidence: 'medium', impact: -5, zeros: 3 },
  CHANGE_BY_SCRIPT_TYPE: { confidence: 'high', impact: -5 },
  CHANGE_BY_SIZE: { confidence: 'low', impact: -2 },
  UNNECESSARY_INPUT: { confidence: 'low', impact: -3 },
  ROUND_PAYMENT: { confidence: 'medium', impact: -4, zeros: 5 },
  TOXIC_CHANGE: { confidence: 'medium', impact: -4, timesSpending: 2 },
  SCRIPT_TYPE: { confidence: 'deterministic', impacts: { p2pk: -5, p2pkh: -5, p2sh: -3, p2wsh: -2 } },
  HIGH_ACTIVITY: { confidence: 'deterministic', above: 100, impact: -3 },
  RECURRING_AMOUNT: { confidence: 'medium', from: 3, impact: -5 },
  COINJOIN_LIKE: { confidence: 'medium', each: 5, most: 15, equalOutputs: 3 },
  EXTENSION_BLOCK: { confidence: 'deterministic', impact: 5 },
} as const

/** The largest impact of all change clues together. */
export const MAX_CHANGE_CLUES_IMPACT = -15

export type PrivacyCode = keyof typeof PRIVACY

/** Weights of the health factors. A factor is listed as an issue from `issueFrom` on. */
export const HEALTH = {
  DUST_UTXOS: { weight: 0.25, issueFrom: 0.01 },
  SWEEP_LOSS: { weight: 0.25, issueFrom: 0.05 },
  FRAGMENTED: { weight: 0.2, issueFrom: 0.33 },
  ADDRESS_REUSE: { weight: 0.15, issueFrom: 0.1 },
  CONCENTRATED: { weight: 0.1, issueFrom: 0.6 },
  UNSETTLED: { weight: 0.05, issueFrom: 0.01 },
} as const

export type HealthCode = keyof typeof HEALTH

/** Number of coins, and of receipts, at which the factor reaches its maximum. */
export const FRAGMENTED_AT = 1_000
export const REUSED_AT = 10

export const DUST_ATTACK = {
  /** Least number of outputs of a fan-out, and the share of them that is dust. */
  fanOut: 10,
  fanOutShare: 0.5,
  equalOutputs: 3,
  /** A dust output is at most this multiple of the dust threshold. */
  nearDust: 1.1,
} as const

export const CONSOLIDATION = {
  /** With fewer coins the advice is none. */
  leastCoins: 5,
  /** Most inputs of one transaction: far below the relay limit, and within the memory of hardware wallets. */
  batch: 400,
} as const

/** The thresholds of am-i-exposed, without its A+. */
export const GRADES = [
  { grade: 'A', from: 90 },
  { grade: 'B', from: 75 },
  { grade: 'C', from: 50 },
  { grade: 'D', from: 25 },
  { grade: 'F', from: 0 },
] as const

export type Grade = (typeof GRADES)[number]['grade']

export const gradeOf = (score: number): Grade => GRADES.find(({ from }) => score >= from)?.grade ?? 'F'

/** The impact of the highest step that `count` reaches; 0 below the lowest. */
export function stepImpact(
  steps: readonly { readonly from: number; readonly impact: number }[],
  count: number,
): number {
  return steps.find(({ from }) => count >= from)?.impact ?? 0
}

export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

/** The text of a finding about reused addresses of a wallet. */
export const walletReuse = ({
  reused,
  mostReceipts,
}: {
  readonly reused: number
  readonly mostReceipts: number
}): string =>
  `${counted(reused, 'address', 'addresses')} of the wallet ${reused === 1 ? 'was' : 'were'} paid by several transactions, up to ${mostReceipts}.`

export const percent = (part: number): string => `${Math.round(part * 100)}%`
