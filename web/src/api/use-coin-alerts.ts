/** Coin subscriptions of the signed-in account, and the deliveries of their events. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { service, unwrap } from './service.ts'
import { useChange } from './use-change.ts'

export type CoinSubscription = Schemas['CoinSubscription']
export type CoinDelivery = Schemas['CoinDelivery']
export type CoinEventKind = CoinSubscription['events'][number]

const SUBSCRIPTIONS = ['me', 'coins', 'subscriptions'] as const
const DELIVERIES = ['me', 'coins', 'deliveries'] as const

const PAGE_SIZE = 50
const pageOf = (cursor: string | undefined) => ({
  query: { limit: PAGE_SIZE, ...(cursor !== undefined && { cursor }) },
})

export const useCoinSubscriptions = () =>
  useInfiniteQuery({
    queryKey: SUBSCRIPTIONS,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(service.GET('/me/coins/subscriptions', { params: pageOf(pageParam), signal })),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  })

/** Whether the account subscribes to an address or a transaction. Sends no request unless `isSignedIn`. */
export const useIsCoinWatched = (isSignedIn: boolean, chain: string, target: string) =>
  useQuery({
    enabled: isSignedIn,
    queryKey: [...SUBSCRIPTIONS, 'to', chain, target],
    queryFn: async ({ signal }) => {
      const params = { query: { limit: 2, target } } // one for each chain
      const { items } = await unwrap(service.GET('/me/coins/subscriptions', { params, signal }))
      return items.some((item) => item.chain === chain)
    },
  })

export type NewCoinSubscription = {
  readonly chain: CoinSubscription['chain']
  readonly address?: string
  readonly walletId?: string
  readonly txid?: string
  readonly events: CoinEventKind[]
  readonly confirmations: number
}

export const useSubscribeCoins = () =>
  useChange(SUBSCRIPTIONS, (body: NewCoinSubscription) => unwrap(service.POST('/me/coins/subscriptions', { body })))

export const useUnsubscribeCoins = (id: number) =>
  useChange(SUBSCRIPTIONS, () => unwrap(service.DELETE('/me/coins/subscriptions/{id}', { params: { path: { id } } })))

const REFETCH_MS = 10_000

export const useCoinDeliveries = () =>
  useInfiniteQuery({
    queryKey: DELIVERIES,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      unwrap(service.GET('/me/coins/notifications', { params: pageOf(pageParam), signal })),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: REFETCH_MS,
  })

export const useAcknowledgeCoins = (id: number) =>
  useChange(DELIVERIES, () =>
    unwrap(service.POST('/me/coins/notifications/{id}/acknowledge', { params: { path: { id } } })),
  )

export const useResendCoins = (id: number) =>
  useChange(DELIVERIES, () => unwrap(service.POST('/me/coins/notifications/{id}/replay', { params: { path: { id } } })))
