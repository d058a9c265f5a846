import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './notice.module.css'

/** Something to know about what stands below it: it is old, it is shown only once, it waits for something. */
export function Notice({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.notice} role="status">
      <Icon name="warning" />
      <span>{children}</span>
    </div>
  )
}
