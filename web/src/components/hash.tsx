import { Link } from 'wouter'
import { shortHex } from '../text/short.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './hash.module.css'

type HashProps = {
  readonly text: string
  /** What it is, for those who hear the page: "address", "transaction". */
  readonly what: string
  /** Shown instead, where people have a name for it. */
  readonly name?: string | undefined
  readonly href?: string | undefined
  /** Shown whole, where it is the subject of the page. */
  readonly full?: boolean
  readonly copy?: boolean
}

/** An address, transaction or block: shortened, whole on hover, copyable. */
export function Hash({ text, what, name, href, full = false, copy = true }: HashProps) {
  const shown = name ?? (full ? text : shortHex(text))
  const look = name !== undefined ? styles.named : full ? styles.full : ''
  return (
    <span className={`${styles.hash} ${look}`} title={full ? undefined : text}>
      {href === undefined ? shown : <Link href={href}>{shown}</Link>}
      {copy && <CopyButton text={text} what={what} />}
    </span>
  )
}
