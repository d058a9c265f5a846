import type { Schemas } from 'gatewatch-client'
import { Link } from 'wouter'
import { useProtocols } from '../../api/use-protocols.ts'
import { Card } from '../../components/card.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { ToneBar } from '../../components/tone-bar.tsx'
import { plural } from '../../text/amounts.ts'
import styles from './ranked-protocols.module.css'

type ListedProtocol = Schemas['ListedProtocol']
type Order = 'weakest' | 'strongest'

const COUNT = 5

const RANKINGS: Readonly<
  Record<Order, { title: string; note: (one: ListedProtocol) => string; shareOf: (one: ListedProtocol) => number }>
> = {
  weakest: {
    title: 'Weakest control',
    note: ({ tones, contracts }) => `One key can act at once on ${tones.red} of ${plural(contracts, 'contract')}`,
    shareOf: ({ tones, contracts }) => tones.red / contracts,
  },
  strongest: {
    title: 'Strongest control',
    note: ({ tones, contracts }) =>
      `${tones.green} of ${plural(contracts, 'contract')} fixed or delayed by a day or more`,
    // A protocol is not strong if one key can act at once on one of its contracts, or if most can change at once.
    shareOf: ({ tones, contracts }) => (tones.red > 0 || 2 * tones.green < contracts ? 0 : tones.green / contracts),
  },
}

/** The protocols with the largest share of weakly or strongly controlled contracts. */
export function RankedProtocols({ order }: { readonly order: Order }) {
  const { title, note, shareOf } = RANKINGS[order]
  const protocols = useProtocols()
  return (
    <Card title={title} aside={<Link href="/protocols">All protocols</Link>} flush>
      <QueryView query={protocols} loading={<SkeletonRows count={COUNT} />}>
        {(all) => {
          const ranked = all
            .filter((one) => shareOf(one) > 0)
            .toSorted((a, b) => shareOf(b) - shareOf(a) || b.contracts - a.contracts)
            .slice(0, COUNT)
          return (
            <ul className={styles.list}>
              {ranked.length === 0 && <li className={styles.none}>No protocol yet.</li>}
              {ranked.map((one) => (
                <li key={one.slug}>
                  <Link href={`/protocols/${one.slug}`} className={styles.protocol}>
                    <span className={styles.name}>{one.protocol}</span>
                    <span className={styles.note}>{note(one)}</span>
                    <ToneBar counts={one.tones} />
                  </Link>
                </li>
              ))}
            </ul>
          )
        }}
      </QueryView>
    </Card>
  )
}
