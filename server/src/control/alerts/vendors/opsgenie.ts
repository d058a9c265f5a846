/**
 * Alert API of Opsgenie (https://docs.opsgenie.com/docs/alert-api), which Jira Service Management also has. A retraction
 * closes the alert.
 */
import type { Severity } from '../../../../../vocabulary/severities.ts'
import type { Post } from '../../../platform/deliveries/post.ts'
import { cut, fieldText, type Notice, plainText, type Vendor } from './vendor.ts'

export const OPSGENIE_URL = 'https://api.opsgenie.com/v2/alerts'

const PRIORITIES: Readonly<Record<Severity, string>> = { info: 'P5', high: 'P2', critical: 'P1' }

const [MAX_MESSAGE, MAX_DESCRIPTION, MAX_ENTITY, MAX_DETAIL] = [130, 15_000, 512, 1_000]

export const opsgenie: Vendor = {
  name: 'Opsgenie',
  post: (notice, { url, key = '' }) => {
    const { path, body } = requestOf(notice)
    const base = url.replace(/\/+$/, '')
    return {
      url: base + path,
      body: JSON.stringify(body),
      headers: { authorization: `GenieKey ${key}` },
    } satisfies Post
  },
  readRefusal: ({ status }) => {
    if (status === 401 || status === 403)
      return { detail: `status ${status}: it does not accept the API key`, isGone: true }
    return status === 422 || status === 400 ? { isRejected: true } : {}
  },
}

const aliasOf = (id: string): string => `gatewatch-${id}`

function requestOf(notice: Notice): { readonly path: string; readonly body: object } {
  const { id, retracts, headline, severity, url, items } = notice
  if (retracts !== undefined) {
    const action = retracts.isWhole ? 'close' : 'notes'
    const note = plainText(notice, MAX_DESCRIPTION)
    return { path: `/${aliasOf(retracts.id)}/${action}?identifierType=alias`, body: { source: 'Gatewatch', note } }
  }
  const [first] = items
  const contract = first?.contracts[0]
  return {
    path: '',
    body: {
      message: cut(headline, MAX_MESSAGE),
      alias: aliasOf(id),
      description: plainText(notice, MAX_DESCRIPTION),
      priority: PRIORITIES[severity],
      source: 'Gatewatch',
      tags: ['gatewatch', severity, ...(contract === undefined ? [] : [contract.chainSlug])],
      ...(contract !== undefined && { entity: fieldText(contract.name ?? contract.address, MAX_ENTITY) }),
      details: {
        url,
        events: String(items.length),
        ...(first !== undefined && { event: first.event.eventKey, transaction: first.explorerUrl }),
        ...(contract !== undefined && { contract: contract.address }),
        ...(contract?.protocol != null && { protocol: fieldText(contract.protocol, MAX_DETAIL) }),
      },
    },
  }
}
