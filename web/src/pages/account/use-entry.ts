/** Going on after signing in: to the page that asked for it, with whatever was known of someone else forgotten. */
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useSearch } from 'wouter'

/** Only a page of ours: what stands in the address bar may come from anyone. */
export const nextPage = (search: string): string => {
  const next = new URLSearchParams(search).get('next') ?? ''
  return /^\/(?![/\\])/.test(next) ? next : '/account'
}

export function useEntry(): () => Promise<void> {
  const client = useQueryClient()
  const search = useSearch()
  const [, navigate] = useLocation()
  return async () => {
    await client.resetQueries({ queryKey: ['session'] })
    client.removeQueries({ queryKey: ['me'] })
    navigate(nextPage(search), { replace: true })
  }
}
