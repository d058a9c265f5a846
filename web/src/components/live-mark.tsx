import type { Line } from '../api/use-feed-stream.ts'
import styles from './live-mark.module.css'

const TEXTS: Readonly<Record<Line, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again',
}

/** Whether what is on the page moves by itself. */
export function LiveMark({ line }: { readonly line: Line }) {
  return (
    <span className={styles.mark} role="status">
      <span className={`${styles.pulse} ${styles[line]}`} aria-hidden="true" />
      {TEXTS[line]}
    </span>
  )
}
