import type { ReactNode } from 'react'
import styles from './tone.module.css'

export type Tone = 'green' | 'amber' | 'red' | 'grey'

/** The one loud thing on a page: a state in the colour of its tone. */
export function TonePill({ tone, large = false, children }: { tone: Tone; large?: boolean; children: ReactNode }) {
  return (
    <span className={`${styles.pill} ${styles[tone]} ${large ? styles.large : ''}`}>
      <span className={styles.dot} aria-hidden="true" />
      {children}
    </span>
  )
}
