import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useSearch } from 'wouter'
import { Footer } from './footer.tsx'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'

/** Set by the server in the page, so that the banner does not move the content when it appears. */
const isDemo = document.documentElement.dataset.demo !== undefined

export function Shell({ children }: { readonly children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const [path] = useLocation()
  const search = useSearch()
  const openedPath = useRef(path)
  const isHistoryNavigation = useRef(false)
  useEffect(() => {
    const onPopState = () => {
      isHistoryNavigation.current = true
    }
    // In the capture phase: this listener must run before the router's.
    window.addEventListener('popstate', onPopState, { capture: true })
    return () => window.removeEventListener('popstate', onPopState, { capture: true })
  }, [])
  // A new page starts at the top with the focus on its content. Back and forward keep the scroll position.
  useEffect(() => {
    const keepsScroll = isHistoryNavigation.current
    isHistoryNavigation.current = false
    if (openedPath.current === path) return
    openedPath.current = path
    if (!keepsScroll) window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
    // The search is a dependency, because a change of it alone also ends the history navigation.
  }, [path, search])
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      {isDemo && (
        <aside className={styles.demo} aria-label="About this data">
          Demo: local chains, no real funds.
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
