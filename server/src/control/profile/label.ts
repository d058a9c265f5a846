/** Rules that derive a control label. */
import { LABELS, type Label } from '../../../../vocabulary/labels.ts'

/** A delay of one day gives users time to leave before a change takes effect. */
export const LONG_DELAY_SECONDS = 86_400

export function labelByDelay(seconds: number): Label {
  if (seconds <= 0) return 'multisig'
  return seconds < LONG_DELAY_SECONDS ? 'short_timelock' : 'timelocked'
}

/** Whether `next` is stronger than `previous`. An unknown label or a single key is never stronger. */
export const isStronger = (next: Label, previous: Label): boolean =>
  next !== 'unknown' && next !== 'single_key' && LABELS.indexOf(next) < LABELS.indexOf(previous)
