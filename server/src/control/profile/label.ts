/** The six labels, their order, their colours and how they are shown. */

export const LABELS = ['immutable', 'single_key', 'multisig', 'timelocked', 'short_timelock', 'unknown'] as const
export type Label = (typeof LABELS)[number]
export type Tone = 'green' | 'red' | 'amber' | 'grey'

export const TONES: Readonly<Record<Label, Tone>> = {
  immutable: 'green',
  timelocked: 'green',
  multisig: 'amber',
  short_timelock: 'amber',
  single_key: 'red',
  unknown: 'grey',
}

export const LABEL_TEXTS: Readonly<Record<Label, string>> = {
  immutable: 'Not upgradeable',
  single_key: 'Upgradeable by a single key',
  multisig: 'Multisig, no delay',
  timelocked: 'Multisig + 24h+ timelock',
  short_timelock: 'Timelock under 24h',
  unknown: 'Not profiled yet',
}

/** How much stands between one person and other code. `unknown` has no place in it. */
const STRENGTH: Readonly<Record<Exclude<Label, 'unknown'>, number>> = {
  single_key: 0,
  multisig: 1,
  short_timelock: 2,
  timelocked: 3,
  immutable: 4,
}

/** A day: who sees a change coming has time to leave. */
export const LONG_DELAY_SECONDS = 86_400

export function labelByDelay(seconds: number): Label {
  if (seconds <= 0) return 'multisig'
  return seconds < LONG_DELAY_SECONDS ? 'short_timelock' : 'timelocked'
}

/**
 * The label of all paths together. One key anywhere is one key; a path nobody could judge makes the whole unknown;
 * otherwise the weakest path names it. No path at all settles nothing.
 */
export function weakest(labels: readonly Label[]): Label {
  if (labels.includes('single_key')) return 'single_key'
  let result: Exclude<Label, 'unknown'> | undefined
  for (const label of labels) {
    if (label === 'unknown') return 'unknown'
    if (result === undefined || STRENGTH[label] < STRENGTH[result]) result = label
  }
  return result ?? 'unknown'
}

/** Whether `next` promises more than `previous` did; unknown promises nothing. */
export function isGreener(next: Label, previous: Label): boolean {
  const rank = (label: Label): number => (label === 'unknown' ? -1 : STRENGTH[label])
  return next !== 'unknown' && next !== 'single_key' && rank(next) > rank(previous)
}
