/** What every page of an account stands in: nobody sees it who is not signed in. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import { authPost } from '../../api/auth.ts'
import { type Person, SESSION_KEY, useSession } from '../../api/use-session.ts'
import { Button } from '../../components/button.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { PageSkeleton } from '../../components/skeleton.tsx'
import styles from './account-frame.module.css'

const PAGES = [
  ['/account', 'API keys'],
  ['/account/alerts', 'Alerts'],
  ['/account/channels', 'Channels'],
  ['/account/deliveries', 'Deliveries'],
  ['/account/traffic', 'Traffic'],
] as const
const OPERATOR_PAGES = [
  ['/operator', 'Accounts'],
  ['/operator/chains', 'Chains'],
  ['/operator/registry', 'Registry'],
] as const

export function AccountFrame({ children }: { readonly children: (person: Person) => ReactNode }) {
  const session = useSession()
  const [path] = useLocation()
  const search = useSearch()
  const person = session.data
  if (person === undefined)
    return (
      <QueryView query={session} loading={<PageSkeleton />}>
        {() => null}
      </QueryView>
    )
  if (person === null) {
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
        <nav aria-label="Your account" className={styles.nav}>
          {PAGES.map(entry)}
        </nav>
        {person.operator && (
          <nav aria-label="Operator" className={styles.nav}>
            <span className={styles.title}>Operator</span>
            {OPERATOR_PAGES.map(entry)}
          </nav>
        )}
        <SignOut person={person} />
      </div>
      <div className={styles.page}>{children(person)}</div>
    </div>
  )
}

function SignOut({ person }: { readonly person: Person }) {
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
    <div className={styles.who}>
      <span title={person.email}>{person.email}</span>
      <Button onClick={() => signOut.mutate()} disabled={signOut.isPending}>
        Sign out
      </Button>
    </div>
  )
}
