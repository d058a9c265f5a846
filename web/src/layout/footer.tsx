import { Link } from 'wouter'
import { useAbout } from '../api/use-about.ts'
import styles from './footer.module.css'

export function Footer() {
  const version = useAbout().data?.version
  return (
    <footer className={styles.footer}>
      <div className={styles.inner}>
        <p>Gatewatch{version === undefined ? '' : ` ${version}`}: contract control and coin data.</p>
        <Link href="/plans">Plans</Link>
        <Link href="/status">Status</Link>
        <Link href="/docs">API docs</Link>
        <a href="/openapi.json">OpenAPI</a>
      </div>
    </footer>
  )
}
