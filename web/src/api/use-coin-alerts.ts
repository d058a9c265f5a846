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

export const useCoinSubscriptions = () =>
  useQuery({
    queryKey: SUBSCRIPTIONS,
    queryFn: ({ signal }) => unwrap(service.GET('/me/coins/subscriptions', { signal })),
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

const PAGE_SIZE = 50
const REFETCH_MS = 10_000

export const useCoinDeliveries = () =>
  useInfiniteQuery({
    queryKey: DELIVERIES,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) }
      return unwrap(service.GET('/me/coins/notifications', { params: { query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: REFETCH_MS,
  })
