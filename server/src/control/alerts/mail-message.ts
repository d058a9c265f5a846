/** A message as a mail: text and HTML that say the same, and a way out in every one of them. */
import type { Mail } from '../../platform/mail.ts'
import type { Alert } from './alert.ts'
import { escapeHtml } from './escape-html.ts'
import { headlineOf, introOf, itemLines, type Marks } from './message-lines.ts'
import { oneLine } from './one-line.ts'

const TEXT: Marks = {
  plain: oneLine,
  bold: oneLine,
  code: oneLine,
  link: (text, url) => `${oneLine(text)} <${url}>`,
}

const written = (text: string): string => escapeHtml(oneLine(text))

export const HTML: Marks = {
  plain: written,
  bold: (text) => `<b>${written(text)}</b>`,
  code: (text) => `<code>${written(text)}</code>`,
  link: (text, url) => `<a href="${escapeHtml(url)}">${written(text)}</a>`,
}

export type MailTo = { readonly address: string; readonly token: string; readonly publicUrl: string }

/** A subject is one line, whatever a contract calls itself. */
const MOST_SUBJECT = 180

export function alertMail(alert: Alert, { address, token, publicUrl }: MailTo): Mail {
  const headline = headlineOf(alert)
  const intro = introOf(alert)
  const unsubscribe = `${publicUrl}/alerts/unsubscribe?token=${token}`
  const body = (marks: Marks, join: (lines: readonly string[]) => string): string =>
    [
      ...(intro === undefined ? [] : [join([marks.plain(intro)])]),
      ...alert.items.map((item) => join(itemLines(item, marks))),
      join([marks.link('Unsubscribe from these mails', unsubscribe)]),
    ].join('\n')
  return {
    to: address,
    subject: oneLine(headline).slice(0, MOST_SUBJECT),
    text: body(TEXT, (lines) => `${lines.join('\n')}\n`),
    html: `<!doctype html><html lang="en"><body>\n${body(HTML, (lines) => `<p>${lines.join('<br>\n')}</p>`)}\n</body></html>`,
    messageId: messageIdOf(alert.id, publicUrl),
    ...(alert.retracts !== null && { inReplyTo: messageIdOf(alert.retracts, publicUrl) }),
    // RFC 8058: mail programs offer it as a button.
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  }
}

const messageIdOf = (id: number, publicUrl: string): string => `<alert-${id}@${new URL(publicUrl).hostname}>`

export const confirmationMail = (to: string, url: string): Mail => ({
  to,
  subject: 'Confirm this address for alerts of Gatewatch',
  text: `Someone asked for alerts about contracts to be sent to ${to}. Open this link within a day to confirm:\n\n${url}\n\nIf it was not you, ignore this mail: nothing will be sent.\n`,
})
