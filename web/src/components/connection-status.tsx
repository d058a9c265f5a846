import type { Connection } from '../api/use-feed.ts'
import styles from './connection-status.module.css'

const TEXTS: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost. Reconnecting…',
}

/** Whether the page receives live events. */
export function ConnectionStatus({ connection }: { readonly connection: Connection }) {
  return (
    <span className={styles.status} role="status">
      {/* A new element for each text: an old one that grows would move. */}
      <span key={connection} className={styles.text}>
        <span className={`${styles.pulse} ${styles[connection]}`} aria-hidden="true" />
        {TEXTS[connection]}
      </span>
    </span>
  )
}
