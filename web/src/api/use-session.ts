/** Who is signed in; `data` is null when nobody is. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { authGet } from './auth.ts'

export type Person = {
  readonly email: string
  readonly plan: string
  readonly utxoPlan: string
  readonly operator: boolean
}

export const SESSION_KEY = ['session'] as const

/** Asked whenever one comes back to the window: another may have signed in or out meanwhile. */
export function useSession() {
  const client = useQueryClient()
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }): Promise<Person | null> => {
      const answer = (await authGet('/get-session', signal)) as { readonly user: Person } | null | undefined
      const person = answer?.user ?? null
      const before = client.getQueryData<Person | null>(SESSION_KEY)
      // Nothing of one account is shown to the next.
      if (before != null && person !== null && before.email !== person.email)
        void client.resetQueries({ queryKey: ['me'] })
      return person
    },
    staleTime: 60_000,
    refetchOnWindowFocus: 'always',
  })
}
