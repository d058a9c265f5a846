/** Renders an alert as a mail: text and HTML with the same content, and an unsubscribe link. */
import { cutText } from '../../../../vocabulary/cut-text.ts'
import type { Mail } from '../../platform/mail.ts'
import type { Alert } from './alert.ts'
import { alertBlocks, headlineOf, introOf, type Marks, markLine, oneLine } from './message-lines.ts'

/** Texts that anyone can write are escaped: names of contracts, arguments of events, titles of chats. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

export const TEXT: Marks = {
  plain: oneLine,
  bold: oneLine,
  code: oneLine,
  link: (text, url) => `${oneLine(text)} <${url}>`,
}

const escaped = (text: string): string => escapeHtml(oneLine(text))

export const HTML: Marks = {
  plain: escaped,
  bold: (text) => `<b>${escaped(text)}</b>`,
  code: (text) => `<code>${escaped(text)}</code>`,
  link: (text, url) => `<a href="${escapeHtml(url)}">${escaped(text)}</a>`,
}

export type MailTo = { readonly address: string; readonly token: string; readonly publicUrl: string }

/** Contracts choose their names, so the subject needs a limit. */
const MAX_SUBJECT = 180

export function alertMail(alert: Alert, { address, token, publicUrl }: MailTo): Mail {
  const headline = headlineOf(alert)
  const intro = introOf(alert)
  const unsubscribe = `${publicUrl}/alerts/unsubscribe?token=${token}`
  const body = (marks: Marks, join: (lines: readonly string[]) => string): string =>
    [
      ...(intro === undefined ? [] : [join([marks.plain(intro)])]),
      ...alertBlocks(alert).map((lines) => join(lines.map((line) => markLine(line, marks)))),
      join([marks.link('Unsubscribe from these alerts', unsubscribe)]),
    ].join('\n')
  return {
    to: address,
    subject: cutText(oneLine(headline), MAX_SUBJECT),
    text: body(TEXT, (lines) => `${lines.join('\n')}\n`),
    html: `<!doctype html><html lang="en"><body>\n${body(HTML, (lines) => `<p>${lines.join('<br>\n')}</p>`)}\n</body></html>`,
    messageId: messageIdOf(alert.id, publicUrl),
    ...(alert.retracts !== null && { inReplyTo: messageIdOf(alert.retracts, publicUrl) }),
    // RFC 8058: mail programs show an unsubscribe button.
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  }
}

const messageIdOf = (id: string, publicUrl: string): string => `<alert-${id}@${new URL(publicUrl).hostname}>`

export const confirmationMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Confirm this address for Gatewatch alerts',
  text: `A Gatewatch account requested contract alerts for ${to}. To confirm, open this link within 24 hours:\n\n${url}\n\nIf this was not you, ignore this mail. No alerts will be sent.\n`,
})
