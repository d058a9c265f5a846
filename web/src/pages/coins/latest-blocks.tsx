import { Link } from 'wouter'
import { useBlocksUpTo, useCoinStatus } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { COIN_TEXTS, type CoinChain, feeRate } from '../../text/coins.ts'
import { wholeNumber } from '../../text/numbers.ts'

/** Enough to see that the chain moves, and to begin to look around from. */
const SHOWN = 6

export function LatestBlocks({ chain }: { readonly chain: CoinChain }) {
  const height = useCoinStatus(chain).data?.blockHeight
  return height === undefined ? null : (
    <Card title="Latest blocks" flush>
      <Blocks chain={chain} height={height} />
    </Card>
  )
}

function Blocks({ chain, height }: { readonly chain: CoinChain; readonly height: number }) {
  // One more than is shown: it stands in while the newest is still on its way.
  const blocks = useBlocksUpTo(chain, height, SHOWN + 1).slice(0, SHOWN)
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
          title: 'sat/vB',
          isNumber: true,
          cell: ({ txCount, feeRates }) => (txCount > 1 ? feeRate(feeRates.p50) : '–'),
        },
        { title: 'Fees', isNumber: true, cell: ({ totalFees }) => <Amount satoshi={totalFees} /> },
      ]}
    />
  )
}
