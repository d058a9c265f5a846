import { Link } from 'wouter'
import { shortHex } from '../text/short.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './hash.module.css'

type HashProps = {
  readonly text: string
  /** What it is, for those who hear the page: "address", "transaction". */
  readonly what: string
  readonly href?: string | undefined
  /** Shown whole, where it is the subject of the page. */
  readonly full?: boolean
  readonly copy?: boolean
}

/** An address, transaction or block: shortened, whole on hover, copyable. */
export function Hash({ text, what, href, full = false, copy = true }: HashProps) {
  const shown = full ? text : shortHex(text)
  return (
    <span className={`${styles.hash} ${full ? styles.full : ''}`} title={full ? undefined : text}>
      {href === undefined ? shown : <Link href={href}>{shown}</Link>}
      {copy && <CopyButton text={text} what={what} />}
    </span>
  )
}
