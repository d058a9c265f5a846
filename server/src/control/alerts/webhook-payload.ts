/** Renders an alert as a webhook payload, documented in docs/alerts.md. */
import type { CoinEventContent } from '../../../../vocabulary/coin-events.ts'
import type { Alert, AlertContract, AlertItem, Control } from './alert.ts'
import type { AlertEvent } from './delivery-records.ts'

export const webhookId = ({ id }: Pick<Alert, 'id'>): string => `alert_${id}`

/** A message is about contracts or about coins. */
export const alertType = ({ retracts, items: [first] }: Pick<Alert, 'retracts' | 'items'>): string =>
  `${first?.coin === undefined ? 'control' : 'coins'}.${retracts === null ? 'changed' : 'retracted'}`

export function webhookPayload(alert: Alert): object {
  return {
    type: alertType(alert),
    timestamp: alert.createdAt.toISOString(),
    data: {
      ...(alert.retracts !== null && { retracts: webhookId({ id: alert.retracts }) }),
      events: alert.items.map((item) => (item.coin === undefined ? itemPayload(item) : coinPayload(item, item.coin))),
    },
  }
}

function itemPayload({ event, severity, description, contracts, explorerUrl }: AlertItem): object {
  const { queued } = description
  return {
    event: eventPayload(event),
    severity,
    confirmed: event.confirmedAt !== null,
    title: description.title,
    changes: description.changes,
    queued:
      queued === undefined
        ? null
        : {
            phase: queued.phase,
            earliestExecution:
              queued.earliestExecution === undefined ? null : new Date(queued.earliestExecution).toISOString(),
            calls: queued.calls.map(({ target, selector, signature, args, isControl, affects }) => ({
              target,
              selector: selector ?? null,
              function: signature ?? null,
              arguments: args ?? null,
              isControl,
              affects,
            })),
          },
    contracts: contracts.map(contractPayload),
    explorerUrl,
  }
}

/** The fields of `/api/v2/events`. */
const coinPayload = ({ event, description, explorerUrl }: AlertItem, coin: CoinEventContent): object => ({
  event: { id: event.id, ...coin },
  title: description.title,
  url: explorerUrl,
})

const contractPayload = (contract: AlertContract): object => ({
  chainId: contract.chainId,
  chainSlug: contract.chainSlug,
  address: contract.address,
  name: contract.name,
  protocol: contract.protocol,
  control: contract.control === null ? null : controlPayload(contract.control),
  subscriptionIds: contract.subscriptionIds,
  url: contract.appUrl,
})

const controlPayload = ({ label, tone, reasons, asOfBlock, isCurrent }: Control): object => ({
  label,
  tone,
  reasons,
  asOfBlock,
  isCurrent,
})

/** The same fields as in `/v1/events`. */
const eventPayload = (event: AlertEvent): object => ({
  id: event.id,
  chainId: event.chainId,
  chainSlug: event.chainSlug,
  blockNumber: event.blockNumber,
  blockTime: event.blockTime.toISOString(),
  txHash: event.txHash,
  logIndex: event.logIndex,
  address: event.address,
  eventKey: event.eventKey,
  category: event.category,
  severity: event.severity,
  args: event.args,
  isInit: event.isInit,
  contract: event.contract,
})
