/** A webhook whose body is a template of the account. It is signed like the webhook of Gatewatch. */
import { stringifyExactly } from '../../../lib/json.ts'
import { webhookHeaders } from '../../../platform/deliveries/webhook.ts'
import { oneLine } from '../message-lines.ts'
import { alertType, webhookId, webhookPayload } from '../webhook-payload.ts'
import type { ContentType } from './http-target.ts'
import { type Notice, plainText, type Vendor } from './vendor.ts'

const MAX_TEXT = 20_000

/** The names that a template may use. */
const FIELDS: Readonly<Record<string, (notice: Notice) => string>> = {
  id: webhookId,
  type: ({ alert }) => (alert === undefined ? 'test' : alertType(alert)),
  retracts: ({ retracts }) => (retracts === undefined ? '' : webhookId(retracts)),
  timestamp: ({ createdAt }) => createdAt.toISOString(),
  severity: ({ severity }) => severity,
  headline: ({ headline }) => headline,
  title: ({ items, headline }) => oneLine(items[0]?.description.title ?? headline),
  text: (notice) => plainText(notice, MAX_TEXT),
  events: ({ items }) => String(items.length),
  eventKey: ({ items }) => items[0]?.event.eventKey ?? '',
  category: ({ items }) => items[0]?.event.category ?? '',
  chain: ({ items }) => items[0]?.event.chainSlug ?? '',
  chainId: ({ items }) => String(items[0]?.event.chainId ?? ''),
  address: ({ items }) => items[0]?.coin?.target ?? items[0]?.contracts[0]?.address ?? '',
  contract: ({ items }) => oneLine(items[0]?.contracts[0]?.name ?? ''),
  protocol: ({ items }) => oneLine(items[0]?.contracts[0]?.protocol ?? ''),
  label: ({ items }) => items[0]?.contracts[0]?.control?.label ?? '',
  block: ({ items: [first] }) =>
    String((first?.coin === undefined ? first?.event.blockNumber : first.coin.blockHeight) ?? ''),
  transaction: ({ items: [first] }) => (first?.coin === undefined ? first?.event.txHash : first.coin.txid) ?? '',
  explorerUrl: ({ items }) => items[0]?.explorerUrl ?? '',
  url: ({ url }) => url,
}

/** The body of the webhook of Gatewatch, as JSON and without quotes. */
const PAYLOAD = 'payload'

export const TEMPLATE_FIELDS: readonly string[] = [...Object.keys(FIELDS), PAYLOAD]

const ESCAPES: Readonly<Record<ContentType, (text: string) => string>> = {
  'application/json': (text) => JSON.stringify(text).slice(1, -1),
  'application/x-www-form-urlencoded': (text) => encodeURIComponent(text.toWellFormed()),
  'text/plain': (text) => text,
}

/** A name that no field has is found too, and refused. One repetition only: the account chooses the text. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

const replacePlaceholders = (template: string, valueOf: (name: string) => string): string =>
  template.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(name.trim()))

/** `text` is at most 20,000 characters, and a payload can have many events. */
const [MAX_PLACEHOLDERS, MAX_PAYLOADS] = [40, 1]

function render(template: string, contentType: ContentType, notice: Notice): string {
  const escape = ESCAPES[contentType]
  return replacePlaceholders(template, (name) => {
    if (name !== PAYLOAD) return escape(FIELDS[name]?.(notice) ?? '')
    const { alert } = notice
    const payload = stringifyExactly(alert === undefined ? { type: 'test' } : webhookPayload(alert))
    return contentType === 'application/json' ? payload : escape(payload)
  })
}

export const DEFAULT_CONTENT_TYPE: ContentType = 'application/json'

/** Returns what is wrong with a template, or undefined. */
export function templateFault(template: string, contentType: ContentType): string | undefined {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())
  const unknown = names.find((name) => !TEMPLATE_FIELDS.includes(name))
  if (unknown !== undefined)
    return `{{${unknown}}} is unknown. Use ${TEMPLATE_FIELDS.map((field) => `{{${field}}}`).join(', ')}.`
  if (names.length > MAX_PLACEHOLDERS) return `has more than ${MAX_PLACEHOLDERS} placeholders.`
  if (names.filter((name) => name === PAYLOAD).length > MAX_PAYLOADS) return 'has {{payload}} more than once.'
  return contentType === 'application/json' ? jsonFault(template) : undefined
}

/** Within a text any value is harmless. Elsewhere the name of a contract could add fields, or break the body. */
function jsonFault(template: string): string | undefined {
  // In a text this is a quotation mark, and nowhere else is it JSON.
  const mark = JSON.stringify(MARK).slice(1, -1)
  const marked = replacePlaceholders(template, (name) => (name === PAYLOAD ? '{"a":0}' : mark))
  try {
    return hasMarkedName(JSON.parse(marked)) ? 'has a placeholder in the name of a field.' : undefined
  } catch {
    return 'is not JSON. Write every placeholder except {{payload}} between quotes.'
  }
}

const MARK = '"placeholder"'

const hasMarkedName = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, part]) => name.includes(MARK) || hasMarkedName(part))

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
