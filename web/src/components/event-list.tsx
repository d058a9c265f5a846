import type { ControlEvent } from '../api/service.ts'
import { byTransaction } from '../text/by-transaction.ts'
import { EventRow } from './event-row.tsx'

type EventListProps = {
  readonly events: readonly ControlEvent[]
  /** Those that have just arrived. */
  readonly fresh?: ReadonlySet<number>
  /** On pages about one contract it need not be named again. */
  readonly withContract?: boolean
}

const NONE: ReadonlySet<number> = new Set()

/** A row for each transaction. */
export function EventList({ events, fresh = NONE, withContract = true }: EventListProps) {
  return (
    <ol>
      {byTransaction(events).map(({ key, main, others }) => (
        <EventRow key={key} event={main} others={others} fresh={fresh.has(main.id)} withContract={withContract} />
      ))}
    </ol>
  )
}
