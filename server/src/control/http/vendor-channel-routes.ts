/** `/me/channels` routes of channels at other vendors, and of the schedules of all channels. */
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { meResponses } from '../../accounts/http/responses.ts'
import { requireFreshSession } from '../../accounts/sessions.ts'
import { reasonOf } from '../../lib/errors.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import type { Database } from '../../platform/database.ts'
import { checkTarget, type TargetRules } from '../../platform/outbound.ts'
import { saveChannel } from '../alerts/channels.ts'
import { isTimeZone, saveSchedule } from '../alerts/schedules.ts'
import { DEFAULT_CONTENT_TYPE, TEMPLATE_FIELDS, templateFault } from '../alerts/vendors/custom.ts'
import { type HttpTarget, writeTarget } from '../alerts/vendors/http-target.ts'
import { OPSGENIE_URL } from '../alerts/vendors/opsgenie.ts'
import { PAGERDUTY_URL } from '../alerts/vendors/pagerduty.ts'
import type { VendorKind } from '../alerts/vendors/vendors.ts'
import { channelKindParam, type MyChannels, missingChannel, myChannels, nothing, schedule, tags } from './me-schemas.ts'

export type VendorChannelDeps = {
  readonly database: Database
  readonly outbound: TargetRules
  readonly channelsOf: (accountId: string) => Promise<MyChannels>
}

const url = z.string().max(2_000)
/** Visible ASCII: it becomes part of a header. */
const credential = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\x20-\x7e]*$/, 'must have visible ASCII characters only')

/** The bodies by kind, as targets of channels. */
const BODIES = {
  slack: {
    summary: 'Sets the incoming webhook of Slack',
    schema: z
      .strictObject({
        url,
        signingSecret: credential(200)
          .optional()
          .describe('Of the Slack app. With it, alerts have a button that acknowledges them'),
      })
      .transform(({ signingSecret, ...rest }) => ({ ...rest, key: signingSecret })),
    example: { url: 'https://hooks.slack.example/services/T0/B0/x' },
  },
  discord: {
    summary: 'Sets the webhook of a Discord channel',
    schema: z.strictObject({ url }),
    example: { url: 'https://discord.example/api/webhooks/1/x' },
  },
  teams: {
    summary: 'Sets the webhook of a Microsoft Teams workflow',
    schema: z.strictObject({ url }),
    example: { url: 'https://teams.example/workflows/1/triggers/manual/paths/invoke' },
  },
  pagerduty: {
    summary: 'Sets the integration key of PagerDuty (Events API v2)',
    schema: z
      .strictObject({
        integrationKey: z.string().regex(/^[\dA-Za-z]{32}$/, 'must have 32 letters and digits'),
        url: url.default(PAGERDUTY_URL).describe('The endpoint of your service region'),
      })
      .transform(({ integrationKey, ...rest }) => ({ ...rest, key: integrationKey })),
    example: { integrationKey: '0123456789abcdef0123456789abcdef' },
  },
  opsgenie: {
    summary: 'Sets the API key of Opsgenie or Jira Service Management',
    schema: z
      .strictObject({
        apiKey: credential(200),
        url: url.default(OPSGENIE_URL).describe('The endpoint of your service region'),
      })
      .transform(({ apiKey, ...rest }) => ({ ...rest, key: apiKey })),
    example: { apiKey: '01234567-89ab-cdef-0123-456789abcdef' },
  },
  custom: {
    summary: 'Sets a webhook whose body is a template',
    schema: z.strictObject({
      url,
      template: z
        .string()
        .min(1)
        .max(8_000)
        .describe(`The body. Placeholders: ${TEMPLATE_FIELDS.map((field) => `{{${field}}}`).join(', ')}`),
      contentType: z
        .enum(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])
        .default(DEFAULT_CONTENT_TYPE),
      authorization: credential(2_000).optional().describe('The value of the Authorization header'),
    }),
    example: { url: 'https://chat.example.org/hook', template: '{"text": "{{headline}}"}' },
  },
} as const satisfies Record<VendorKind, { summary: string; schema: z.ZodType<HttpTarget>; example: object }>

export function vendorChannelRoutes({ database, outbound, channelsOf }: VendorChannelDeps) {
  function checkedUrl(text: string): string {
    try {
      return checkTarget(text, outbound)
    } catch (error) {
      throw invalid('url', reasonOf(error))
    }
  }

  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()

    for (const kind of Object.keys(BODIES) as VendorKind[]) {
      const { summary, schema, example } = BODIES[kind]
      app.put(
        `/me/channels/${kind}`,
        {
          preHandler: requireFreshSession,
          schema: {
            tags,
            summary,
            querystring: nothing,
            body: (schema as z.ZodType<HttpTarget>).meta({ example }),
            response: meResponses(200, myChannels),
          },
        },
        async ({ account, body }) => {
          const target = { ...body, url: checkedUrl(body.url) }
          const fault =
            target.template === undefined
              ? undefined
              : templateFault(target.template, target.contentType ?? DEFAULT_CONTENT_TYPE)
          if (fault !== undefined) throw invalid('template', fault)
          await saveChannel(database, account.id, kind, { target: writeTarget(target) })
          return channelsOf(account.id)
        },
      )
    }

    app.put(
      '/me/channels/:kind/schedule',
      {
        schema: {
          tags,
          summary: 'Sets the digest and the quiet hours of a channel',
          description: 'Messages above the severity are sent at once. Messages that already wait keep their time.',
          params: channelKindParam,
          querystring: nothing,
          // Without the id of the component, so that the request has its own example.
          body: z.strictObject(schedule.shape).meta({
            example: {
              digest: { minutes: 60, maxSeverity: 'info' },
              quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin', maxSeverity: 'high' },
            },
          }),
          response: meResponses(200, myChannels, 404),
        },
      },
      async ({ account, params: { kind }, body }) => {
        const zone = body.quietHours?.timeZone
        if (zone !== undefined && !(await isTimeZone(database, zone)))
          throw invalid('quietHours.timeZone', 'is not a time zone such as Europe/Berlin')
        if (!(await saveSchedule(database, account.id, kind, body))) throw missingChannel()
        return channelsOf(account.id)
      },
    )
  }
}

function invalid(field: string, reason: string): ApiError {
  const details = { [field]: reason }
  return new ApiError({ status: 400, code: 'invalid_request', message: `${field}: ${reason}`, details })
}
