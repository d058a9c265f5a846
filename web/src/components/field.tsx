/** Labelled controls of forms and filters. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import styles from './field.module.css'

type FieldProps = { readonly label: string; readonly hint?: ReactNode; readonly fault?: string | undefined }

function Field({ id, label, hint, fault, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {fault === undefined && hint !== undefined && (
        <span id={`${id}-note`} className={styles.hint}>
          {hint}
        </span>
      )}
      {fault !== undefined && (
        <span id={`${id}-note`} className={styles.fault} role="alert">
          {fault}
        </span>
      )}
    </div>
  )
}

const noted = (id: string, { hint, fault }: FieldProps) =>
  hint === undefined && fault === undefined
    ? {}
    : { 'aria-describedby': `${id}-note`, 'aria-invalid': fault !== undefined }

export function TextField({ label, hint, fault, ...rest }: FieldProps & ComponentProps<'input'>) {
  const id = useId()
  const field = { label, hint, fault }
  return (
    <Field id={id} {...field}>
      <input id={id} className={styles.control} {...noted(id, field)} {...rest} />
    </Field>
  )
}

export type Choice = { readonly value: string; readonly text: string }

type SelectProps = FieldProps &
  Omit<ComponentProps<'select'>, 'onChange'> & {
    readonly choices: readonly Choice[]
    readonly onChoose: (value: string) => void
  }

export function SelectField({ label, hint, fault, choices, onChoose, ...rest }: SelectProps) {
  const id = useId()
  const field = { label, hint, fault }
  return (
    <Field id={id} {...field}>
      <select
        id={id}
        className={styles.control}
        onChange={(event) => onChoose(event.target.value)}
        {...noted(id, field)}
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
