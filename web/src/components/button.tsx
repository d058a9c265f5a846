import type { ComponentProps } from 'react'
import styles from './button.module.css'

type Kind = 'plain' | 'primary' | 'quiet' | 'danger'

export const buttonClass = (kind: Kind = 'plain'): string =>
  [styles.button, kind === 'plain' ? undefined : styles[kind]].filter(Boolean).join(' ')

export function Button({ kind, type = 'button', ...rest }: ComponentProps<'button'> & { readonly kind?: Kind }) {
  return <button type={type} className={buttonClass(kind)} {...rest} />
}
