import { Link, useLocation } from 'wouter'
import { useSession } from '../api/use-session.ts'
import { Icon } from '../components/icon.tsx'
import styles from './account-link.module.css'

/** To one's account, or to where one gets into it. */
export function AccountLink() {
  const [path] = useLocation()
  const person = useSession().data
  const isSignedIn = person !== null && person !== undefined
  return (
    <Link
      href={isSignedIn ? '/account' : '/sign-in'}
      className={styles.link}
      aria-current={/^\/(account|operator|sign-)/.test(path) ? 'page' : undefined}
    >
      <Icon name="access" />
      <span>{isSignedIn ? 'Account' : 'Sign in'}</span>
    </Link>
  )
}
