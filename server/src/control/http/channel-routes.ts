/** `/me/channels`: where an account is reached. Each kind proves itself in its own way before anything is sent to it. */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { meResponses } from '../../accounts/http/responses.ts'
import { ApiError, secondsUntil, tooManyRequests } from '../../lib/api-error.ts'
import { reasonOf } from '../../lib/errors.ts'
import type { Turnstile } from '../../platform/counters/turnstile.ts'
import type { Database } from '../../platform/database.ts'
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
  saveClaim,
  validOf,
} from '../alerts/channels.ts'
import { confirmationMail } from '../alerts/mail-message.ts'
import { type SendDeps, sendMail, sendTestMessage } from '../alerts/send.ts'
import { CHANNEL_KINDS } from '../alerts/subscriptions.ts'
import { myChannels, nothing, tags, telegramLink, testOutcome } from './me-resources.ts'

export type ChannelRouteDeps = SendDeps & {
  readonly database: Database
  readonly turnstile: Turnstile
  readonly publicUrl: string
}

const MINUTE = 60_000
const CODE_VALID_MS = 15 * MINUTE
const MAIL_VALID_MS = 24 * 60 * MINUTE
/** Each sends something to somewhere an account chose: enough for a person, too little for a nuisance. */
const SENDS = { perWindow: 10, windowMs: 10 * MINUTE, perMonth: null }

export function channelRoutes(deps: ChannelRouteDeps) {
  const { database, clock, mailer, telegram, outbound, publicUrl } = deps

  async function channelsOf(accountId: string): Promise<z.infer<typeof myChannels>> {
    const [channels, secret, pending] = await Promise.all([
      getChannels(database, accountId),
      ensureSecret(database, accountId),
      findPendingAddress(database, accountId),
    ])
    const [chat, mail, hook] = CHANNEL_KINDS.map((kind) => channels.find((channel) => channel.kind === kind))
    return {
      telegram: {
        available: telegram !== undefined,
        chat: chat === undefined ? null : { id: chat.target, title: chat.title },
        linkedAt: sinceOf(chat),
        disabled: disabledOf(chat),
      },
      email: {
        available: mailer !== undefined,
        address: mail?.target ?? null,
        pendingAddress: pending ?? null,
        confirmedAt: sinceOf(mail),
        disabled: disabledOf(mail),
      },
      webhook: {
        url: hook?.target ?? null,
        secret: secret.secret,
        previousSecretValidUntil: secret.previousUntil?.toISOString() ?? null,
        setAt: sinceOf(hook),
        disabled: disabledOf(hook),
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

  async function countSend(accountId: string): Promise<void> {
    const passage = await deps.turnstile.pass(`channel sends ${accountId}`, SENDS)
    if (passage.passed) return
    const retryAfterSeconds = secondsUntil(passage.retryAt, clock.now())
    const message = `Too many messages requested; wait ${retryAfterSeconds} seconds.`
    throw tooManyRequests({ code: 'rate_limited', message, retryAfterSeconds })
  }

  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    const answers = meResponses(200, myChannels)
    const kind = z.object({ kind: z.enum(CHANNEL_KINDS, `must be one of ${CHANNEL_KINDS.join(', ')}`) })

    app.get(
      '/me/channels',
      { schema: { tags, summary: 'Where you are reached', querystring: nothing, response: answers } },
      async ({ account }) => channelsOf(account.id),
    )

    app.post(
      '/me/channels/telegram/link',
      {
        schema: {
          tags,
          summary: 'Makes a one-time code that links a private chat or a group',
          querystring: nothing,
          response: meResponses(201, telegramLink),
        },
      },
      async ({ account }, reply) => {
        if (telegram === undefined) throw unavailable('This service has no Telegram bot.')
        // Letters, digits, - and _: what Telegram lets a start link carry.
        const code = randomBytes(18).toString('base64url')
        const expiresAt = await saveClaim(database, account.id, 'telegram', { code, validMs: CODE_VALID_MS })
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
          summary: 'Sets the address; one that is not confirmed yet gets a mail with a link first',
          querystring: nothing,
          body: z.strictObject({ address: z.email('must be an e-mail address').max(254) }),
          response: answers,
        },
      },
      async ({ account, body: { address } }) => {
        if (await isOwnAddress(database, account.id, address)) {
          await saveChannel(database, account.id, 'email', { target: address })
          return channelsOf(account.id)
        }
        if (mailer === undefined) throw unavailable('This service sends no mail.')
        await countSend(account.id)
        const code = randomBytes(24).toString('base64url')
        await saveClaim(database, account.id, 'email', { code, target: address, validMs: MAIL_VALID_MS })
        const sent = await sendMail(deps, confirmationMail(address, `${publicUrl}/alerts/confirm?token=${code}`))
        if (!sent.ok)
          throw new ApiError({
            status: 409,
            code: 'mail_refused',
            message: `No mail could be sent to ${address}: ${sent.reason}.`,
          })
        return channelsOf(account.id)
      },
    )

    app.put(
      '/me/channels/webhook',
      {
        schema: {
          tags,
          summary: 'Sets the URL that webhooks go to',
          querystring: nothing,
          body: z.strictObject({ url: z.string().max(2_000) }),
          response: answers,
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
        schema: {
          tags,
          summary: 'Makes a new secret; the one before signs too for a day',
          querystring: nothing,
          response: answers,
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
        schema: {
          tags,
          summary: 'Removes a channel; what was waiting for it is cancelled',
          params: kind,
          querystring: nothing,
          response: answers,
        },
      },
      async ({ account, params }) => {
        if (!(await deleteChannel(database, account.id, params.kind))) throw missing()
        return channelsOf(account.id)
      },
    )

    app.post(
      '/me/channels/:kind/test',
      {
        schema: {
          tags,
          summary: 'Sends a test message now and says what became of it',
          params: kind,
          querystring: nothing,
          response: meResponses(200, testOutcome),
        },
      },
      async ({ account, params }) => {
        const channel = (await getChannels(database, account.id)).find((found) => found.kind === params.kind)
        if (channel === undefined) throw missing()
        await countSend(account.id)
        const secrets = validOf(await ensureSecret(database, account.id))
        const outcome = await sendTestMessage(deps, channel, { secrets, publicUrl })
        return outcome.ok ? { delivered: true, error: null } : { delivered: false, error: outcome.reason }
      },
    )
  }
}

const sinceOf = (channel: Channel | undefined): string | null => channel?.confirmedAt.toISOString() ?? null

const disabledOf = (channel: Channel | undefined): { at: string; reason: string } | null =>
  channel === undefined || channel.disabledAt === null
    ? null
    : { at: channel.disabledAt.toISOString(), reason: channel.disabledReason ?? '' }

const missing = (): ApiError =>
  new ApiError({ status: 404, code: 'channel_not_found', message: 'You have no channel of this kind.' })

const unavailable = (message: string): ApiError => new ApiError({ status: 409, code: 'channel_unavailable', message })
