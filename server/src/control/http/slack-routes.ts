/**
 * Requests of Slack when a person presses a button of an alert (https://api.slack.com/interactivity/handling). Slack signs
 * them with the secret of the account's app (https://api.slack.com/authentication/verifying-requests-from-slack).
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import { reasonOf } from '../../lib/errors.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import type { Logger } from '../../lib/log.ts'
import type { Database } from '../../platform/database.ts'
import { type OutboundOptions, postOutbound } from '../../platform/outbound.ts'
import { acknowledgeMessage, isMessageOfAccount } from '../alerts/acknowledgments.ts'
import { findSlackChannel } from '../alerts/channels.ts'
import { readTarget } from '../alerts/vendors/http-target.ts'
import { ACKNOWLEDGE } from '../alerts/vendors/slack.ts'

export type SlackRouteDeps = {
  readonly clock: Clock
  readonly database: Database
  readonly outbound: OutboundOptions
  readonly log: Logger
}

const MAX_BODY = 64 * 1024
/** Slack advises to refuse older requests, which may be replayed. */
const MAX_AGE_SECONDS = 300

const params = z.object({ token: z.string().regex(/^[\w-]{20,64}$/) })

const press = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string(), username: z.string().optional(), name: z.string().optional() }),
  response_url: z.string().max(2_000).optional(),
  actions: z.array(z.object({ action_id: z.string(), value: z.uuid().optional().catch(undefined) })),
})

export function slackRoutes({ clock, database, outbound, log }: SlackRouteDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    // The signature is one of the text as it was sent.
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_BODY },
      (_request, body, done) => done(null, body),
    )
    app.post<{ Params: { token: string }; Body: unknown }>(
      '/alerts/slack/:token',
      { schema: { hide: true, params } },
      async ({ params: { token }, headers, body }) => {
        const channel = await findSlackChannel(database, token)
        const secret = channel && readTarget(channel.target)?.key
        const text = typeof body === 'string' ? body : ''
        const isSigned =
          secret !== undefined &&
          isSignedBySlack(text, { secret, now: clock.now() }, [
            String(headers['x-slack-request-timestamp']),
            String(headers['x-slack-signature']),
          ])
        if (channel === undefined || !isSigned)
          throw new ApiError({
            status: 401,
            code: 'unauthorized',
            message: 'The request is not signed by your Slack app.',
          })
        const parsed = press.safeParse(jsonOf(new URLSearchParams(text).get('payload') ?? '')).data
        const uid = parsed?.actions.find(({ action_id: id }) => id === ACKNOWLEDGE)?.value
        if (parsed === undefined || uid === undefined || !(await isMessageOfAccount(database, channel.accountId, uid)))
          return {}
        const { username, name, id } = parsed.user
        const found = await acknowledgeMessage(database, uid, username ?? name ?? id)
        // Slack waits three seconds for the response, so the answer in the channel follows on its own.
        if (found !== undefined && parsed.response_url !== undefined)
          void answer(parsed.response_url, `Acknowledged by ${found.by}`)
        return {}
      },
    )
  }

  async function answer(url: string, text: string): Promise<void> {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const body = JSON.stringify({ text: escaped, response_type: 'in_channel', replace_original: false })
    await postOutbound(url, { body, headers: { 'content-type': 'application/json' } }, outbound).catch(
      (error: unknown) => log.info({ reason: reasonOf(error) }, 'answering a button of a Slack channel failed'),
    )
  }
}

function isSignedBySlack(
  body: string,
  { secret, now }: { readonly secret: string; readonly now: number },
  [timestamp, signature]: readonly [timestamp: string, signature: string],
): boolean {
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > MAX_AGE_SECONDS) return false
  const expected = Buffer.from(`v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`)
  const given = Buffer.from(signature)
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
