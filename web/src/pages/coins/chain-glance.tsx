import { Link } from 'wouter'
import { useCoinStatus, useFees } from '../../api/use-coins.ts'
import { buttonClass } from '../../components/button.tsx'
import { Figures } from '../../components/figures.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { type CoinChain, feeRate } from '../../text/coins.ts'
import { wholeNumber } from '../../text/numbers.ts'
import styles from './chain-glance.module.css'
import { LookUp } from './look-up.tsx'

/** Where a chain stands. */
export function ChainGlance({ chain }: { readonly chain: CoinChain }) {
  const status = useCoinStatus(chain)
  const fees = useFees(chain)
  return (
    <div className={styles.glance}>
      <QueryView query={status}>
        {({ blockHeight, mempoolSize, synced, hashrate }) => (
          <Figures
            items={[
              {
                name: 'Height',
                value: <Link href={`/coins/${chain}/block/${blockHeight}`}>{wholeNumber(blockHeight)}</Link>,
              },
              {
                name: 'Index',
                value: <TonePill tone={synced ? 'green' : 'amber'}>{synced ? 'Up to date' : 'Catching up'}</TonePill>,
              },
              { name: 'Waiting to confirm', value: wholeNumber(mempoolSize) },
              { name: 'Hash rate', value: hashrate },
              {
                name: 'Fee, medium',
                value: fees.data === undefined ? '–' : `${feeRate(fees.data.medium)} sat/vB`,
              },
              {
                name: 'Fee, urgent',
                value: fees.data === undefined ? '–' : `${feeRate(fees.data.urgent)} sat/vB`,
              },
            ]}
          />
        )}
      </QueryView>
      <LookUp chain={chain} />
      <div className={styles.ways}>
        <Link href={`/coins/${chain}/fees`} className={buttonClass()}>
          Fees and blocks to come
        </Link>
        <Link href={`/coins/${chain}/simulate`} className={buttonClass()}>
          Simulate a spend
        </Link>
      </div>
    </div>
  )
}
