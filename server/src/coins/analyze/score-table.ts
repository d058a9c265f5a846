/**
 * Every weight, threshold and confidence that scores are made of, in one place. docs/analysis.md explains each with its
 * source; a test holds that every code here is explained there.
 */

/** How sure a finding is: seen in the data, or inferred from how wallets usually behave. */
export type Confidence = 'deterministic' | 'high' | 'medium' | 'low'

/** Points lost or won by privacy findings, of 100. */
export const PRIVACY = {
  /** Funding transactions from so many on. */
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
  /** Other scripts spent together with this one. */
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
  /** These scale with the share of spends they are found in, and together cost no more than `CHANGE_CLUES_MOST`. */
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

export const CHANGE_CLUES_MOST = -15

export type PrivacyCode = keyof typeof PRIVACY

/** Shares of the health score; `issueFrom` is the part of a factor from which it is worth a word. */
export const HEALTH = {
  DUST_UTXOS: { weight: 0.25, issueFrom: 0.01 },
  SWEEP_LOSS: { weight: 0.25, issueFrom: 0.05 },
  FRAGMENTED: { weight: 0.2, issueFrom: 0.33 },
  ADDRESS_REUSE: { weight: 0.15, issueFrom: 0.1 },
  CONCENTRATED: { weight: 0.1, issueFrom: 0.6 },
  UNSETTLED: { weight: 0.05, issueFrom: 0.01 },
} as const

export type HealthCode = keyof typeof HEALTH

/** Coins at which fragmentation is complete, and receipts at which reuse is. */
export const FRAGMENTED_AT = 1_000
export const REUSED_AT = 10

export const DUST_ATTACK = {
  /** Outputs of a transaction that pays dust to many, and the share of them that is dust. */
  fanOut: 10,
  fanOutShare: 0.5,
  equalOutputs: 3,
  /** How far above the node's dust threshold a sender of dust goes. */
  nearDust: 1.1,
} as const

export const CONSOLIDATION = {
  /** Fewer coins are not worth a word. */
  leastCoins: 5,
  /** Inputs of one transaction: well below what is relayed, and what a signing device can take. */
  batch: 400,
} as const

/** Same cut-offs as am-i-exposed, without its A+. */
export const GRADES = [
  { grade: 'A', from: 90 },
  { grade: 'B', from: 75 },
  { grade: 'C', from: 50 },
  { grade: 'D', from: 25 },
  { grade: 'F', from: 0 },
] as const

export type Grade = (typeof GRADES)[number]['grade']

export const gradeOf = (score: number): Grade => GRADES.find(({ from }) => score >= from)?.grade ?? 'F'

/** The impact of the first step that `count` reaches; 0 below all. */
export function stepImpact(
  steps: readonly { readonly from: number; readonly impact: number }[],
  count: number,
): number {
  return steps.find(({ from }) => count >= from)?.impact ?? 0
}
