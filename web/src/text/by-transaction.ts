/** Groups events by transaction, so that a list shows one row for each transaction. */
import { type Severity, severityRank } from '../../../vocabulary/severities.ts'

type ListedEvent = {
  readonly id: number
  readonly chainSlug: string
  readonly txHash: string
  readonly severity: Severity
  readonly category: string
}

export type Transaction<Event> = {
  readonly key: string
  /**
   * The event with the highest severity. Among equals, an event of the called contract is preferred over the event
   * that a Safe executed a transaction, then the first event.
   */
  readonly main: Event
  readonly others: readonly Event[]
}

const weightOf = ({ severity, category }: ListedEvent): number =>
  2 * severityRank(severity) + Number(category !== 'multisig')

/** Keeps the order of the events: a transaction is listed where its first event was. */
export function byTransaction<Event extends ListedEvent>(events: readonly Event[]): readonly Transaction<Event>[] {
  const groups = Map.groupBy(events, ({ chainSlug, txHash }) => `${chainSlug} ${txHash}`)
  return [...groups].map(([key, group]) => {
    const [main, ...others] = group.toSorted((a, b) => weightOf(b) - weightOf(a) || a.id - b.id) as [Event, ...Event[]]
    return { key, main, others: others.toSorted((a, b) => a.id - b.id) }
  })
}
