/** The frame of all account pages. Visitors who are not signed in are redirected to the sign-in page. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { authPost } from '../../api/auth-requests.ts'
import { SESSION_KEY, type User, useSession } from '../../api/use-session.ts'
import { Button } from '../../components/button.tsx'
import { Nav } from '../../components/nav.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { PageSkeleton } from '../../components/skeleton.tsx'
import styles from './account-frame.module.css'

const PAGES = [
  ['/account', 'API keys'],
  ['/account/alerts', 'Alerts'],
  ['/account/coins', 'Coin alerts'],
  ['/account/channels', 'Channels'],
  ['/account/deliveries', 'Deliveries'],
  ['/account/traffic', 'Traffic'],
  ['/account/security', 'Security'],
] as const
const OPERATOR_PAGES = [
  ['/operator', 'Accounts'],
  ['/operator/chains', 'Chains'],
  ['/operator/registry', 'Registry'],
  ['/operator/changes', 'Changes'],
] as const

export function AccountFrame({ children }: { readonly children: (user: User) => ReactNode }) {
  const session = useSession()
  const [path] = useLocation()
  const search = useSearch()
  const user = session.data
  if (user === undefined)
    return (
      <QueryView query={session} loading={<PageSkeleton />}>
        {() => null}
      </QueryView>
    )
  if (user === null) {
    const here = search === '' ? path : `${path}?${search}`
    return <Redirect to={`/sign-in?next=${encodeURIComponent(here)}`} replace />
  }
  const entry = ([href, text]: readonly [string, string]) => (
    <Link key={href} href={href} aria-current={path === href ? 'page' : undefined}>
      {text}
    </Link>
  )
  return (
    <div className={styles.frame}>
      <div className={styles.side}>
        <Nav aria-label="Your account" className={styles.nav}>
          {PAGES.map(entry)}
        </Nav>
        {user.operator && (
          <Nav aria-label="Operator" className={styles.nav}>
            <span className={styles.title}>Operator</span>
            {OPERATOR_PAGES.map(entry)}
          </Nav>
        )}
        <SignOut user={user} />
      </div>
      <div className={styles.page}>{children(user)}</div>
    </div>
  )
}

function SignOut({ user }: { readonly user: User }) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const signOut = useMutation({
    mutationFn: () => authPost('/sign-out'),
    onSuccess: () => {
      client.setQueryData(SESSION_KEY, null)
      client.removeQueries({ queryKey: ['me'] })
      navigate('/')
    },
  })
  return (
    <div className={styles.user}>
      <span title={user.email}>{user.email}</span>
      <Button onClick={() => signOut.mutate()} disabled={signOut.isPending}>
        Sign out
      </Button>
    </div>
  )
}
