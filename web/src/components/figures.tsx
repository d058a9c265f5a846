import type { ReactNode } from 'react'
import styles from './figures.module.css'

export type Figure = { readonly name: string; readonly value: ReactNode; readonly note?: ReactNode | undefined }

/** Named values side by side, the first of them the one people came for. */
export function Figures({ items, lead = false }: { readonly items: readonly Figure[]; readonly lead?: boolean }) {
  return (
    <dl className={`${styles.figures} ${lead ? styles.lead : ''}`}>
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
