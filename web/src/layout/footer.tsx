import { Link } from 'wouter'
import { useAbout } from '../api/use-about.ts'
import styles from './footer.module.css'

export function Footer() {
  const about = useAbout()
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>
          Gatewatch{about.data === undefined ? '' : ` ${about.data.version}`}: who holds the keys, and where the coins
          are.
        </p>
        <Link href="/status">Status</Link>
        <a href="/docs">Both interfaces</a>
        <a href="/openapi.json">OpenAPI</a>
      </div>
    </footer>
  )
}
