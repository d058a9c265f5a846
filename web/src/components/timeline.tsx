import type { ReactNode } from 'react'
import { wholeNumber } from '../text/numbers.ts'
import { RelativeTime } from './relative-time.tsx'
import styles from './timeline.module.css'

export type TimelineEntry = { readonly at: string; readonly blockNumber: number; readonly what: ReactNode }

/** What happened to one thing, newest first. */
export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol className={styles.timeline}>
      {entries.map(({ at, blockNumber, what }) => (
        <li key={`${at} ${blockNumber}`} className={styles.entry}>
          {what}
          <div className={styles.when}>
            <RelativeTime at={at} /> · block {wholeNumber(blockNumber)}
          </div>
        </li>
      ))}
    </ol>
  )
}
