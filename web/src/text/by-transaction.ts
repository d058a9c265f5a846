/** Events of one transaction belong together: a Safe acts, and what it did is the news. Pure. */

type Told = {
  readonly id: number
  readonly chainSlug: string
  readonly txHash: string
  readonly severity: 'info' | 'high' | 'critical'
  readonly category: string
}
export type Transaction<Event> = {
  readonly key: string
  /** The gravest of its events; of several, what a Safe did rather than that it did something, then the first. */
  readonly main: Event
  readonly others: readonly Event[]
}

const RANKS = { info: 0, high: 2, critical: 4 } as const
const weightOf = ({ severity, category }: Told): number => RANKS[severity] + Number(category !== 'multisig')

/** In the order given, each transaction where its first event stood. */
export function byTransaction<Event extends Told>(events: readonly Event[]): readonly Transaction<Event>[] {
  const groups = Map.groupBy(events, ({ chainSlug, txHash }) => `${chainSlug} ${txHash}`)
  return [...groups].map(([key, group]) => {
    const [main, ...others] = group.toSorted((a, b) => weightOf(b) - weightOf(a) || a.id - b.id) as [Event, ...Event[]]
    return { key, main, others: others.toSorted((a, b) => a.id - b.id) }
  })
}
