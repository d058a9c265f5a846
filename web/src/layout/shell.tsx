import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Footer } from './footer.tsx'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'

/** Known from the page itself: what comes in later would push everything down. */
const isDemo = document.documentElement.dataset.demo !== undefined

export function Shell({ children }: { readonly children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const [path] = useLocation()
  const search = useSearch()
  const opened = useRef(path)
  const isReturning = useRef(false)
  useEffect(() => {
    const onReturn = () => {
      isReturning.current = true
    }
    // Before the router hears of it.
    window.addEventListener('popstate', onReturn, { capture: true })
    return () => window.removeEventListener('popstate', onReturn, { capture: true })
  }, [])
  // A new page is read from its beginning, by eyes and by screen readers; one that was left, from where it was left.
  useEffect(() => {
    const isBack = isReturning.current
    isReturning.current = false
    if (opened.current === path) return
    opened.current = path
    if (!isBack) window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
    // Also when only the words behind the path changed: that return is over.
  }, [path, search])
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      {isDemo && (
        <aside className={styles.demo} aria-label="About this data">
          Demo: local chains, no real funds, no real people.
        </aside>
      )}
      <TopBar />
      <main id="main" className={styles.main} ref={main} tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </div>
  )
}
