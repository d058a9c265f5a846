/**
 * Local peers of the vendors that alerts are posted to. Each accepts what the vendor's documentation describes, with its
 * limits, and refuses everything else in the vendor's own form.
 */
import { z } from 'zod'
import { serve } from './receivers.ts'

const characters = (max: number) => z.string().min(1).max(max)
const link = z.url({ protocol: /^https?$/ })

// https://api.slack.com/reference/block-kit/blocks
const slackText = z.strictObject({
  type: z.literal('plain_text'),
  text: characters(150),
  emoji: z.boolean().optional(),
})
const slackStyle = z.strictObject({ bold: z.boolean().optional(), code: z.boolean().optional() })
const richElement = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: characters(4_000), style: slackStyle.optional() }),
  z.strictObject({ type: z.literal('link'), url: link, text: z.string().optional() }),
])
const slackBlock = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('header'), text: slackText }),
  z.strictObject({
    type: z.literal('rich_text'),
    elements: z.array(z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(richElement).min(1) })),
  }),
  z.strictObject({
    type: z.literal('actions'),
    elements: z
      .array(
        z.strictObject({
          type: z.literal('button'),
          action_id: characters(255),
          text: slackText,
          url: link.max(3_000).optional(),
          value: z.string().max(2_000).optional(),
        }),
      )
      .min(1)
      .max(25),
  }),
])
const slackMessage = z
  .strictObject({ text: characters(40_000), blocks: z.array(slackBlock).min(1).max(50) })
  .refine(({ blocks }) => JSON.stringify(blocks).length <= 13_200, 'msg_blocks_too_long')
  .refine(({ text }) => !/<|>/.test(text), 'a mention or a link')

// https://discord.com/developers/docs/resources/message#embed-object-embed-limits
const discordMessage = z
  .strictObject({
    embeds: z
      .array(
        z.strictObject({
          title: characters(256),
          url: link,
          color: z.int().min(0).max(0xffffff),
          timestamp: z.iso.datetime(),
          description: characters(4_096),
        }),
      )
      .min(1)
      .max(10),
    allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
  })
  .refine(
    ({ embeds }) => embeds.reduce((sum, { title, description }) => sum + title.length + description.length, 0) <= 6_000,
  )

// https://adaptivecards.io/explorer, version 1.4, in the envelope that a Teams workflow takes
const openUrl = z.strictObject({ type: z.literal('Action.OpenUrl'), url: link, title: z.string().optional() })
const richTextBlock = z.strictObject({
  type: z.literal('RichTextBlock'),
  spacing: z.enum(['none', 'small', 'default']).optional(),
  inlines: z
    .array(
      z.strictObject({
        type: z.literal('TextRun'),
        text: z.string(),
        weight: z.enum(['lighter', 'default', 'bolder']).optional(),
        fontType: z.enum(['default', 'monospace']).optional(),
        size: z.enum(['small', 'default', 'medium', 'large', 'extraLarge']).optional(),
        color: z.enum(['default', 'dark', 'light', 'accent', 'good', 'warning', 'attention']).optional(),
        selectAction: openUrl.optional(),
      }),
    )
    .min(1),
})
const container = z.strictObject({
  type: z.literal('Container'),
  separator: z.boolean().optional(),
  items: z.array(richTextBlock).min(1),
})
const teamsMessage = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: z.literal('AdaptiveCard'),
        version: z.literal('1.4'),
        fallbackText: z.string(),
        msteams: z.strictObject({ width: z.literal('Full') }),
        body: z.array(z.discriminatedUnion('type', [richTextBlock, container])).min(1),
        actions: z.array(openUrl).max(6),
      }),
    }),
  ]),
})

