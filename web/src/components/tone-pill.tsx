import type { ReactNode } from 'react'
import type { Tone } from '../../../vocabulary/labels.ts'
import styles from './tone.module.css'

type TonePillProps = {
  readonly tone: Tone
  readonly large?: boolean
  readonly title?: string
  readonly children: ReactNode
}

/** A short text in the color of a tone. */
export function TonePill({ tone, large = false, title, children }: TonePillProps) {
  return (
    <span className={`${styles.pill} ${styles[tone]} ${large ? styles.large : ''}`} title={title}>
      <span className={styles.dot} aria-hidden="true" />
      {children}
    </span>
  )
}
