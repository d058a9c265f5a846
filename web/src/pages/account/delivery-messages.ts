/**
 * Groups deliveries into messages.
 *
 * A message reports one transaction. The delivery log has an entry for each event and each subscription that matched.
 */
import type { Delivery } from '../../api/use-alerts.ts'
import { byTransaction, type Transaction } from '../../text/by-transaction.ts'

export type Message = Transaction<Delivery['event']> & {
  /** One of the deliveries of the message. Sending it again sends the whole message. */
  readonly delivery: Delivery
}

const messageKey = ({ channel, createdAt, status, event }: Delivery): string =>
  [channel, createdAt, status, event.chainSlug, event.txHash].join(' ')

export function messagesOf(deliveries: readonly Delivery[]): readonly Message[] {
  return [...Map.groupBy(deliveries, messageKey).values()].flatMap((group) => {
    const events = new Map(group.map(({ event }) => [event.id, event]))
    const [transaction] = byTransaction([...events.values()])
    const [delivery] = group
    return transaction === undefined || delivery === undefined ? [] : { ...transaction, delivery }
  })
}
