import { type ReactNode, useId } from 'react'
import styles from './card.module.css'

type CardProps = {
  readonly title?: ReactNode
  /** On the right of the title: a count, a control. */
  readonly aside?: ReactNode
  /** Lists and tables reach the edge; everything else keeps its distance. */
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
