import type { ReactNode } from 'react'
import styles from './figures.module.css'

export type Figure = { readonly name: string; readonly value: ReactNode; readonly note?: ReactNode | undefined }

type FiguresProps = {
  readonly items: readonly Figure[]
  /** `lead`: the first is the one people came for. `tiles`: the few a page begins with, outside of any card. */
  readonly look?: 'even' | 'lead' | 'tiles'
}

/** Named values side by side. */
export function Figures({ items, look = 'even' }: FiguresProps) {
  return (
    <dl className={`${styles.figures} ${styles[look]}`}>
      {items.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
