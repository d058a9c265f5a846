/** The control labels of a contract: order, tones, texts and descriptions. */

/** From strongest to weakest. `unknown` is stronger than `single_key` only: the other labels rule out a single key. */
export const LABELS = ['immutable', 'timelocked', 'short_timelock', 'multisig', 'unknown', 'single_key'] as const
export type Label = (typeof LABELS)[number]

/** From best to worst. */
export const TONES = ['green', 'grey', 'amber', 'red'] as const
export type Tone = (typeof TONES)[number]

/** The text of a tone for many contracts. */
export const TONE_TEXTS: Readonly<Record<Tone, string>> = {
  green: 'Fixed, or 24h+ delay',
  grey: 'Not known',
  amber: 'Short or no delay',
  red: 'One key, no delay',
}

export const LABEL_TONES: Readonly<Record<Label, Tone>> = {
  immutable: 'green',
  timelocked: 'green',
  short_timelock: 'amber',
  multisig: 'amber',
  unknown: 'grey',
  single_key: 'red',
}

export const LABEL_TEXTS: Readonly<Record<Label, string>> = {
  immutable: 'Not upgradeable',
  timelocked: 'Multisig + 24h+ timelock',
  short_timelock: 'Timelock under 24h',
  multisig: 'Multisig, no delay',
  unknown: 'Not profiled yet',
  single_key: 'Upgradeable by a single key',
}

/** Who decides where a vote does: alone, or next to a multisig. */
export type Leader = 'vote' | 'vote_or_multisig'

const LED_TEXTS: Readonly<Record<Leader, Readonly<Partial<Record<Label, string>>>>> = {
  vote: { timelocked: 'Vote + 24h+ timelock', multisig: 'Vote, no delay' },
  vote_or_multisig: { timelocked: 'Vote or multisig + 24h+', multisig: 'Vote or multisig, no delay' },
}

/** The text of a label: no multisig is claimed where a vote decides. */
export const labelText = (label: Label, leader?: Leader | null): string =>
  (leader === undefined || leader === null ? undefined : LED_TEXTS[leader][label]) ?? LABEL_TEXTS[label]

const HOLDER_TEXTS: Readonly<Partial<Record<Label, string>>> = {
  immutable: 'No key',
  unknown: 'Not known',
  single_key: 'Single key',
}

/** The text of the label of an account, not of a contract. */
export const holderLabelText = (label: Label, leader?: Leader | null): string =>
  HOLDER_TEXTS[label] ?? labelText(label, leader)

export const LABEL_DESCRIPTIONS: Readonly<Record<Label, string>> = {
  immutable: 'The code of the contract cannot be replaced.',
  timelocked: 'An upgrade needs several signers or a vote and waits at least 24 hours before it takes effect.',
  short_timelock: 'An upgrade waits less than 24 hours before it takes effect.',
  multisig: 'Several signers or a vote can upgrade the contract at once, without a delay.',
  unknown: 'Gatewatch has not determined who can upgrade the contract.',
  single_key: 'One key can upgrade the contract at once.',
}

/** The weakest of the labels. No label at all is `unknown`. */
export const weakestLabel = (labels: readonly Label[]): Label =>
  LABELS.findLast((label) => labels.includes(label)) ?? 'unknown'
