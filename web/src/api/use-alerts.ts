/** Subscriptions, channels and what was delivered. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { ask, service } from './service.ts'

export type Subscription = Schemas['MySubscription']
export type Channels = Schemas['MyChannels']
export type Delivery = Schemas['MyNotification']
export type ChannelKind = 'telegram' | 'email' | 'webhook'

const SUBSCRIPTIONS = ['me', 'subscriptions'] as const
const CHANNELS = ['me', 'channels'] as const
const DELIVERIES = ['me', 'deliveries'] as const

export const useSubscriptions = () =>
  useQuery({ queryKey: SUBSCRIPTIONS, queryFn: ({ signal }) => ask(service.GET('/me/subscriptions', { signal })) })

/** A change of subscriptions, after which they are read again. */
function useChange<Given, Data>(key: readonly string[], change: (given: Given) => Promise<Data>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => client.invalidateQueries({ queryKey: key }) })
}

type Wishes = Pick<Subscription, 'minSeverity' | 'channels' | 'includeControllers'>
export type NewSubscription = Wishes &
  ({ readonly chain: string; readonly address: string } | { readonly protocol: string })

export const useSubscribe = () =>
  useChange(SUBSCRIPTIONS, (body: NewSubscription) => ask(service.POST('/me/subscriptions', { body })))

export const useChangeSubscription = (id: number) =>
  useChange(SUBSCRIPTIONS, (body: Partial<Wishes> & { readonly paused?: boolean }) =>
    ask(service.PATCH('/me/subscriptions/{id}', { params: { path: { id: String(id) } }, body })),
  )

export const useUnsubscribe = (id: number) =>
  useChange(SUBSCRIPTIONS, () =>
    ask(service.DELETE('/me/subscriptions/{id}', { params: { path: { id: String(id) } } })),
  )

export const useChannels = () =>
  useQuery({ queryKey: CHANNELS, queryFn: ({ signal }) => ask(service.GET('/me/channels', { signal })) })

export const useSetMail = () =>
  useChange(CHANNELS, (address: string) => ask(service.PUT('/me/channels/email', { body: { address } })))

export const useSetWebhook = () =>
  useChange(CHANNELS, (url: string) => ask(service.PUT('/me/channels/webhook', { body: { url } })))

export const useRotateSecret = () => useChange(CHANNELS, () => ask(service.POST('/me/channels/webhook/rotate-secret')))

export const useLinkTelegram = () => useChange(CHANNELS, () => ask(service.POST('/me/channels/telegram/link')))

export const useRemoveChannel = (kind: ChannelKind) =>
  useChange(CHANNELS, () => ask(service.DELETE('/me/channels/{kind}', { params: { path: { kind } } })))

export const useTestChannel = (kind: ChannelKind) =>
  useChange(CHANNELS, () => ask(service.POST('/me/channels/{kind}/test', { params: { path: { kind } } })))

const PAGE = 50
const NEWS_MS = 10_000

export const useDeliveries = () =>
  useInfiniteQuery({
    queryKey: DELIVERIES,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) }
      return ask(service.GET('/me/notifications', { params: { query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: NEWS_MS,
  })

export const useReplay = (id: number) =>
  useChange(DELIVERIES, () =>
    ask(service.POST('/me/notifications/{id}/replay', { params: { path: { id: String(id) } } })),
  )
