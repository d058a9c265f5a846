import { useOverview } from '../../api/use-protocols.ts'
import { Stats } from '../../components/stats.tsx'
import { wholeNumber } from '../../text/numbers.ts'
import styles from './overview.module.css'

/** What is watched, in four figures. A feed without them is still a feed: they wait for nobody. */
export function Overview() {
  const { data } = useOverview()
  const figure = (value: number | undefined) => (value === undefined ? '–' : wholeNumber(value))
  const settled = data === undefined ? undefined : data.contracts - data.summary.unknown
  return (
    <div className={styles.overview}>
      <Stats
        stats={[
          ['Contracts under watch', figure(data?.contracts)],
          ['Held by a single key', figure(data?.summary.singleKey)],
          ['Profiled', figure(settled)],
          ['Critical within a day', figure(data?.events24h.critical)],
          ['High within a day', figure(data?.events24h.high)],
        ]}
      />
    </div>
  )
}
