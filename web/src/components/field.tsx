/** Labeled form controls. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'

type FieldProps = {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** Keeps a line free for an error that can appear without an input of the visitor, so that the page does not shift. */
  readonly reservesError?: boolean
}

function Field({
  id,
  label,
  hint,
  error,
  reservesError = false,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  const noteClass = (kind: string | undefined) => `${kind} ${reservesError ? styles.reserved : ''}`
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {error === undefined && hint !== undefined && (
        <span id={`${id}-note`} className={noteClass(styles.hint)}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span id={`${id}-note`} className={noteClass(styles.error)} role="alert">
          {error}
        </span>
      )}
      {reservesError && error === undefined && hint === undefined && <span className={styles.reserved} />}
    </div>
  )
}

const describedBy = (id: string, { hint, error }: FieldProps) =>
  hint === undefined && error === undefined
    ? {}
    : { 'aria-describedby': `${id}-note`, 'aria-invalid': error !== undefined }

export function TextField({ label, hint, error, reservesError, ...rest }: FieldProps & ComponentProps<'input'>) {
  const id = useId()
  const field = { label, hint, error, ...(reservesError !== undefined && { reservesError }) }
  return (
    <Field id={id} {...field}>
      <input id={id} className={styles.control} {...describedBy(id, field)} {...rest} />
    </Field>
  )
}

export function TextAreaField({ label, hint, error, ...rest }: FieldProps & ComponentProps<'textarea'>) {
  const id = useId()
  const field = { label, hint, error }
  return (
    <Field id={id} {...field}>
      <textarea id={id} className={styles.control} {...describedBy(id, field)} {...rest} />
    </Field>
  )
}

export type Choice = { readonly value: string; readonly text: string }

type SelectProps = FieldProps &
  Omit<ComponentProps<'select'>, 'onChange'> & {
    readonly choices: readonly Choice[]
    readonly onChoose: (value: string) => void
  }

export function SelectField({ label, hint, error, choices, onChoose, ...rest }: SelectProps) {
  const id = useId()
  const field = { label, hint, error }
  return (
    <Field id={id} {...field}>
      <select
        id={id}
        className={styles.control}
        onChange={(event) => onChoose(event.target.value)}
        {...describedBy(id, field)}
        {...rest}
      >
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}
