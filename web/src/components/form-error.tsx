import styles from './form-error.module.css'
import { Icon } from './icon.tsx'

/** The error of a submitted form, above its submit button. */
export function FormError({ error }: { readonly error: Error | null }) {
  if (error === null) return null
  return (
    <p className={styles.error} role="alert">
      <Icon name="warning" />
      <span>{error.message}</span>
    </p>
  )
}
