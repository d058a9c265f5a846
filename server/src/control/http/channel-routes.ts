/** `/me/channels` routes. An address is used only after its owner confirmed it. */

import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { meResponses } from '../../accounts/http/responses.ts'
import { requireFreshSession } from '../../accounts/sessions.ts'
import { countRequest, type MailLimit } from '../../accounts/throttling.ts'
import { reasonOf } from '../../lib/errors.ts'
import { ApiError, tooManyRequests } from '../../lib/http/api-error.ts'
import { secondsUntil } from '../../lib/http/retry-after.ts'
import type { RateLimiter } from '../../platform/counters/rate-limiter.ts'
import type { Database } from '../../platform/database.ts'
import type { ChannelKind } from '../../platform/deliveries/channel-kinds.ts'
import { checkTarget } from '../../platform/outbound.ts'
import {
  type Channel,
  deleteChannel,
  ensureSecret,
  findPendingAddress,
  getChannels,
  isOwnAddress,
  rotateSecret,
  saveChannel,
  saveConfirmation,
  validSecrets,
} from '../alerts/channels.ts'
import { confirmationMail } from '../alerts/mail-message.ts'
import { type SendDeps, sendMail, sendTestMessage } from '../alerts/send.ts'
import { hintOf, readTarget } from '../alerts/vendors/http-target.ts'
import {
  channelKindParam,
  type MyChannels,
  missingChannel,
  myChannels,
  nothing,
  tags,
  telegramLink,
  testOutcome,
} from './me-schemas.ts'
import { vendorChannelRoutes } from './vendor-channel-routes.ts'

export type ChannelRouteDeps = SendDeps & {
  readonly database: Database
  readonly rateLimiter: RateLimiter
  readonly mailLimit: MailLimit
  readonly publicUrl: string
}

const MINUTE = 60_000
const CODE_VALID_MS = 15 * MINUTE
const MAIL_VALID_MS = 24 * 60 * MINUTE
/** Limits messages to addresses that an account chose but has not confirmed. */
const SEND_LIMIT = { perWindow: 10, windowMs: 10 * MINUTE, perMonth: null }

