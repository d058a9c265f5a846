import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useSession } from '../api/use-session.ts'
import { Icon } from '../components/icon.tsx'
import { Nav } from '../components/nav.tsx'
import { SearchBox } from '../components/search-box.tsx'
import { ThemeToggle } from './theme-toggle.tsx'
import styles from './top-bar.module.css'

/** `paths` matches the pages on which the entry is marked as current. */
type NavEntry = { readonly text: string; readonly href: string; readonly paths: RegExp }

const NAV: readonly NavEntry[] = [
  { text: 'Feed', href: '/feed', paths: /^\/(feed|contracts|transactions)/ },
  { text: 'Queued', href: '/pending', paths: /^\/pending/ },
  { text: 'Protocols', href: '/protocols', paths: /^\/protocols/ },
  { text: 'Coins', href: '/coins', paths: /^\/coins/ },
  { text: 'Badges', href: '/badges', paths: /^\/badges/ },
  { text: 'Docs', href: '/docs', paths: /^\/docs/ },
]

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
        <Nav className={styles.nav} id="pages" aria-label="Pages">
          {NAV.map(({ text, href, paths }) => (
            <Link key={href} href={href} aria-current={paths.test(path) ? 'page' : undefined}>
              {text}
            </Link>
          ))}
        </Nav>
        <div className={styles.search}>{path !== '/' && <SearchBox />}</div>
        <AccountLink path={path} />
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

function AccountLink({ path }: { readonly path: string }) {
  const isSignedIn = useSession().data != null
  return (
    <Link
      href={isSignedIn ? '/account' : '/sign-in'}
      className={styles.account}
      aria-current={/^\/(account|operator|sign-)/.test(path) ? 'page' : undefined}
    >
      <Icon name="access" />
      <span>{isSignedIn ? 'Account' : 'Sign in'}</span>
    </Link>
  )
}
