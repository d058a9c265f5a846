import type { ReactNode } from 'react'
import styles from './columns.module.css'

/** Cards in one column. */
export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className={styles.column}>{children}</div>
}

/** A wide and a narrow column. On a narrow screen they become one. */
export function Columns({ main, side }: { readonly main: ReactNode; readonly side: ReactNode }) {
  return (
    <div className={styles.columns}>
      <Stack>{main}</Stack>
      <Stack>{side}</Stack>
    </div>
  )
}
