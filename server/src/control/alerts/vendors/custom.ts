/** A webhook whose body is a template of the account. It is signed like the webhook of Gatewatch. */
import { stringifyExactly } from '../../../lib/json.ts'
import { webhookHeaders } from '../../../platform/deliveries/webhook.ts'
import { alertType, webhookId, webhookPayload } from '../webhook-payload.ts'
import type { ContentType } from './http-target.ts'
import { type Notice, plainText, testNotice, type Vendor } from './vendor.ts'

const MAX_TEXT = 20_000

/** The names that a template may use. */
const FIELDS: Readonly<Record<string, (notice: Notice) => string>> = {
  id: webhookId,
  type: ({ alert }) => (alert === undefined ? 'test' : alertType(alert)),
  retracts: ({ retracts }) => (retracts === undefined ? '' : webhookId(retracts)),
  timestamp: ({ createdAt }) => createdAt.toISOString(),
  severity: ({ severity }) => severity,
  headline: ({ headline }) => headline,
  title: ({ items, headline }) => items[0]?.description.title ?? headline,
  text: (notice) => plainText(notice, MAX_TEXT),
  events: ({ items }) => String(items.length),
  eventKey: ({ items }) => items[0]?.event.eventKey ?? '',
  category: ({ items }) => items[0]?.event.category ?? '',
  chain: ({ items }) => items[0]?.event.chainSlug ?? '',
  chainId: ({ items }) => String(items[0]?.event.chainId ?? ''),
  address: ({ items }) => items[0]?.coin?.target ?? items[0]?.contracts[0]?.address ?? '',
  contract: ({ items }) => items[0]?.contracts[0]?.name ?? '',
  protocol: ({ items }) => items[0]?.contracts[0]?.protocol ?? '',
  label: ({ items }) => items[0]?.contracts[0]?.control?.label ?? '',
  block: ({ items: [first] }) =>
    String((first?.coin === undefined ? first?.event.blockNumber : first.coin.blockHeight) ?? ''),
  transaction: ({ items }) => items[0]?.coin?.txid ?? items[0]?.event.txHash ?? '',
  explorerUrl: ({ items }) => items[0]?.explorerUrl ?? '',
  url: ({ url }) => url,
}

/** The body of the webhook of Gatewatch, as JSON and without quotes. */
const PAYLOAD = 'payload'

export const TEMPLATE_FIELDS: readonly string[] = [...Object.keys(FIELDS), PAYLOAD]

const ESCAPES: Readonly<Record<ContentType, (text: string) => string>> = {
  'application/json': (text) => JSON.stringify(text).slice(1, -1),
  'application/x-www-form-urlencoded': encodeURIComponent,
  'text/plain': (text) => text,
}

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g

function render(template: string, contentType: ContentType, notice: Notice): string {
  const escape = ESCAPES[contentType]
  return template.replaceAll(PLACEHOLDER, (_, name: string) => {
    if (name !== PAYLOAD) return escape(FIELDS[name]?.(notice) ?? '')
    const { alert } = notice
    const payload = stringifyExactly(alert === undefined ? { type: 'test' } : webhookPayload(alert))
    return contentType === 'application/json' ? payload : escape(payload)
  })
}

export const DEFAULT_CONTENT_TYPE: ContentType = 'application/json'

/** Returns what is wrong with a template, or undefined. */
export function templateFault(template: string, contentType: ContentType): string | undefined {
  for (const [, name = ''] of template.matchAll(PLACEHOLDER))
    if (!TEMPLATE_FIELDS.includes(name))
      return `{{${name}}} is unknown. Use ${TEMPLATE_FIELDS.map((field) => `{{${field}}}`).join(', ')}.`
  if (contentType !== 'application/json') return undefined
  try {
    JSON.parse(
      render(template, contentType, testNotice('"', { id: 'x', publicUrl: 'https://gatewatch.example', now: 0 })),
    )
    return undefined
  } catch {
    return 'is not JSON. Write every placeholder except {{payload}} between quotes.'
  }
}

export const custom: Vendor = {
  name: 'The webhook',
  post: (notice, { url, template = '', contentType = DEFAULT_CONTENT_TYPE, authorization }, { secrets, now }) => {
    const body = render(template, contentType, notice)
    const headers = {
      'content-type': contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType,
      ...webhookHeaders({ id: webhookId(notice), secret: secrets, body, at: now }),
      ...(authorization !== undefined && { authorization }),
    }
    return { url, body, headers }
  },
  readRefusal: ({ status }) =>
    status === 410 ? { detail: '410 Gone: it accepts no more messages', isGone: true } : {},
}