export function channelRoutes(deps: ChannelRouteDeps) {
  const { clock, database, mailer, mailLimit, telegram, outbound, publicUrl } = deps

  async function channelsOf(accountId: string): Promise<MyChannels> {
    const [channels, secret, pending] = await Promise.all([
      getChannels(database, accountId),
      ensureSecret(database, accountId),
      findPendingAddress(database, accountId),
    ])
    const find = (kind: ChannelKind) => channels.find((channel) => channel.kind === kind)
    const [chat, mail, hook] = [find('telegram'), find('email'), find('webhook')]
    const [slackChannel, customChannel] = [find('slack'), find('custom')]
    const template = customChannel && readTarget(customChannel.target)
    return {
      slack: {
        ...vendorView(slackChannel),
        interactivityUrl: slackChannel === undefined ? null : `${publicUrl}/alerts/slack/${slackChannel.token}`,
      },
      discord: vendorView(find('discord')),
      teams: vendorView(find('teams')),
      pagerduty: vendorView(find('pagerduty')),
      opsgenie: vendorView(find('opsgenie')),
      custom: {
        ...vendorView(customChannel),
        template: template?.template ?? null,
        contentType: template?.contentType ?? null,
      },
      telegram: {
        available: telegram !== undefined,
        chat: chat === undefined ? null : { id: chat.target, title: chat.title },
        linkedAt: confirmedAtOf(chat),
        disabled: disabledOf(chat),
        schedule: chat?.schedule ?? null,
      },
      email: {
        available: mailer !== undefined,
        address: mail?.target ?? null,
        pendingAddress: pending ?? null,
        confirmedAt: confirmedAtOf(mail),
        disabled: disabledOf(mail),
        schedule: mail?.schedule ?? null,
      },
      webhook: {
        url: hook?.target ?? null,
        secret: secret.secret,
        previousSecretValidUntil: secret.previousUntil?.toISOString() ?? null,
        setAt: confirmedAtOf(hook),
        disabled: disabledOf(hook),
        schedule: hook?.schedule ?? null,
      },
    }
  }

  function targetOf(url: string): string {
    try {
      return checkTarget(url, outbound)
    } catch (error) {
      const details = { url: reasonOf(error) }
      throw new ApiError({ status: 400, code: 'invalid_request', message: `url: ${details.url}`, details })
    }
  }

  const countSend = (accountId: string): Promise<void> =>
    countRequest(
      deps,
      { subject: `channel sends ${accountId}`, ...SEND_LIMIT },
      (seconds) => `Too many messages requested. Retry in ${seconds} seconds.`,
    )

  /** The address is chosen by the account, so its owner must not get one confirmation mail after the other. */
  async function countConfirmation(address: string): Promise<void> {
    const taken = await mailLimit('channel', address)
    if (taken.isAllowed) return
    const retryAfterSeconds = secondsUntil(taken.retryAt, clock.now())
    const message = `A confirmation mail was sent to this address within the last hour. Retry in ${retryAfterSeconds} seconds.`
    throw tooManyRequests({ code: 'rate_limited', message, retryAfterSeconds })
  }

  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    const response = meResponses(200, myChannels)
    await instance.register(vendorChannelRoutes({ database, outbound, channelsOf }))

    app.get(
      '/me/channels',
      { schema: { tags, summary: 'Your channels', querystring: nothing, response } },
      async ({ account }) => channelsOf(account.id),
    )

    app.post(
      '/me/channels/telegram/link',
      {
        schema: {
          tags,
          summary: 'Creates a one-time code that links a private chat or a group',
          querystring: nothing,
          response: meResponses(201, telegramLink, 409),
        },
      },
      async ({ account }, reply) => {
        if (telegram === undefined) throw unavailable('Telegram is not set up on this service.')
        // base64url uses only the characters that Telegram allows in a start link.
        const code = randomBytes(18).toString('base64url')
        const expiresAt = await saveConfirmation(database, account.id, 'telegram', { code, validMs: CODE_VALID_MS })
        const bot = await telegram.getUsername().catch(() => undefined)
        reply.status(201)
        return {
          code,
          url: bot === undefined ? null : `https://t.me/${bot}?start=${code}`,
          groupUrl: bot === undefined ? null : `https://t.me/${bot}?startgroup=${code}`,
          command: `/start ${code}`,
          expiresAt: expiresAt.toISOString(),
        }
      },
    )

    app.put(
      '/me/channels/email',
      {
        schema: {
          tags,
          summary: 'Sets the e-mail address. A new address has to be confirmed with a link sent to it',
          querystring: nothing,
          body: z
            .strictObject({ address: z.email('must be an e-mail address').max(254) })
            .meta({ example: { address: 'ada@example.org' } }),
          response: meResponses(200, myChannels, 409, 429),
        },
      },
      async ({ account, body: { address } }) => {
        if (await isOwnAddress(database, account.id, address)) {
          await saveChannel(database, account.id, 'email', { target: address })
          return channelsOf(account.id)
        }
        if (mailer === undefined) throw unavailable('E-mail is not set up on this service.')
        await countSend(account.id)
        await countConfirmation(address)
        const code = randomBytes(24).toString('base64url')
        await saveConfirmation(database, account.id, 'email', { code, target: address, validMs: MAIL_VALID_MS })
        const sent = await sendMail(deps, confirmationMail(address, `${publicUrl}/alerts/confirm?token=${code}`))
        if (!sent.ok)
          throw new ApiError({
            status: 409,
            code: 'mail_refused',
            message: `The confirmation mail to ${address} could not be sent. ${sent.reason}`,
          })
        return channelsOf(account.id)
      },
    )

    app.put(
      '/me/channels/webhook',
      {
        preHandler: requireFreshSession,
        schema: {
          tags,
          summary: 'Sets the webhook URL',
          querystring: nothing,
          body: z
            .strictObject({ url: z.string().max(2_000) })
            .meta({ example: { url: 'https://hooks.example.org/gatewatch' } }),
          response,
        },
      },
      async ({ account, body: { url } }) => {
        await saveChannel(database, account.id, 'webhook', { target: targetOf(url) })
        return channelsOf(account.id)
      },
    )

    app.post(
      '/me/channels/webhook/rotate-secret',
      {
        preHandler: requireFreshSession,
        schema: {
          tags,
          summary: 'Creates a new secret. The previous one stays valid for a day',
          querystring: nothing,
          response,
        },
      },
      async ({ account }) => {
        await rotateSecret(database, account.id)
        return channelsOf(account.id)
      },
    )

    app.delete(
      '/me/channels/:kind',
      {
        preHandler: async (request) => {
          if (!['telegram', 'email'].includes(request.params.kind)) await requireFreshSession(request)
        },
        schema: {
          tags,
          summary: 'Deletes a channel and cancels its pending deliveries',
          params: channelKindParam,
          querystring: nothing,
          response: meResponses(200, myChannels, 404),
        },
      },
      async ({ account, params }) => {
        if (!(await deleteChannel(database, account.id, params.kind))) throw missingChannel()
        return channelsOf(account.id)
      },
    )

    app.post(
      '/me/channels/:kind/test',
      {
        schema: {
          tags,
          summary: 'Sends a test message and returns the outcome',
          params: channelKindParam,
          querystring: nothing,
          response: meResponses(200, testOutcome, 404, 429),
        },
      },
      async ({ account, params }) => {
        const channel = (await getChannels(database, account.id)).find((found) => found.kind === params.kind)
        if (channel === undefined) throw missingChannel()
        await countSend(account.id)
        const secrets = validSecrets(await ensureSecret(database, account.id))
        const outcome = await sendTestMessage(deps, channel, { secrets, publicUrl })
        return outcome.ok ? { delivered: true, error: null } : { delivered: false, error: outcome.reason }
      },
    )
  }
}

const confirmedAtOf = (channel: Channel | undefined): string | null => channel?.confirmedAt.toISOString() ?? null

function vendorView(channel: Channel | undefined) {
  const target = channel && readTarget(channel.target)
  return {
    target: target === undefined ? null : hintOf(target),
    setAt: confirmedAtOf(channel),
    disabled: disabledOf(channel),
    schedule: channel?.schedule ?? null,
  }
}

const disabledOf = (channel: Channel | undefined): { at: string; reason: string } | null =>
  channel === undefined || channel.disabledAt === null
    ? null
    : { at: channel.disabledAt.toISOString(), reason: channel.disabledReason ?? '' }

const unavailable = (message: string): ApiError => new ApiError({ status: 409, code: 'channel_unavailable', message })
