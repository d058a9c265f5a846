import { Link } from 'wouter'
import { useCoinStatus, useLatestBlocks } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { feeRate, wholeNumber } from '../../text/amounts.ts'
import { COIN_TEXTS, type CoinChain } from '../../text/names.ts'

const COUNT = 6

export function LatestBlocks({ chain }: { readonly chain: CoinChain }) {
  const height = useCoinStatus(chain).data?.blockHeight
  return height === undefined ? null : (
    <Card title="Latest blocks" flush>
      <Blocks chain={chain} height={height} />
    </Card>
  )
}

function Blocks({ chain, height }: { readonly chain: CoinChain; readonly height: number }) {
  // One more than is shown, so that the table is full while the newest block loads.
  const blocks = useLatestBlocks(chain, height, COUNT + 1).slice(0, COUNT)
  if (blocks.length === 0) return <SkeletonRows count={3} />
  return (
    <DataTable
      caption={`Latest blocks of ${COIN_TEXTS[chain].name}`}
      rows={blocks}
      keyOf={({ hash }) => hash}
      columns={[
        {
          title: 'Height',
          cell: ({ height: own }) => <Link href={`/coins/${chain}/block/${own}`}>{wholeNumber(own)}</Link>,
        },
        { title: 'Mined', cell: ({ timestamp }) => <RelativeTime at={timestamp} /> },
        { title: 'Transactions', isNumber: true, cell: ({ txCount }) => wholeNumber(txCount) },
        {
          title: 'Median sat/vB',
          isNumber: true,
          cell: ({ txCount, feeRates }) => (txCount > 1 ? feeRate(feeRates.p50) : '–'),
        },
        { title: 'Fees', isNumber: true, cell: ({ totalFees }) => <Amount satoshi={totalFees} /> },
      ]}
    />
  )
}
