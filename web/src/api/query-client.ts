import { QueryClient } from '@tanstack/react-query'
import { ApiFailure } from './api-failure.ts'

/** Refusals are final; what never arrived, or failed on the server's side, is tried again. */
const isWorthTrying = (failures: number, error: Error): boolean =>
  failures < 2 && !(error instanceof ApiFailure && error.status < 500)

export const createQueryClient = (): QueryClient =>
  new QueryClient({
    defaultOptions: { queries: { staleTime: 15_000, retry: isWorthTrying, refetchOnWindowFocus: true } },
  })
