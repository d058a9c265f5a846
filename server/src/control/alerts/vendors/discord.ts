/** Webhooks of Discord (https://discord.com/developers/docs/resources/webhook#execute-webhook). */
import type { Severity } from '../../../../../vocabulary/severities.ts'
import { type Line, type Marks, markLine } from '../message-lines.ts'
import { cut, type Notice, segmentText, type Vendor } from './vendor.ts'

const COLORS: Readonly<Record<Severity, number>> = { info: 0x6b7280, high: 0xd97706, critical: 0xdc2626 }

/** Limits of an embed: title 256, description 4,096, all embeds of a message together 6,000 characters. */
const [MAX_DESCRIPTION, MAX_TOTAL] = [4_096, 5_800]
/** Half of the limit, because every character may need an escape. */
const MAX_TITLE = 128

/** Errors that mean that the webhook was deleted: unknown webhook, invalid token. */
const GONE = [10_015, 50_027]

/** Discord reads a backslash before any punctuation as an escape, also inside of an address of a page. */
const escaped = (text: string): string => segmentText(text).replaceAll(/[^\p{L}\p{N}\s]/gu, '\\$&')

const MARKDOWN: Marks = {
  plain: escaped,
  bold: (text) => `**${escaped(text)}**`,
  // Code has no escapes: a backtick would end it.
  code: (text) => `\`${segmentText(text).replaceAll('`', "'")}\``,
  link: (text, url) => `[${escaped(text)}](<${encodeURI(decodeURI(url)).replaceAll('>', '%3E')}>)`,
}

export const discord: Vendor = {
  name: 'Discord',
  post: (notice, { url }) => ({ url, headers: {}, body: JSON.stringify(messageOf(notice)) }),
  readRefusal: ({ status, body }) => {
    const code = Number(/"code"\s*:\s*(\d{1,6})\b/.exec(body)?.[1] ?? Number.NaN)
    const detail = Number.isNaN(code) ? `status ${status}` : `status ${status} (error ${code})`
    if (GONE.includes(code)) return { detail, isGone: true }
    return status === 400 || status === 413 ? { detail, isRejected: true } : { detail }
  },
}

function messageOf({ headline, intro, severity, blocks, url, createdAt }: Notice): object {
  const title = escaped(cut(headline, MAX_TITLE))
  const texts = [...(intro === undefined ? [] : [MARKDOWN.plain(intro)]), ...blocks.map(blockText)]
  return {
    embeds: [
      {
        title,
        url,
        color: COLORS[severity],
        timestamp: createdAt.toISOString(),
        description: fitLines(texts.join('\n\n').split('\n'), Math.min(MAX_DESCRIPTION, MAX_TOTAL - title.length)),
      },
    ],
    allowed_mentions: { parse: [] },
  }
}

const blockText = (lines: readonly Line[]): string => lines.map((line) => markLine(line, MARKDOWN)).join('\n')

/** Cuts between lines, because a cut inside of a line could separate an escape from its character. */
function fitLines(lines: readonly string[], max: number): string {
  const fitting: string[] = []
  let length = 0
  for (const line of lines) {
    length += line.length + 1
    if (length > max - 2) return [...fitting, '…'].join('\n')
    fitting.push(line)
  }
  return fitting.join('\n')
}
