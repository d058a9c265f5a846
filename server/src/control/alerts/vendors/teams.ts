/**
 * Webhooks of Microsoft Teams: a workflow "when a Teams webhook request is received" takes an Adaptive Card
 * (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using). Rich text has no
 * markup, so that a contract's name cannot add a link.
 */
import type { Severity } from '../../../../../vocabulary/severities.ts'
import type { Line } from '../message-lines.ts'
import { cut, fitBlocks, type Notice, segmentText, type Vendor } from './vendor.ts'

const COLORS: Readonly<Record<Severity, string>> = { info: 'default', high: 'warning', critical: 'attention' }

/** Teams takes 28 KB. */
const [MAX_CHARACTERS, MAX_TITLE] = [18_000, 300]

export const teams: Vendor = {
  name: 'Microsoft Teams',
  post: (notice, { url }) => ({ url, headers: {}, body: JSON.stringify(messageOf(notice)) }),
  readRefusal: ({ status }) => {
    if (status === 410) return { detail: 'status 410: the workflow was deleted', isGone: true }
    return status === 400 || status === 413 ? { isRejected: true } : {}
  },
}

function messageOf({ headline, intro, severity, blocks, url }: Notice): object {
  const texts = [...(intro === undefined ? [] : [[[{ style: 'plain', text: intro } as const]]]), ...blocks]
  const { fitting, left } = fitBlocks(texts.map(container), MAX_CHARACTERS)
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: cut(headline, MAX_TITLE),
          msteams: { width: 'Full' },
          body: [
            richText([{ style: 'bold', text: cut(headline, MAX_TITLE) }], { size: 'large', color: COLORS[severity] }),
            ...fitting,
            ...(left === 0 ? [] : [richText([{ style: 'plain', text: `and ${left} more events` }])]),
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Open in Gatewatch', url }],
        },
      },
    ],
  }
}

const container = (lines: readonly Line[]): object => ({
  type: 'Container',
  separator: true,
  items: lines.filter((line) => line.length > 0).map((line) => ({ ...richText(line), spacing: 'none' })),
})

const richText = (line: Line, look: object = {}): object => ({
  type: 'RichTextBlock',
  inlines: line.map(({ style, text, url }) => ({
    type: 'TextRun',
    text: segmentText(text),
    ...(style === 'bold' && { weight: 'bolder' }),
    ...(style === 'code' && { fontType: 'monospace' }),
    ...(url !== undefined && { selectAction: { type: 'Action.OpenUrl', url } }),
    ...look,
  })),
})
