/** Subscriptions, channels and deliveries of the signed-in account. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { useState } from 'react'
import type { ListedContract } from '../text/contract-list.ts'
import { ApiError } from './api-error.ts'
import { service, unwrap } from './service.ts'
import { useChange } from './use-change.ts'

export type Subscription = Schemas['MySubscription']
export type Channels = Schemas['MyChannels']
export type Delivery = Schemas['MyNotification']
export type Attempt = Schemas['DeliveryAttempt']
export type ChannelKind = keyof Channels
export type Schedule = Schemas['ChannelSchedule']
/** Channels at services of other vendors. */
export type VendorKind = Exclude<ChannelKind, 'telegram' | 'email' | 'webhook'>

const SUBSCRIPTIONS = ['me', 'subscriptions'] as const
const CHANNELS = ['me', 'channels'] as const
const DELIVERIES = ['me', 'deliveries'] as const

export const useSubscriptions = (isSignedIn = true) =>
  useQuery({
    queryKey: SUBSCRIPTIONS,
    enabled: isSignedIn,
    queryFn: ({ signal }) => unwrap(service.GET('/me/subscriptions', { signal })),
  })

type Options = Pick<Subscription, 'minSeverity' | 'channels' | 'includeControllers'> &
  Partial<Pick<Subscription, 'powerEffects' | 'alertAt'>>
export type NewSubscription = Options &
  ({ readonly chain: string; readonly address: string } | { readonly protocol: string })

export const useSubscribe = () =>
  useChange(SUBSCRIPTIONS, (body: NewSubscription) => unwrap(service.POST('/me/subscriptions', { body })))

type ImportResult = { readonly line: number; readonly text: string; readonly refusal: string | undefined }

/** Subscribes to one contract after the other, and returns the result of each. */
export function useImport() {
  const client = useQueryClient()
  const [results, setResults] = useState<readonly ImportResult[]>([])
  const run = useMutation({
    mutationFn: async (lines: readonly ListedContract[]) => {
      setResults([])
      for (const { line, text, ...entry } of lines) {
        const refusal = entry.refusal ?? (await subscribeTo(entry.chain, entry.address))
        setResults((before) => [...before, { line, text, refusal }])
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey: SUBSCRIPTIONS }),
  })
  return { start: run.mutate, results, isRunning: run.isPending }
}

/** Returns why the service refuses it. */
async function subscribeTo(chain: string, address: string): Promise<string | undefined> {
  try {
    await unwrap(service.POST('/me/subscriptions', { body: { chain, address } }))
    return undefined
  } catch (error) {
    return error instanceof ApiError ? error.message : 'The service cannot be reached.'
  }
}

export type SubscriptionChange = {
  readonly minSeverity?: Subscription['minSeverity']
  readonly channels?: Partial<Subscription['channels']>
  readonly includeControllers?: boolean
  readonly powerEffects?: Subscription['powerEffects']
  readonly categories?: Subscription['categories']
  readonly eventKeys?: Subscription['eventKeys']
  readonly queuedChanges?: boolean
  readonly alertAt?: Subscription['alertAt']
  readonly paused?: boolean
}

const applyChange = (subscription: Subscription, { channels, paused, ...rest }: SubscriptionChange): Subscription => ({
  ...subscription,
  ...rest,
  channels: { ...subscription.channels, ...channels },
  ...(paused !== undefined && { pausedAt: paused ? new Date().toISOString() : null }),
})

/** Shows the change at once, before the service confirms it. */
export function useChangeSubscription(id: number) {
  const client = useQueryClient()
  return useMutation({
    mutationKey: SUBSCRIPTIONS,
    mutationFn: (body: SubscriptionChange) =>
      unwrap(service.PATCH('/me/subscriptions/{id}', { params: { path: { id: String(id) } }, body })),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: SUBSCRIPTIONS })
      client.setQueryData<{ items: Subscription[] }>(SUBSCRIPTIONS, (before) => ({
        items: (before?.items ?? []).map((each) => (each.id === id ? applyChange(each, change) : each)),
      }))
    },
    // Fetched after the last of several changes only: a fetch in between would show an old state for a moment.
    onSettled: async () => {
      if (client.isMutating({ mutationKey: SUBSCRIPTIONS }) === 1)
        await client.invalidateQueries({ queryKey: SUBSCRIPTIONS })
    },
  })
}

export const useUnsubscribe = (id: number) =>
  useChange(SUBSCRIPTIONS, () =>
    unwrap(service.DELETE('/me/subscriptions/{id}', { params: { path: { id: String(id) } } })),
  )

const CONFIRMATION_POLL_MS = 2_000

