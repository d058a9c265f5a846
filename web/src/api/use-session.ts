/** The signed-in user. `data` is null for a visitor who is not signed in. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { authGet } from './auth-requests.ts'

export type User = {
  readonly email: string
  readonly plan: string
  readonly utxoPlan: string
  readonly operator: boolean
  readonly twoFactorEnabled?: boolean | null
  /** Of this browser's session. */
  readonly sessionToken: string
}

type Answer = { readonly user: Omit<User, 'sessionToken'>; readonly session: { readonly token: string } }

export const SESSION_KEY = ['session'] as const

/** Fetched again whenever the window gets the focus, because another tab may have signed in or out. */
export function useSession() {
  const client = useQueryClient()
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: async ({ signal }): Promise<User | null> => {
      const answer = (await authGet('/get-session', signal)) as Answer | null | undefined
      const user = answer == null ? null : { ...answer.user, sessionToken: answer.session.token }
      const before = client.getQueryData<User | null>(SESSION_KEY)
      // Data of one account must not be shown to the next one.
      if (before != null && user !== null && before.email !== user.email) void client.resetQueries({ queryKey: ['me'] })
      return user
    },
    staleTime: 60_000,
    refetchOnWindowFocus: 'always',
  })
}
