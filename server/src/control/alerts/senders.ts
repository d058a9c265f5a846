/** The three kinds of channel: how a message takes its form, and how many go out at once. */

import { stringifyExactly } from '../../lib/json.ts'
import type { Timing } from '../../lib/timing.ts'
import type { Queryable } from '../../platform/database.ts'
import type { ClaimedMessage } from './alert-messages.ts'
import { getSecrets } from './channels.ts'
import type { LineKind, Sender } from './delivery-line.ts'
import { alertMail } from './mail-message.ts'
import { type SendDeps, sendMail, sendTelegram, sendWebhook } from './send.ts'
import type { ChannelKind } from './subscriptions.ts'
import { telegramParts } from './telegram-message.ts'
import { webhookId, webhookPayload } from './webhook-payload.ts'

const SECOND = 1_000

/**
 * https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this: one message a second to a chat,
 * twenty a minute to a group (whose ids are negative). All together: `telegram-pace.ts`.
 */
export const chatPauseMs = (chatId: string): number => (chatId.startsWith('-') ? 3.1 : 1.1) * SECOND

export const LINE_KINDS: Readonly<Record<ChannelKind, LineKind>> = {
  webhook: {
    channel: 'webhook',
    room: { usual: 2, most: 16, sick: 128 },
    most: 512,
    mostAtPlace: 64,
    claimMs: 60 * SECOND,
  },
  // The mail server is ours: it is the one place all mails go through.
  email: { channel: 'email', room: { usual: 1, most: 2, sick: 4 }, most: 8, claimMs: 180 * SECOND },
  telegram: {
    channel: 'telegram',
    room: { usual: 1, most: 1, sick: 8 },
    most: 32,
    claimMs: 300 * SECOND,
    restMs: chatPauseMs,
  },
}

type Deps = SendDeps & { readonly database: Queryable; readonly publicUrl: string; readonly timing: Timing }

type Prepare = (messages: readonly ClaimedMessage[]) => Promise<Sender>

export function preparations(deps: Deps): Readonly<Record<ChannelKind, Prepare>> {
  const { database, publicUrl, timing } = deps
  return {
    webhook: async (messages) => {
      const secrets = await getSecrets(database, [...new Set(messages.map(({ accountId }) => accountId))])
      return ({ target, accountId }, alert) =>
        sendWebhook(deps, target, {
          id: webhookId(alert),
          body: stringifyExactly(webhookPayload(alert)),
          secrets: secrets.get(accountId) ?? [],
        })
    },
    email:
      async () =>
      ({ target, token }, alert) =>
        sendMail(deps, alertMail(alert, { address: target, token, publicUrl })),
    telegram:
      async () =>
      ({ target }, alert) =>
        sendTelegram(deps, target, telegramParts(alert), () => timing.sleep(chatPauseMs(target))),
  }
}