/** `isConfirming`: the visitor confirms a channel elsewhere (chat or mail), so the page polls for the result. */
export const useChannels = (isConfirming = false) =>
  useQuery({
    queryKey: CHANNELS,
    queryFn: ({ signal }) => unwrap(service.GET('/me/channels', { signal })),
    refetchInterval: isConfirming && CONFIRMATION_POLL_MS,
  })

export const useSetMail = () =>
  useChange(CHANNELS, (address: string) => unwrap(service.PUT('/me/channels/email', { body: { address } })))

export const useSetWebhook = () =>
  useChange(CHANNELS, (url: string) => unwrap(service.PUT('/me/channels/webhook', { body: { url } })))

/** The body that sets a channel. The service checks which fields its kind takes. */
export type VendorFields = {
  readonly url?: string
  readonly signingSecret?: string
  readonly integrationKey?: string
  readonly apiKey?: string
  readonly authorization?: string
  readonly template?: string
  readonly contentType?: 'application/json' | 'application/x-www-form-urlencoded' | 'text/plain'
}

const PUT_VENDOR = {
  slack: ({ url = '', signingSecret }: VendorFields) =>
    service.PUT('/me/channels/slack', { body: { url, ...(signingSecret !== undefined && { signingSecret }) } }),
  discord: ({ url = '' }: VendorFields) => service.PUT('/me/channels/discord', { body: { url } }),
  teams: ({ url = '' }: VendorFields) => service.PUT('/me/channels/teams', { body: { url } }),
  pagerduty: ({ integrationKey = '', url }: VendorFields) =>
    service.PUT('/me/channels/pagerduty', { body: { integrationKey, ...(url !== undefined && { url }) } }),
  opsgenie: ({ apiKey = '', url }: VendorFields) =>
    service.PUT('/me/channels/opsgenie', { body: { apiKey, ...(url !== undefined && { url }) } }),
  custom: ({ url = '', template = '', contentType, authorization }: VendorFields) =>
    service.PUT('/me/channels/custom', {
      body: {
        url,
        template,
        ...(contentType !== undefined && { contentType }),
        ...(authorization !== undefined && { authorization }),
      },
    }),
} as const satisfies Record<VendorKind, unknown>

export const useSetVendor = (kind: VendorKind) =>
  useChange(CHANNELS, (fields: VendorFields) => unwrap(PUT_VENDOR[kind](fields)))

export const useSetSchedule = (kind: ChannelKind) =>
  useChange(CHANNELS, (body: Schedule) =>
    unwrap(service.PUT('/me/channels/{kind}/schedule', { params: { path: { kind } }, body })),
  )

export const useRotateSecret = () =>
  useChange(CHANNELS, () => unwrap(service.POST('/me/channels/webhook/rotate-secret')))

export const useLinkTelegram = () => useChange(CHANNELS, () => unwrap(service.POST('/me/channels/telegram/link')))

export const useRemoveChannel = (kind: ChannelKind) =>
  useChange(CHANNELS, () => unwrap(service.DELETE('/me/channels/{kind}', { params: { path: { kind } } })))

export const useTestChannel = (kind: ChannelKind) =>
  useChange(CHANNELS, () => unwrap(service.POST('/me/channels/{kind}/test', { params: { path: { kind } } })))

const PAGE_SIZE = 50
const REFETCH_MS = 10_000

export const useDeliveries = () =>
  useInfiniteQuery({
    queryKey: DELIVERIES,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) }
      return unwrap(service.GET('/me/notifications', { params: { query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: REFETCH_MS,
  })

/** Fetched again when `count`, the number of attempts, has changed. */
export const useAttempts = (id: number, count: number) =>
  useQuery({
    queryKey: [...DELIVERIES, id, 'attempts', count],
    queryFn: ({ signal }) =>
      unwrap(service.GET('/me/notifications/{id}/attempts', { params: { path: { id: String(id) } }, signal })),
  })

/** What a webhook gets of a delivery. */
export const usePayload = (id: number) =>
  useQuery({
    queryKey: [...DELIVERIES, id, 'payload'],
    queryFn: ({ signal }) =>
      unwrap(service.GET('/me/notifications/{id}/payload', { params: { path: { id: String(id) } }, signal })),
  })

export const useResend = (id: number) =>
  useChange(DELIVERIES, () =>
    unwrap(service.POST('/me/notifications/{id}/replay', { params: { path: { id: String(id) } } })),
  )

export const useAcknowledge = (id: number) =>
  useChange(DELIVERIES, () =>
    unwrap(service.POST('/me/notifications/{id}/acknowledge', { params: { path: { id: String(id) } } })),
  )

/** Sends the messages again that failed within a time range. */
export const useReplayFailed = () =>
  useChange(DELIVERIES, (body: { readonly from: string; readonly to: string }) =>
    unwrap(service.POST('/me/notifications/replay', { body })),
  )
