/** The narrow page that all of signing in, up and resetting stands on. */
import type { FormEvent, ReactNode } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import styles from './door.module.css'

type DoorProps = {
  readonly title: string
  readonly lead?: ReactNode
  readonly onSubmit?: () => void
  readonly below?: ReactNode
  readonly children: ReactNode
}

export function Door({ title, lead, onSubmit, below, children }: DoorProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  return (
    <div className={styles.door}>
      <PageHeader title={title} lead={lead} />
      {onSubmit === undefined ? (
        <div className={styles.card}>{children}</div>
      ) : (
        <form className={styles.card} onSubmit={submit} aria-label={title}>
          {children}
        </form>
      )}
      {below !== undefined && <div className={styles.below}>{below}</div>}
    </div>
  )
}
