/** Traffic of the account's API keys. These requests need a signed token, which the session is exchanged for. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { authGet } from './auth-requests.ts'
import { service, unwrap } from './service.ts'

export type Traffic = Schemas['TrafficSummary']
export type LogEntry = Schemas['LogEntry']
export type Scope = 'own' | 'all'

const TOKEN_MS = 60_000

/** Returns a function for the headers of a request. Requests of one minute share a token. */
function useTokenHeaders() {
  const client = useQueryClient()
  return async () => {
    const { token } = await client.fetchQuery({
      queryKey: ['me', 'token'],
      staleTime: TOKEN_MS,
      queryFn: async ({ signal }) => (await authGet('/token', signal)) as { readonly token: string },
    })
    return { authorization: `Bearer ${token}` }
  }
}

const HOUR_MS = 3_600_000

export function useTraffic(scope: Scope, hours: number) {
  const headersOf = useTokenHeaders()
  return useQuery({
    queryKey: ['me', 'traffic', scope, hours],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - hours * HOUR_MS).toISOString()
      const options = { params: { query: { scope, from } }, headers: await headersOf(), signal }
      return (await unwrap(service.GET('/api/v1/analytics/summary', options))).data
    },
    refetchInterval: 30_000,
  })
}

export function useRequestLog(scope: Scope, hours: number, status: string) {
  const headersOf = useTokenHeaders()
  return useQuery({
    queryKey: ['me', 'traffic', 'log', scope, hours, status],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - hours * HOUR_MS).toISOString()
      const query = { scope, from, pageSize: 20, ...(status !== '' && { status }) }
      return (
        await unwrap(service.GET('/api/v1/analytics/logs', { params: { query }, headers: await headersOf(), signal }))
      ).data
    },
    refetchInterval: 30_000,
  })
}
