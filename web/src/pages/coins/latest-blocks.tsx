import { Link } from 'wouter'
import { type ListedBlock, useLatestBlocks } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Card } from '../../components/card.tsx'
import { useCoinUnit } from '../../components/coin-unit.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { byteSize, feeRate, wholeNumber } from '../../text/amounts.ts'
import { COIN_TEXTS, type CoinChain } from '../../text/names.ts'
import { coinErrorView } from './coin-error.tsx'

const COUNT = 10
const SIZE = { title: 'Size', isNumber: true, isExtra: true, cell: ({ size }: ListedBlock) => byteSize(size) }

const columnsOf = (chain: CoinChain, symbol: string, isNarrow: boolean): readonly Column<ListedBlock>[] => [
  {
    title: 'Height',
    cell: ({ height }) => <Link href={`/coins/${chain}/block/${height}`}>{wholeNumber(height)}</Link>,
  },
  { title: 'Mined', cell: ({ timestamp }) => <RelativeTime at={timestamp} isPast /> },
  { title: 'Transactions', isNumber: true, isExtra: true, cell: ({ txCount }) => wholeNumber(txCount) },
  {
    title: 'Median, sat/vB',
    isNumber: true,
    cell: ({ txCount, feeRates }) => (txCount > 1 ? feeRate(feeRates.p50) : '–'),
  },
  ...(isNarrow ? [] : [SIZE]),
  { title: `Fees, ${symbol}`, isNumber: true, cell: ({ totalFees }) => <Amount satoshi={totalFees} /> },
]

/** With `isNarrow`, for half of a page, without the size of a block. */
export function LatestBlocks({ chain, isNarrow = false }: { readonly chain: CoinChain; readonly isNarrow?: boolean }) {
  const latest = useLatestBlocks(chain, COUNT)
  const caption = `Latest blocks of ${COIN_TEXTS[chain].name}`
  const columns = columnsOf(chain, useCoinUnit().symbolOf(chain), isNarrow)
  return (
    <Card title={`Latest ${COIN_TEXTS[chain].name} blocks`} flush>
      <QueryView
        query={latest}
        // A table of the same size, so that nothing moves when the blocks arrive.
        loading={
          <DataTable
            caption={caption}
            rows={Array.from({ length: COUNT }, (_, index) => index)}
            keyOf={(index) => index}
            columns={columns.map((column) => ({ ...column, cell: () => '–' }))}
          />
        }
        errorView={coinErrorView}
      >
        {(blocks) => <DataTable caption={caption} rows={blocks} keyOf={({ hash }) => hash} columns={columns} />}
      </QueryView>
    </Card>
  )
}
