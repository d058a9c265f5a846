/** A message as JSON. Its shape is public: docs/alerts.md. */

import type { Alert, AlertContract, AlertItem, Control } from './alert.ts'
import type { AlertedEvent } from './delivery-records.ts'

export const webhookId = ({ id }: Pick<Alert, 'id'>): string => `alert_${id}`

export function webhookPayload(alert: Alert): object {
  return {
    type: alert.retracts === null ? 'control.changed' : 'control.retracted',
    timestamp: alert.createdAt.toISOString(),
    data: {
      ...(alert.retracts !== null && { retracts: webhookId({ id: alert.retracts }) }),
      events: alert.items.map(itemOf),
    },
  }
}

function itemOf({ event, severity, description, contracts, explorerUrl }: AlertItem): object {
  const { queued } = description
  return {
    event: shownEvent(event),
    severity,
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
    contracts: contracts.map(contractOf),
    explorerUrl,
  }
}

const contractOf = (contract: AlertContract): object => ({
  chainId: contract.chainId,
  chainSlug: contract.chainSlug,
  address: contract.address,
  name: contract.name,
  protocol: contract.protocol,
  control: contract.control === null ? null : controlOf(contract.control),
  subscriptionIds: contract.subscriptionIds,
  url: contract.appUrl,
})

const controlOf = ({ label, tone, reasons, asOfBlock, isCurrent }: Control): object => ({
  label,
  tone,
  reasons,
  asOfBlock,
  isCurrent,
})

/** As interface v1 shows it. */
const shownEvent = (event: AlertedEvent): object => ({
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
