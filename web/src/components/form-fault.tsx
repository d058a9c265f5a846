import styles from './form-fault.module.css'
import { Icon } from './icon.tsx'

/** Why what was sent was refused, above the button that sends it again. */
export function FormFault({ error }: { readonly error: Error | null }) {
  if (error === null) return null
  return (
    <p className={styles.fault} role="alert">
      <Icon name="warning" />
      <span>{error.message}</span>
    </p>
  )
}
