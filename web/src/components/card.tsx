import { type ReactNode, useId } from 'react'
import styles from './card.module.css'

type CardProps = {
  readonly title?: ReactNode
  /** To the right of the title: a count or a control. */
  readonly aside?: ReactNode
  /** Without padding, for lists and tables. */
  readonly flush?: boolean
  readonly children: ReactNode
}

export function Card({ title, aside, flush = false, children }: CardProps) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && (
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          {aside !== undefined && <div className={styles.note}>{aside}</div>}
        </header>
      )}
      <div className={flush ? undefined : styles.padded}>{children}</div>
    </section>
  )
}
