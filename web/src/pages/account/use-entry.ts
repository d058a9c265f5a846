/** Going on after signing in: to the page that asked for it, with whatever was known of someone else forgotten. */
import { useQueryClient } from '@tanstack/react-query'
import { useLocation, useSearch } from 'wouter'
import { nextPage } from './next-page.ts'

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
