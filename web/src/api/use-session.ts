/** Who is signed in; `data` is null when nobody is. */
import { useQuery } from '@tanstack/react-query'
import { authGet } from './auth.ts'

export type Person = {
  readonly email: string
  readonly plan: string
  readonly utxoPlan: string
  readonly operator: boolean
}

export const SESSION_KEY = ['session'] as const

export const useSession = () =>
  useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }): Promise<Person | null> => {
      const answer = (await authGet('/get-session', signal)) as { readonly user: Person } | null | undefined
      return answer?.user ?? null
    },
    staleTime: 60_000,
  })
