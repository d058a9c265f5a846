import { Link } from 'wouter'
import { useCoinStatus, useFees } from '../../api/use-coins.ts'
import { buttonClass } from '../../components/button.tsx'
import { Figures } from '../../components/figures.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { feeRate, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import styles from './chain-summary.module.css'
import { LookupForm } from './lookup-form.tsx'

/** The height, mempool and fees of a chain, with links to its pages. */
export function ChainSummary({ chain }: { readonly chain: CoinChain }) {
  const status = useCoinStatus(chain)
  const fees = useFees(chain)
  return (
    <div className={styles.summary}>
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
              { name: 'Unconfirmed transactions', value: wholeNumber(mempoolSize) },
              { name: 'Hash rate', value: hashrate },
              {
                name: 'Medium fee',
                value: fees.data === undefined ? '–' : `${feeRate(fees.data.medium)} sat/vB`,
              },
              {
                name: 'Urgent fee',
                value: fees.data === undefined ? '–' : `${feeRate(fees.data.urgent)} sat/vB`,
              },
            ]}
          />
        )}
      </QueryView>
      <LookupForm chain={chain} />
      <div className={styles.actions}>
        <Link href={`/coins/${chain}/fees`} className={buttonClass()}>
          Fees and projected blocks
        </Link>
        <Link href={`/coins/${chain}/simulate`} className={buttonClass()}>
          Simulate a payment
        </Link>
      </div>
    </div>
  )
}
