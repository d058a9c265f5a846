import { Link } from 'wouter'
import { shortHex } from '../text/names.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './hash.module.css'

type HashProps = {
  readonly text: string
  /** The kind of hash, for the copy button: "address", "transaction". */
  readonly what: string
  /** Shown instead of the hash. */
  readonly name?: string | undefined
  readonly href?: string | undefined
  /** Not shortened, for the subject of a page. */
  readonly full?: boolean
  readonly copy?: boolean
}

/** An address, transaction or block hash: shortened, with the whole text as the tooltip and a copy button. */
export function Hash({ text, what, name, href, full = false, copy = true }: HashProps) {
  const label = name ?? (full ? text : shortHex(text))
  const style = name !== undefined ? styles.named : full ? styles.full : ''
  return (
    <span className={`${styles.hash} ${style}`} title={full ? undefined : text}>
      {href === undefined ? label : <Link href={href}>{label}</Link>}
      {copy && <CopyButton text={text} what={what} />}
    </span>
  )
}
