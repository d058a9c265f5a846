/** The narrow page of all sign-in, sign-up and password forms. */
import type { FormEvent, ReactNode } from 'react'
import { TextField } from '../../components/field.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import styles from './auth-page.module.css'

/** Where the link in a confirmation e-mail leads. The service adds `error` if its token is not valid. */
export const CONFIRMED_PAGE = '/verify-email?confirmed=true'

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

type FieldProps = {
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: string | undefined
}

export function EmailField({ value, onChange, hint }: FieldProps) {
  return (
    <TextField
      label="E-mail"
      type="email"
      required
      autoComplete="email"
      value={value}
      hint={hint}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

export function NewPasswordField({ label, value, onChange }: FieldProps & { readonly label: string }) {
  return (
    <TextField
      label={label}
      type="password"
      required
      minLength={8}
      maxLength={256}
      autoComplete="new-password"
      value={value}
      hint="At least 8 characters"
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
