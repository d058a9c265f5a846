/** Traffic of the account's API keys. These requests need a signed token, which the session is exchanged for. */
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { authGet } from './auth-requests.ts'
import { service, unwrap } from './service.ts'

export type Traffic = Schemas['TrafficSummary']
export type LogEntry = Schemas['LogEntry']
export type Scope = 'own' | 'all'

const headersOf = async (signal: AbortSignal) => {
  const { token } = (await authGet('/token', signal)) as { readonly token: string }
  return { authorization: `Bearer ${token}` }
}

const HOUR_MS = 3_600_000

export const useTraffic = (scope: Scope, hours: number) =>
  useQuery({
    queryKey: ['me', 'traffic', scope, hours],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - hours * HOUR_MS).toISOString()
      const options = { params: { query: { scope, from } }, headers: await headersOf(signal), signal }
      return (await unwrap(service.GET('/api/v1/analytics/summary', options))).data
    },
    refetchInterval: 30_000,
  })

export const useRequestLog = (scope: Scope, hours: number, status: string) =>
  useQuery({
    queryKey: ['me', 'traffic', 'log', scope, hours, status],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - hours * HOUR_MS).toISOString()
      const query = { scope, from, pageSize: 20, ...(status !== '' && { status }) }
      return (
        await unwrap(
          service.GET('/api/v1/analytics/logs', { params: { query }, headers: await headersOf(signal), signal }),
        )
      ).data
    },
    refetchInterval: 30_000,
  })
