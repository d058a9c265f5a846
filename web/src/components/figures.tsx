import type { ReactNode } from 'react'
import styles from './figures.module.css'

export type Figure = { readonly name: string; readonly value: ReactNode; readonly note?: ReactNode | undefined }

type FiguresProps = {
  readonly items: readonly Figure[]
  /** `lead` emphasizes the first figure. `tiles` is for figures outside a card, at the top of a page. */
  readonly variant?: 'even' | 'lead' | 'tiles'
}

/** Named values side by side. */
export function Figures({ items, variant = 'even' }: FiguresProps) {
  return (
    <dl className={`${styles.figures} ${styles[variant]}`}>
      {items.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            {note !== undefined && note !== false && <span className={styles.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
