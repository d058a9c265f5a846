import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'

/** A note about the content below it: outdated, shown only once, waiting for a confirmation. */
export function Notice({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.notice} role="status">
      <Icon name="warning" />
      <div>{children}</div>
    </div>
  )
}
