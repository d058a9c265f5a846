/** Writes events as Atom (RFC 4287) and RSS 2.0 documents for feed readers. Pure. */
import { eventText } from '../../../../vocabulary/event-sentence.ts'
import { SEVERITY_TEXTS } from '../../../../vocabulary/severities.ts'
import type { ControlEvent } from '../registry/control-event.ts'
import type { TokenLookup } from '../registry/tokens.ts'

export const SYNDICATION_FORMATS = ['atom', 'rss'] as const
export type SyndicationFormat = (typeof SYNDICATION_FORMATS)[number]
export const SYNDICATION_TYPES: Readonly<Record<SyndicationFormat, string>> = {
  atom: 'application/atom+xml',
  rss: 'application/rss+xml',
}

export type Syndication = {
  readonly title: string
  readonly publicUrl: string
  /** The path of the page that shows the same events. */
  readonly page: string
  /** The path of this document. */
  readonly self: string
  /** Newest first. */
  readonly events: readonly ControlEvent[]
  readonly tokenOf: TokenLookup
}

export function renderSyndication(format: SyndicationFormat, document: Syndication): string {
  return format === 'atom' ? renderAtom(document) : renderRss(document)
}

type Entry = {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly link: string
  readonly at: Date
}

function entryOf(event: ControlEvent, { publicUrl, tokenOf }: Syndication): Entry {
  const { chainSlug, address, contract, severity, eventKey, txHash, blockNumber } = event
  const name = contract.name ?? contract.protocol ?? address
  const sentence = eventText(event, tokenOf(event))
  return {
    id: `tag:${new URL(publicUrl).hostname},2026:event-${event.id}`,
    title: `${SEVERITY_TEXTS[severity]}: ${name} (${chainSlug}): ${sentence}`,
    text: `${sentence}. Contract ${address} on ${chainSlug}, event ${eventKey}, block ${blockNumber}, transaction ${txHash}.`,
    link: `${publicUrl}/contracts/${chainSlug}/${address}`,
    at: event.blockTime,
  }
}

function renderAtom(document: Syndication): string {
  const { title, publicUrl, page, self, events } = document
  const updated = (events[0]?.blockTime ?? new Date(0)).toISOString()
  const entries = events.map((event) => {
    const { id, title: heading, text, link, at } = entryOf(event, document)
    return `<entry><id>${xml(id)}</id><title>${xml(heading)}</title><link href="${xml(link)}"/><updated>${at.toISOString()}</updated><category term="${xml(event.severity)}"/><category term="${xml(event.category)}"/><summary>${xml(text)}</summary></entry>`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><id>${xml(publicUrl + self)}</id><title>${xml(title)}</title><updated>${updated}</updated><author><name>Gatewatch</name></author><link rel="self" type="application/atom+xml" href="${xml(publicUrl + self)}"/><link href="${xml(publicUrl + page)}"/>
${entries.join('\n')}
</feed>
`
}

function renderRss(document: Syndication): string {
  const { title, publicUrl, page, self, events } = document
  const items = events.map((event) => {
    const { id, title: heading, text, link, at } = entryOf(event, document)
    return `<item><guid isPermaLink="false">${xml(id)}</guid><title>${xml(heading)}</title><link>${xml(link)}</link><pubDate>${at.toUTCString()}</pubDate><category>${xml(event.severity)}</category><category>${xml(event.category)}</category><description>${xml(text)}</description></item>`
  })
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${xml(title)}</title><link>${xml(publicUrl + page)}</link><description>${xml(title)}</description><atom:link rel="self" type="application/rss+xml" href="${xml(publicUrl + self)}"/>
${items.join('\n')}
</channel></rss>
`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes text, and replaces characters that XML 1.0 does not allow: a contract chooses its name. */
export const xml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
