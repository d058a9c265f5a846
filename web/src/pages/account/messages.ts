/**
 * Deliveries → the messages that were sent. Pure.
 *
 * A message tells of one transaction; the log has a line for every event and every subscription it answers to.
 */
import type { Delivery } from '../../api/use-alerts.ts'
import { byTransaction, type Transaction } from '../../text/by-transaction.ts'

export type Message = Transaction<Delivery['event']> & {
  /** Stands for all of its deliveries: sent again, they all are. */
  readonly delivery: Delivery
}

const messageOf = ({ channel, createdAt, status, event }: Delivery): string =>
  [channel, createdAt, status, event.chainSlug, event.txHash].join(' ')

export function messagesOf(deliveries: readonly Delivery[]): readonly Message[] {
  return [...Map.groupBy(deliveries, messageOf).values()].flatMap((group) => {
    const events = new Map(group.map(({ event }) => [event.id, event]))
    const [told] = byTransaction([...events.values()])
    const [delivery] = group
    return told === undefined || delivery === undefined ? [] : { ...told, delivery }
  })
}
