/** A chain's last 90 days as bars: how long its data was up to date, was not, or was not recorded. */
import { ChainName } from '../../components/chain-name.tsx'
import styles from './chain-history.module.css'
import { type Day, daysUpTo, dayText, HISTORY_DAYS, hasOutage, summaryOf } from './history-days.ts'

type ChainHistoryProps = { readonly chain: string; readonly days: readonly Day[]; readonly now: number }

const STEP = 10
const WIDTH = 7

export function ChainHistory({ chain, days, now }: ChainHistoryProps) {
  const bars = daysUpTo(now, days)
  const outages = bars.filter(hasOutage).toReversed()
  const summary = summaryOf(days)
  return (
    <section className={styles.chain}>
      <div className={styles.head}>
        <h3>
          <ChainName slug={chain} />
        </h3>
        <p>{summary}</p>
      </div>
      <svg
        className={styles.bars}
        viewBox={`0 0 ${HISTORY_DAYS * STEP - (STEP - WIDTH)} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`The last ${HISTORY_DAYS} days: ${summary}`}
      >
        {bars.map((bar, at) => (
          <g key={bar.day} transform={`translate(${at * STEP} 0)`}>
            <title>{dayText(bar)}</title>
            <rect className={styles.gap} width={WIDTH} height="100" />
            <rect className={styles.down} width={WIDTH} y={100 - bar.upShare - bar.downShare} height={bar.downShare} />
            <rect className={styles.up} width={WIDTH} y={100 - bar.upShare} height={bar.upShare} />
          </g>
        ))}
      </svg>
      <p className={styles.ends}>
        <span>{HISTORY_DAYS} days ago</span>
        <span>Today</span>
      </p>
      {outages.length > 0 && (
        <details className={styles.outages}>
          <summary>Days on which it was not always up to date</summary>
          <ul>
            {outages.map((bar) => (
              <li key={bar.day}>{dayText(bar)}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

/** What the colors of the bars mean. */
export function HistoryLegend() {
  return (
    <ul className={styles.legend}>
      <li>
        <span className={styles.upSwatch} /> Up to date
      </li>
      <li>
        <span className={styles.downSwatch} /> Behind, unreachable or not watched
      </li>
      <li>
        <span className={styles.gapSwatch} /> Not recorded
      </li>
    </ul>
  )
}
