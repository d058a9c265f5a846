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

export type SubscriptionChange = {
  readonly minSeverity?: Subscription['minSeverity']
  readonly channels?: Partial<Subscription['channels']>
  readonly includeControllers?: boolean
  readonly paused?: boolean
}

const changed = (subscription: Subscription, { channels, paused, ...rest }: SubscriptionChange): Subscription => ({
  ...subscription,
  ...rest,
  channels: { ...subscription.channels, ...channels },
  ...(paused !== undefined && { pausedAt: paused ? new Date().toISOString() : null }),
})

/** Shown at once, as a control that is pressed must move; what the service says afterwards holds. */
export function useChangeSubscription(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: SUBSCRIPTIONS,
    mutationFn: (body: SubscriptionChange) =>
      ask(service.PATCH('/me/subscriptions/{id}', { params: { path: { id: String(id) } }, body })),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: SUBSCRIPTIONS })
      client.setQueryData<{ items: Subscription[] }>(SUBSCRIPTIONS, (before) => ({
        items: (before?.items ?? []).map((each) => (each.id === id ? changed(each, change) : each)),
      }))
    },
    // Read again after the last of several: what is read between them would undo the next one for a moment.
    onSettled: async () => {
      if (client.isMutating({ mutationKey: SUBSCRIPTIONS }) === 1)
        await client.invalidateQueries({ queryKey: SUBSCRIPTIONS })
    },
  })
}

export const useUnsubscribe = (id: number) =>
  useChange(SUBSCRIPTIONS, () =>
    ask(service.DELETE('/me/subscriptions/{id}', { params: { path: { id: String(id) } } })),
  )

const CONFIRMED_MS = 2_000

/** `isAwaited`: something is being confirmed elsewhere, in a chat or in a mail, and is to be seen without a reload. */
export const useChannels = (isAwaited = false) =>
  useQuery({
    queryKey: CHANNELS,
    queryFn: ({ signal }) => ask(service.GET('/me/channels', { signal })),
    refetchInterval: isAwaited && CONFIRMED_MS,
  })

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
