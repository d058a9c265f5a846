import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api-failure.ts'
import { SESSION_KEY } from './use-session.ts'

/** Refusals are final; what never arrived, or failed on the server's side, is tried again. */
const isWorthTrying = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiFailure && error.status < 500)

export function createQueryClient(): QueryClient {
  /** A session that ended meanwhile, here or in another window: whoever stands behind it is asked in again. */
  const onError = (error: Error): void => {
    if (error instanceof ApiFailure && error.status === 401) void client.invalidateQueries({ queryKey: SESSION_KEY })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: isWorthTrying,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        networkMode: 'always', // who is offline is told so, not left waiting
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
