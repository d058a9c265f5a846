/** Events API v2 of PagerDuty (https://developer.pagerduty.com/docs/send-alert-event). A retraction resolves the alert. */
import type { Severity } from '../../../../../vocabulary/severities.ts'
import { cut, fieldText, type Notice, plainText, type Vendor } from './vendor.ts'

export const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue'

const SEVERITIES: Readonly<Record<Severity, string>> = { info: 'info', high: 'error', critical: 'critical' }

const [MAX_SUMMARY, MAX_TEXT, MAX_FIELD] = [1_024, 20_000, 250]

export const pagerduty: Vendor = {
  name: 'PagerDuty',
  post: (notice, { url, key = '' }) => ({
    url,
    headers: {},
    body: JSON.stringify({ routing_key: key, ...eventOf(notice) }),
  }),
  readRefusal: ({ status }) =>
    status === 400
      ? { detail: 'status 400: it does not accept the event or the integration key', isRejected: true }
      : {},
}

const dedupKey = (id: string): string => `gatewatch-${id}`

function eventOf(notice: Notice): object {
  const { id, retracts, headline, severity, url, createdAt, items } = notice
  if (retracts?.isWhole === true) return { event_action: 'resolve', dedup_key: dedupKey(retracts.id) }
  const [first] = items
  const contract = first?.contracts[0]
  return {
    event_action: 'trigger',
    dedup_key: dedupKey(id),
    client: 'Gatewatch',
    client_url: url,
    links: first === undefined ? [] : [{ href: first.explorerUrl, text: 'View transaction' }],
    payload: {
      summary: cut(headline, MAX_SUMMARY),
      source:
        first?.coin !== undefined
          ? `${first.coin.chain}:${first.coin.target}`
          : contract === undefined
            ? 'gatewatch'
            : `${contract.chainSlug}:${contract.address}`,
      severity: SEVERITIES[retracts === undefined ? severity : 'info'],
      timestamp: createdAt.toISOString(),
      ...(contract?.name != null && { component: fieldText(contract.name, MAX_FIELD) }),
      ...(contract?.protocol != null && { group: fieldText(contract.protocol, MAX_FIELD) }),
      ...(first !== undefined && { class: first.event.eventKey }),
      custom_details: { text: plainText(notice, MAX_TEXT), events: items.length },
    },
  }
}
