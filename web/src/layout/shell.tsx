import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useAbout } from '../api/use-about.ts'
import { Footer } from './footer.tsx'
import styles from './shell.module.css'
import { TopBar } from './top-bar.tsx'

export function Shell({ children }: { readonly children: ReactNode }) {
  const main = useRef<HTMLElement>(null)
  const [path] = useLocation()
  const opened = useRef(path)
  // A new page is read from its beginning, by eyes and by screen readers.
  useEffect(() => {
    if (opened.current === path) return
    opened.current = path
    window.scrollTo(0, 0)
    main.current?.focus()
  }, [path])
  const about = useAbout()
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      {about.data?.demo === true && (
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
