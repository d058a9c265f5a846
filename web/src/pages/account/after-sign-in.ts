import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useSearch } from 'wouter'
import { SESSION_KEY } from '../../api/use-session.ts'

/** The page in `?next=`. Only a path of this site is accepted, because the address may come from another site. */
export function nextPage(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  return /^\/(?![/\\])/.test(next) ? next : '/account'
}

/** Returns a function that drops the data of the previous account and opens the next page. */
export function useAfterSignIn(): () => Promise<void> {
  const client = useQueryClient()
  const search = useSearch()
  const [, navigate] = useLocation()
  return async () => {
    await client.resetQueries({ queryKey: SESSION_KEY })
    client.removeQueries({ queryKey: ['me'] })
    navigate(nextPage(search), { replace: true })
  }
}
