import type { ReactNode } from 'react'
import styles from './columns.module.css'

/** Cards below one another. */
export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className={styles.column}>{children}</div>
}

/** What the page is about, and what goes with it; below one another where there is no room. */
export function Columns({ main, side }: { readonly main: ReactNode; readonly side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <Stack>{main}</Stack>
      <Stack>{side}</Stack>
    </div>
  )
}
