import type { Keys } from '../../api/use-keys.ts'
import { RelativeTime } from '../../components/relative-time.tsx'
import { wholeNumber } from '../../text/amounts.ts'
import styles from './usage-meter.module.css'

/** The requests of this month and the limits. A negative limit means unlimited, 0 that there is no key yet. */
export function UsageMeter({ usage, limits }: Pick<Keys, 'usage' | 'limits'>) {
  const { requests, limit, resetAt } = usage
  const share = limit <= 0 ? 0 : Math.min(1, requests / limit)
  return (
    <div className={styles.meter}>
      <p>
        <strong>{wholeNumber(requests)}</strong>
        {limit > 0 && ` of ${wholeNumber(limit)}`} requests this month{limit < 0 && ', unlimited'}
      </p>
      {limit > 0 && (
        <div
          className={styles.track}
          role="meter"
          aria-label="Requests used this month"
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(requests, limit)}
        >
          <span className={share > 0.9 ? styles.full : undefined} style={{ width: `${share * 100}%` }} />
        </div>
      )}
      <p className={styles.note}>
        {wholeNumber(limits.apiRequestsPerMinute)} requests per minute
        {limits.apiRequestsPerMonth < 0 ? '' : ` and ${wholeNumber(limits.apiRequestsPerMonth)} per month`} for each key
        · resets <RelativeTime at={resetAt} />
      </p>
    </div>
  )
}
