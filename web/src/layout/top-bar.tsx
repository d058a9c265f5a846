import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Icon } from '../components/icon.tsx'
import { AccountLink } from './account-link.tsx'
import { NAV } from './nav.ts'
import { SearchField } from './search-field.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import styles from './top-bar.module.css'

export function TopBar() {
  const [path] = useLocation()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => setOpen(false), [path])
  return (
    <header className={`${styles.bar} ${isOpen ? styles.open : ''}`}>
      <div className={styles.inner}>
        <Link href="/" className={styles.brand} aria-label="Gatewatch">
          <svg width="22" height="22" viewBox="0 0 24 24" fill="none" aria-hidden="true">
            <path
              d="M5 20V11a7 7 0 0 1 14 0v9M5 14.500h14M12 7.500V20"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
            />
          </svg>
          <span>Gatewatch</span>
        </Link>
        <nav className={styles.nav} id="pages" aria-label="Pages">
          {NAV.map(({ text, href, within }) => (
            <Link key={href} href={href} aria-current={within.test(path) ? 'page' : undefined}>
              {text}
            </Link>
          ))}
        </nav>
        <div className={styles.search}>
          <SearchField />
        </div>
        <AccountLink />
        <ThemeToggle className={styles.icon} />
        <button
          type="button"
          className={`${styles.icon} ${styles.menuButton}`}
          aria-expanded={isOpen}
          aria-controls="pages"
          aria-label="Menu"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
      </div>
    </header>
  )
}
