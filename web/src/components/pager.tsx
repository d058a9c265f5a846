import { Link } from 'wouter'
import { buttonClass } from './button.tsx'
import styles from './pager.module.css'

type PagerProps = { readonly page: number; readonly pages: number; readonly hrefOf: (page: number) => string }

/** Back and forth in a list that is cut into pages; each page has an address of its own. */
export function Pager({ page, pages, hrefOf }: PagerProps) {
  if (pages <= 1) return null
  return (
    <nav className={styles.pager} aria-label="Pages of this list">
      {page > 1 ? (
        <Link href={hrefOf(page - 1)} className={buttonClass()}>
          Newer
        </Link>
      ) : (
        <span />
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages ? (
        <Link href={hrefOf(page + 1)} className={buttonClass()}>
          Older
        </Link>
      ) : (
        <span />
      )}
    </nav>
  )
}
