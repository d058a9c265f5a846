import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'
import { SESSION_KEY } from './use-session.ts'

/** Network errors and server errors are retried twice. Client errors are final. */
const shouldRetry = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiError && error.status < 500)

export function createQueryClient(): QueryClient {
  /** A 401 means that the session ended, here or in another tab. Reading it again leads to the sign-in page. */
  const onError = (error: Error): void => {
    if (error instanceof ApiError && error.status === 401) void client.invalidateQueries({ queryKey: SESSION_KEY })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        retry: shouldRetry,
        refetchOnWindowFocus: true,
        refetchOnReconnect: true,
        networkMode: 'always', // an offline visitor sees an error instead of a page that waits
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
