import { ApiError } from '../api/api-error.ts'
import styles from './form-error.module.css'
import { Icon } from './icon.tsx'
import { Reauthenticate } from './reauthenticate.tsx'

/** The error of a submitted form, above its submit button. If the sign-in was too long ago, it asks for the password. */
export function FormError({ error }: { readonly error: Error | null }) {
  if (error === null) return null
  if (error instanceof ApiError && error.code === 'reauthentication_required') return <Reauthenticate />
  return (
    <p className={styles.error} role="alert">
      <Icon name="warning" />
      <span>{error.message}</span>
    </p>
  )
}
