import { useOverview } from '../../api/use-protocols.ts'
import { Figures } from '../../components/figures.tsx'
import { wholeNumber } from '../../text/numbers.ts'
import styles from './overview.module.css'

/** What is watched, in four figures. A feed without them is still a feed: they wait for nobody. */
export function Overview() {
  const { data } = useOverview()
  const figure = (value: number | undefined) => (value === undefined ? '–' : wholeNumber(value))
  const settled = data === undefined ? undefined : data.contracts - data.summary.unknown
  return (
    <div className={styles.overview}>
      <Figures
        look="tiles"
        items={[
          { name: 'Contracts under watch', value: figure(data?.contracts) },
          { name: 'Held by a single key', value: figure(data?.summary.singleKey) },
          { name: 'Profiled', value: figure(settled) },
          { name: 'Critical within a day', value: figure(data?.events24h.critical) },
          { name: 'High within a day', value: figure(data?.events24h.high) },
        ]}
      />
    </div>
  )
}
