/** How many contracts carry each label, as one bar; weakest first. */
import { LABEL_TEXTS, SUMMARY_LABELS } from '../text/labels.ts'
import styles from './summary-bar.module.css'

type Key = (typeof SUMMARY_LABELS)[number][0]
export type Summary = Readonly<Record<Key | 'total', number>>

const NONE: Summary = { total: 0, singleKey: 0, multisig: 0, shortTimelock: 0, timelocked: 0, immutable: 0, unknown: 0 }

export const addSummaries = (summaries: readonly Summary[]): Summary =>
  summaries.reduce(
    (sum, next) => ({
      total: sum.total + next.total,
      singleKey: sum.singleKey + next.singleKey,
      multisig: sum.multisig + next.multisig,
      shortTimelock: sum.shortTimelock + next.shortTimelock,
      timelocked: sum.timelocked + next.timelocked,
      immutable: sum.immutable + next.immutable,
      unknown: sum.unknown + next.unknown,
    }),
    NONE,
  )

const told = (summary: Summary): string =>
  SUMMARY_LABELS.filter(([key]) => summary[key] > 0)
    .map(([key, label]) => `${summary[key]} ${LABEL_TEXTS[label]}`)
    .join(', ') || 'no contract'

export function SummaryBar({ summary, large = false }: { readonly summary: Summary; readonly large?: boolean }) {
  return (
    <div
      className={`${styles.bar} ${large ? styles.large : ''}`}
      role="img"
      aria-label={told(summary)}
      title={told(summary)}
    >
      {SUMMARY_LABELS.filter(([key]) => summary[key] > 0).map(([key, label]) => (
        <span key={key} className={`${styles.part} ${styles[label]}`} style={{ flexGrow: summary[key] }} />
      ))}
    </div>
  )
}

export function SummaryLegend({ summary }: { readonly summary: Summary }) {
  return (
    <ul className={styles.legend}>
      {SUMMARY_LABELS.map(([key, label]) => (
        <li key={key} className={summary[key] === 0 ? styles.none : undefined}>
          <span className={`${styles.swatch} ${styles[label]}`} aria-hidden="true" />
          {LABEL_TEXTS[label]}
          <b>{summary[key]}</b>
        </li>
      ))}
    </ul>
  )
}
