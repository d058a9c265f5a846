import type { ReactNode } from 'react'
import styles from './stat.module.css'

/** The few figures a page begins with. */
export function Stats({ stats }: { readonly stats: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.stats}>
      {stats.map(([name, value]) => (
        <div key={name} className={styles.stat}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
