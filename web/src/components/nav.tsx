import type { ComponentProps } from 'react'
import styles from './nav.module.css'

/** A navigation. The link with `aria-current` is marked. */
export function Nav({ className = '', ...rest }: ComponentProps<'nav'>) {
  return <nav className={`${styles.links} ${className}`} {...rest} />
}
