/** The delivery queues of alert messages: one for each kind of channel. */

import type { Timing } from '../../lib/clock.ts'
import { stringifyExactly } from '../../lib/json.ts'
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import type { ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import {
  createDeliveryQueue,
  type DeliveryLimits,
  type DeliveryQueue,
  type DeliverySource,
  type Settled,
} from '../../platform/deliveries/delivery-queue.ts'
import { type Outcome, retryUntil } from '../../platform/deliveries/outcome.ts'
import { postWebhook } from '../../platform/deliveries/webhook.ts'
import { type Alert, loadAlerts } from './alert.ts'
import { type ClaimedMessage, claimMessages, type SettledMessage, settleMessages } from './alert-messages.ts'
import { acknowledgeButton } from './bot-updates.ts'
import { disableChannel, getSecrets, moveChat } from './channels.ts'
import { alertMail } from './mail-message.ts'
import { type SendDeps, sendMail, sendTelegram } from './send.ts'
import { telegramParts } from './telegram-message.ts'
import { noticeOf } from './vendors/vendor.ts'
import { postNotice, type VendorKind } from './vendors/vendors.ts'
import { webhookId, webhookPayload } from './webhook-payload.ts'

export type LoadedAlert = ClaimedMessage & {
  readonly alert: Alert
  /** The valid webhook secrets of the account; empty for channels that do not sign. */
  readonly secrets: readonly string[]
}

export type AlertSender = (loaded: LoadedAlert) => Promise<Outcome>

export type AlertQueueDeps = SendDeps & {
  readonly database: Database
  readonly publicUrl: string
  readonly timing: Timing
  /** From 0 to 1. */
  readonly random: () => number
  readonly log: Logger
  readonly onAttempt?: (message: ClaimedMessage, outcome: Outcome) => void
}

const SECOND = 1_000

/**
 * Telegram takes one message a second in a chat and twenty a minute in a group, whose id is negative
 * (https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this).
 */
const chatPauseMs = (chatId: string): number => (chatId.startsWith('-') ? 3.1 : 1.1) * SECOND

/** Slack takes one message a second in a channel, Discord five in two seconds. */
const ROOM_PAUSE_MS = 1.1 * SECOND

const ROOM: DeliveryLimits<ClaimedMessage> = {
  recipient: { initial: 1, max: 1, failing: 16 },
  host: 32,
  total: 64,
  claimMs: 60 * SECOND,
  pauseMs: () => ROOM_PAUSE_MS,
}
const PAGER: DeliveryLimits<ClaimedMessage> = {
  recipient: { initial: 1, max: 4, failing: 16 },
  host: 32,
  total: 64,
  claimMs: 60 * SECOND,
}

export const CHANNEL_LIMITS: Readonly<Record<ChannelKind, DeliveryLimits<ClaimedMessage>>> = {
  webhook: { recipient: { initial: 2, max: 16, failing: 128 }, host: 64, total: 512, claimMs: 60 * SECOND },
  // All mail goes through the operator's mail server.
  email: { recipient: { initial: 1, max: 2, failing: 4 }, total: 8, claimMs: 180 * SECOND },
  telegram: {
    recipient: { initial: 1, max: 1, failing: 8 },
    total: 32,
    claimMs: 300 * SECOND,
    pauseMs: ({ target }) => chatPauseMs(target),
  },
  slack: ROOM,
  discord: ROOM,
  teams: ROOM,
  pagerduty: PAGER,
  opsgenie: PAGER,
  custom: { recipient: { initial: 2, max: 16, failing: 64 }, host: 64, total: 128, claimMs: 60 * SECOND },
}

/** The channels whose messages are signed with the secret of the account. */
const SIGNED: readonly ChannelKind[] = ['webhook', 'custom']

export function createAlertQueue(
  deps: AlertQueueDeps,
  channel: ChannelKind,
  send: AlertSender = alertSenders(deps)[channel],
): DeliveryQueue {
  return createDeliveryQueue(deps, alertSource(deps, channel, send), CHANNEL_LIMITS[channel])
}

export function alertSenders(deps: AlertQueueDeps): Readonly<Record<ChannelKind, AlertSender>> {
  const { database, publicUrl, timing } = deps
  const post =
    (kind: VendorKind): AlertSender =>
    ({ target, alert, secrets }) =>
      postNotice(deps, kind, target, noticeOf(alert, publicUrl), { secrets })
  return {
    slack: post('slack'),
    discord: post('discord'),
    teams: post('teams'),
    pagerduty: post('pagerduty'),
    opsgenie: post('opsgenie'),
    custom: post('custom'),
    webhook: ({ target, alert, secrets }) =>
      postWebhook(deps, target, { id: webhookId(alert), body: stringifyExactly(webhookPayload(alert)), secrets }),
    email: ({ target, token, alert }) => sendMail(deps, alertMail(alert, { address: target, token, publicUrl })),
    telegram: async ({ target, alert, accountId, recipient }) => {
      const pause = () => timing.sleep(chatPauseMs(target))
      const button = alert.retracts === null ? acknowledgeButton(alert.id) : undefined
      const { movedTo, ...outcome } = await sendTelegram(deps, target, telegramParts(alert), { pause, button })
      if (movedTo !== undefined) await moveChat(database, { accountId, recipient }, movedTo)
      return outcome
    },
  }
}

function alertSource(
  deps: AlertQueueDeps,
  channel: ChannelKind,
  send: AlertSender,
): DeliverySource<ClaimedMessage, LoadedAlert> {
  const { database, random, log } = deps
  /** The channel at which the last claim ended. The next claim continues there, so that every recipient gets a turn. */
  let position = 0

  return {
    name: `${channel} alerts`,
    claim: async (request) => {
      for (;;) {
        const isFromStart = position === 0
        const { messages, last } = await claimMessages(database, { ...request, channel, after: position })
        position = last ?? 0
        if (messages.length > 0 || (isFromStart && last === undefined)) return messages
      }
    },
    load: async (messages) => {
      const [alerts, secrets] = await Promise.all([
        loadAlerts(deps, messages),
        SIGNED.includes(channel)
          ? getSecrets(database, [...new Set(messages.map(({ accountId }) => accountId))])
          : undefined,
      ])
      return messages.map((message, index) => ({
        ...message,
        alert: alerts[index] as Alert,
        secrets: secrets?.get(message.accountId) ?? [],
      }))
    },
    // All events of a message may have been retracted since it was claimed.
    send: async (loaded) => (loaded.alert.items.length === 0 ? undefined : await send(loaded)),
    nextAttempt: ({ attempts, giveUpAt }, failure, now) =>
      retryUntil({ attempts, giveUpAt: giveUpAt.getTime() }, failure, now, random()),
    settle: async (settled) => {
      await settleMessages(database, settled.map(settledMessage))
      for (const { delivery, outcome } of settled) {
        if (outcome === undefined || outcome.ok || outcome.isGone !== true) continue
        await disableChannel(database, delivery.recipient, outcome.reason)
        log.info({ channel, reason: outcome.reason }, 'alert channel switched off at the request of its recipient')
      }
    },
  }
}

function settledMessage(settled: Settled<LoadedAlert>): SettledMessage {
  const { delivery, status, outcome, startedAt, at, nextAt } = settled
  const { id, claim, alert } = delivery
  // A message without events is due again at once, which cancels it.
  if (status === 'empty' || outcome === undefined)
    return {
      id,
      claim,
      status: 'retrying',
      error: null,
      mayHaveArrived: false,
      startedAt: null,
      at,
      nextAt: at,
      deliveryIds: [],
    }
  const error = outcome.ok ? null : outcome.reason
  const mayHaveArrived = outcome.ok || outcome.isUncertain === true
  const responseStatus = outcome.status ?? null
  return {
    id,
    claim,
    status,
    error,
    responseStatus,
    mayHaveArrived,
    startedAt,
    at,
    nextAt,
    deliveryIds: alert.deliveryIds,
  }
}
