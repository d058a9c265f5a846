import { type ReactNode, useEffect } from 'react'
import styles from './page-header.module.css'

type PageHeaderProps = {
  /** Also the title of the window. */
  readonly title: string
  readonly lead?: ReactNode
  readonly aside?: ReactNode
}

export function PageHeader({ title, lead, aside }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Gatewatch`
  }, [title])
  return (
    <header className={styles.header}>
      <div>
        <h1>{title}</h1>
        {lead !== undefined && <div className={styles.lead}>{lead}</div>}
      </div>
      {aside}
    </header>
  )
}