// https://developer.pagerduty.com/docs/send-alert-event
const pagerdutyKey = z.string().regex(/^[\dA-Za-z]{32}$/)
const pagerdutyEvent = z.discriminatedUnion('event_action', [
  z.strictObject({
    routing_key: pagerdutyKey,
    event_action: z.literal('trigger'),
    dedup_key: characters(255),
    client: z.string(),
    client_url: link,
    links: z.array(z.strictObject({ href: link, text: z.string() })),
    payload: z.strictObject({
      summary: characters(1_024),
      source: characters(255),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime(),
      component: characters(255).optional(),
      group: characters(255).optional(),
      class: characters(255).optional(),
      custom_details: z.record(z.string(), z.unknown()),
    }),
  }),
  z.strictObject({ routing_key: pagerdutyKey, event_action: z.literal('resolve'), dedup_key: characters(255) }),
])

// https://docs.opsgenie.com/docs/alert-api
const opsgenieAlert = z.strictObject({
  message: characters(130),
  alias: characters(512),
  description: characters(15_000),
  priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']),
  source: characters(100),
  tags: z.array(characters(50)).max(20),
  entity: characters(512).optional(),
  details: z.record(z.string(), z.string()),
})
const opsgenieNote = z.strictObject({ source: characters(100), note: characters(25_000) })

type Verdict = { readonly status: number; readonly body?: string | object }
type Peer = {
  readonly maxBytes: number
  readonly accept: (message: unknown, request: { path: string; authorization: string | undefined }) => Verdict
}

const PEERS: Readonly<Record<string, Peer>> = {
  slack: {
    maxBytes: 100_000,
    accept: (message) =>
      slackMessage.safeParse(message).success ? { status: 200, body: 'ok' } : { status: 400, body: 'invalid_blocks' },
  },
  discord: {
    maxBytes: 100_000,
    accept: (message) =>
      discordMessage.safeParse(message).success
        ? { status: 204 }
        : { status: 400, body: { code: 50_035, message: 'Invalid Form Body' } },
  },
  teams: {
    maxBytes: 28 * 1_024,
    accept: (message) => ({ status: teamsMessage.safeParse(message).success ? 202 : 400 }),
  },
  pagerduty: {
    maxBytes: 512 * 1_024,
    accept: (message) =>
      pagerdutyEvent.safeParse(message).success
        ? { status: 202, body: { status: 'success', message: 'Event processed' } }
        : { status: 400, body: { status: 'invalid event', errors: [] } },
  },
  opsgenie: {
    maxBytes: 512 * 1_024,
    accept: (message, { path, authorization }) => {
      if (!/^GenieKey \S+$/.test(authorization ?? '')) return { status: 401 }
      const isNote = /^\/opsgenie\/[\w-]+\/(close|notes)\?identifierType=alias$/.test(path)
      const schema = isNote ? opsgenieNote : path === '/opsgenie' ? opsgenieAlert : z.never()
      return { status: schema.safeParse(message).success ? 202 : 422 }
    },
  },
}

export type VendorCall = {
  readonly vendor: string
  readonly path: string
  readonly status: number
  readonly body: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export type VendorPeers = {
  readonly urlOf: (vendor: string) => string
  readonly calls: VendorCall[]
  /** Responses for the next messages of a vendor, used before the message is read. */
  readonly refusals: Map<string, Verdict[]>
}

/** One server with a path for each vendor. Any other path accepts every message, as a webhook does. */
export async function vendorPeers(): Promise<VendorPeers> {
  const calls: VendorCall[] = []
  const refusals: VendorPeers['refusals'] = new Map()
  const url = await serve((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
      const path = request.url ?? '/'
      const vendor = path.split(/[/?]/)[1] ?? ''
      const verdict = refusals.get(vendor)?.shift() ?? verdictOf(vendor, body, path, request.headers.authorization)
      calls.push({ vendor, path, body, status: verdict.status, headers: request.headers })
      response.writeHead(verdict.status)
      response.end(typeof verdict.body === 'object' ? JSON.stringify(verdict.body) : verdict.body)
    })()
  })
  return { urlOf: (vendor) => `${url}/${vendor}`, calls, refusals }
}

function verdictOf(vendor: string, body: string, path: string, authorization: string | undefined): Verdict {
  const peer = PEERS[vendor]
  if (peer === undefined) return { status: 204 }
  if (Buffer.byteLength(body) > peer.maxBytes) return { status: 413 }
  return peer.accept(JSON.parse(body), { path, authorization })
}
