import { LABELS, type Label, SUMMARY_TEXTS } from '../../../vocabulary/labels.ts'
import styles from './summary-bar.module.css'

/** The field of a summary that counts each label. */
const COUNTS = {
  immutable: 'immutable',
  timelocked: 'timelocked',
  short_timelock: 'shortTimelock',
  multisig: 'multisig',
  unknown: 'unknown',
  single_key: 'singleKey',
} as const satisfies Readonly<Record<Label, string>>

export type Summary = Readonly<Record<(typeof COUNTS)[Label] | 'total', number>>

const WEAKEST_FIRST = LABELS.toReversed()
const countOf = (summary: Summary, label: Label): number => summary[COUNTS[label]]

export function addSummaries(summaries: readonly Summary[]): Summary {
  const sumOf = (field: keyof Summary) => summaries.reduce((sum, summary) => sum + summary[field], 0)
  const counts = LABELS.map((label) => [COUNTS[label], sumOf(COUNTS[label])])
  return { total: sumOf('total'), ...Object.fromEntries(counts) } as Summary
}

/** One bar with a part for each label, as long as the number of contracts that have it. */
export function SummaryBar({ summary, large = false }: { readonly summary: Summary; readonly large?: boolean }) {
  const present = WEAKEST_FIRST.filter((label) => countOf(summary, label) > 0)
  const text = present.map((label) => `${countOf(summary, label)} ${SUMMARY_TEXTS[label]}`).join(', ') || 'No contracts'
  return (
    <div className={`${styles.bar} ${large ? styles.large : ''}`} role="img" aria-label={text} title={text}>
      {present.map((label) => (
        <span key={label} className={`${styles.part} ${styles[label]}`} style={{ flexGrow: countOf(summary, label) }} />
      ))}
    </div>
  )
}

export function SummaryLegend({ summary }: { readonly summary: Summary }) {
  return (
    <ul className={styles.legend}>
      {WEAKEST_FIRST.map((label) => (
        <li key={label} className={countOf(summary, label) === 0 ? styles.none : undefined}>
          <span className={`${styles.swatch} ${styles[label]}`} aria-hidden="true" />
          {SUMMARY_TEXTS[label]}
          <b>{countOf(summary, label)}</b>
        </li>
      ))}
    </ul>
  )
}
