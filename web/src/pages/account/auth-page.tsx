/** The narrow page of all sign-in, sign-up and password forms. */
import type { FormEvent, ReactNode } from 'react'
import { PageHeader } from '../../components/page-header.tsx'
import styles from './auth-page.module.css'

type AuthPageProps = {
  readonly title: string
  readonly lead?: ReactNode
  readonly onSubmit?: () => void
  readonly below?: ReactNode
  readonly children: ReactNode
}

export function AuthPage({ title, lead, onSubmit, below, children }: AuthPageProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  return (
    <div className={styles.page}>
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
