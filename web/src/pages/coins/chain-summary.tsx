import { Link } from 'wouter'
import { useCoinStatus, useFees } from '../../api/use-coins.ts'
import { buttonClass } from '../../components/button.tsx'
import { Figures } from '../../components/figures.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { feeRate, plural, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import styles from './chain-summary.module.css'
import { LookupForm } from './lookup-form.tsx'

/** The height, mempool and fees of a chain, with links to its pages. */
export function ChainSummary({ chain }: { readonly chain: CoinChain }) {
  const status = useCoinStatus(chain)
  return (
    <div className={styles.summary}>
      <QueryView query={status} loading={<ChainFigures chain={chain} status={undefined} />}>
        {(known) => <ChainFigures chain={chain} status={known} />}
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

type ChainFiguresProps = {
  readonly chain: CoinChain
  /** Undefined while it is loading: the figures have their place already. */
  readonly status: ReturnType<typeof useCoinStatus>['data']
}

function ChainFigures({ chain, status }: ChainFiguresProps) {
  const { data: fees } = useFees(chain)
  const rate = (value: number | undefined) => (value === undefined ? '–' : `${feeRate(value)} sat/vB`)
  return (
    <Figures
      items={[
        {
          name: 'Height',
          value:
            status === undefined ? (
              '–'
            ) : (
              <Link href={`/coins/${chain}/block/${status.blockHeight}`}>{wholeNumber(status.blockHeight)}</Link>
            ),
        },
        { name: 'Index', value: <IndexState isSynced={status?.synced} /> },
        { name: 'Mempool', value: status === undefined ? '–' : plural(status.mempoolSize, 'transaction') },
        { name: 'Medium fee', value: rate(fees?.medium) },
        { name: 'Urgent fee', value: rate(fees?.urgent) },
        // Test chains have none to speak of.
        ...(status === undefined || status.difficulty < 1 ? [] : [{ name: 'Hash rate', value: status.hashrate }]),
      ]}
    />
  )
}

function IndexState({ isSynced }: { readonly isSynced: boolean | undefined }) {
  if (isSynced === undefined) return <TonePill tone="grey">Loading</TonePill>
  return <TonePill tone={isSynced ? 'green' : 'amber'}>{isSynced ? 'Up to date' : 'Catching up'}</TonePill>
}
