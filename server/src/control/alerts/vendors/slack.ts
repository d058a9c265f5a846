/**
 * Incoming webhooks of Slack (https://api.slack.com/messaging/webhooks). Rich text has no markup, so that a contract's
 * name cannot mention a channel or add a link.
 */
import type { Line } from '../message-lines.ts'
import { cut, fitBlocks, type Notice, segmentText, type Vendor } from './vendor.ts'

/** Names the button in requests of Slack. */
export const ACKNOWLEDGE = 'acknowledge'

/** Slack takes 13,200 characters in the blocks of a message, and 150 in a header. */
const MAX_CHARACTERS = 11_000
const MAX_HEADER = 150

const GONE = [
  'no_service',
  'no_service_id',
  'no_team',
  'team_disabled',
  'no_active_hooks',
  'channel_not_found',
  'channel_is_archived',
]

export const slack: Vendor = {
  name: 'Slack',
  post: (notice, { url, key }) => ({
    url,
    headers: {},
    body: JSON.stringify({ text: escaped(notice.headline), blocks: blocksOf(notice, key !== undefined) }),
  }),
  readRefusal: ({ status, body }) => {
    const code = /^[a-z_]{3,40}$/.exec(body.trim())?.[0]
    const detail = code === undefined ? `status ${status}` : `status ${status} (${code})`
    if (status === 410 || (code !== undefined && GONE.includes(code))) return { detail, isGone: true }
    return status === 400 || status === 413 ? { detail, isRejected: true } : { detail }
  },
}

/** In text, these three characters begin mentions and links. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function blocksOf(
  { id, retracts, headline, intro, blocks, items, url }: Notice,
  canAcknowledge: boolean,
): readonly object[] {
  const texts = [...(intro === undefined ? [] : [[[{ style: 'plain', text: intro } as const]]]), ...blocks]
  const { fitting, left } = fitBlocks(texts.map(richText), MAX_CHARACTERS)
  const open = { type: 'button', action_id: 'open', text: { type: 'plain_text', text: 'Open in Gatewatch' }, url }
  const acknowledge = {
    type: 'button',
    action_id: ACKNOWLEDGE,
    text: { type: 'plain_text', text: 'Acknowledge' },
    value: id,
  }
  return [
    { type: 'header', text: { type: 'plain_text', text: cut(headline, MAX_HEADER), emoji: false } },
    ...fitting,
    ...(left === 0 ? [] : [richText([[{ style: 'plain', text: `and ${left} more events` }]])]),
    {
      type: 'actions',
      elements: [open, ...(canAcknowledge && items.length > 0 && retracts === undefined ? [acknowledge] : [])],
    },
  ]
}

const richText = (lines: readonly Line[]): object => ({
  type: 'rich_text',
  elements: [
    {
      type: 'rich_text_section',
      elements: lines.flatMap((line, at) => [
        ...(at === 0 ? [] : [{ type: 'text', text: '\n' }]),
        ...line
          .filter(({ text }) => text !== '')
          .map(({ style, text, url }) =>
            url === undefined
              ? { type: 'text', text: segmentText(text), ...(style !== 'plain' && { style: { [style]: true } }) }
              : { type: 'link', url, text: segmentText(text) },
          ),
      ]),
    },
  ],
})
