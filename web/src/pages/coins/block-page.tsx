/** The page of a block, by height or hash. */

import { Link, useParams } from 'wouter'
import { type Block, type BlockTx, useBlock, useBlockTxs } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { useCoinUnit } from '../../components/coin-unit.tsx'
import { Stack } from '../../components/columns.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { NextPage } from '../../components/next-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { feeRate, plural, shortNumber, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import styles from './block-page.module.css'
import { MAX_WEIGHT } from './chart-math.ts'
import { coinPageError } from './coin-error.tsx'
import { CoinPage } from './coin-page.tsx'
import { FeeSpread } from './fee-spread.tsx'
import layout from './layout.module.css'

/** Test chains have a difficulty below one. */
const difficultyText = (value: number): string => (value < 1 ? value.toPrecision(2) : shortNumber(value))

export function BlockPage() {
  const { block = '' } = useParams<{ readonly block?: string }>()
  return <CoinPage>{(chain) => <BlockView key={block} chain={chain} hashOrHeight={block} />}</CoinPage>
}

function BlockView({ chain, hashOrHeight }: { readonly chain: CoinChain; readonly hashOrHeight: string }) {
  const block = useBlock(chain, hashOrHeight)
  const loaded = block.data
  return (
    <>
      <PageHeader
        title={loaded === undefined ? 'Block' : `Block ${wholeNumber(loaded.height)}`}
        lead={loaded === undefined ? hashOrHeight : <Hash text={loaded.hash} what="block" full />}
        aside={loaded === undefined ? undefined : <Neighbors chain={chain} block={loaded} />}
      />
      <QueryView query={block} errorView={coinPageError(chain)}>
        {(shown) => (
          <Stack>
            <Card>
              <Figures
                items={[
                  { name: 'Mined', value: <RelativeTime at={shown.timestamp} isPast /> },
                  { name: 'Confirmations', value: wholeNumber(shown.confirmations) },
                  { name: 'Transactions', value: wholeNumber(shown.txCount) },
                  {
                    name: 'Weight',
                    value: wholeNumber(shown.weight),
                    note: `${((shown.weight / MAX_WEIGHT) * 100).toFixed(1)}% of a full block`,
                  },
                  { name: 'Size', value: `${wholeNumber(shown.size)} bytes` },
                  { name: 'Reward', value: <Amount satoshi={shown.reward} chain={chain} /> },
                  { name: 'Fees', value: <Amount satoshi={shown.totalFees} chain={chain} /> },
                  ...(shown.mweb === undefined
                    ? []
                    : [{ name: 'MWEB amount', value: <Amount satoshi={shown.mweb.amount} chain={chain} /> }]),
                ]}
              />
            </Card>
            <div className={layout.halves}>
              <Card title="Fee rates">
                <FeeSpread rates={shown.feeRates} isEmpty={shown.txCount <= 1} />
              </Card>
              <Card title="Header">
                <dl className={styles.header}>
                  <dt>Merkle root</dt>
                  <dd>
                    <Hash text={shown.merkleRoot} what="merkle root" />
                  </dd>
                  <dt>Median time</dt>
                  <dd>
                    <RelativeTime at={shown.medianTime} />
                  </dd>
                  <dt>Difficulty</dt>
                  <dd>{difficultyText(shown.difficulty)}</dd>
                  <dt>Version</dt>
                  <dd>0x{(shown.version >>> 0).toString(16)}</dd>
                  <dt>Bits</dt>
                  <dd>{shown.bits}</dd>
                  <dt>Nonce</dt>
                  <dd>{wholeNumber(shown.nonce)}</dd>
                </dl>
              </Card>
            </div>
            <Transactions chain={chain} block={shown} />
          </Stack>
        )}
      </QueryView>
    </>
  )
}

function Neighbors({ chain, block }: { readonly chain: CoinChain; readonly block: Block }) {
  return (
    <div className={styles.neighbors}>
      {block.previousBlockHash !== null && (
        <Link href={`/coins/${chain}/block/${block.height - 1}`} className={buttonClass()}>
          Previous block
        </Link>
      )}
      {block.nextBlockHash !== null && (
        <Link href={`/coins/${chain}/block/${block.height + 1}`} className={buttonClass()}>
          Next block
        </Link>
      )}
    </div>
  )
}

const columnsOf = (chain: CoinChain, symbol: string): readonly Column<BlockTx>[] => [
  {
    title: 'Transaction',
    cell: ({ txid }) => <Hash text={txid} what="transaction" href={`/coins/${chain}/tx/${txid}`} copy={false} />,
  },
  {
    title: 'Inputs',
    isNumber: true,
    cell: ({ inputs, isCoinbase }) => (isCoinbase ? 'Coinbase' : wholeNumber(inputs)),
  },
  { title: 'Outputs', isNumber: true, cell: ({ outputs }) => wholeNumber(outputs) },
  { title: `Amount, ${symbol}`, isNumber: true, cell: ({ value }) => <Amount satoshi={value} /> },
  { title: 'Size, vB', isNumber: true, cell: ({ vsize }) => wholeNumber(vsize) },
  {
    title: 'Fee rate, sat/vB',
    isNumber: true,
    cell: ({ fee, vsize, isCoinbase }) => (isCoinbase ? '–' : feeRate(fee / vsize)),
  },
]

function Transactions({ chain, block }: { readonly chain: CoinChain; readonly block: Block }) {
  const txs = useBlockTxs(chain, block.hash)
  const symbol = useCoinUnit().symbolOf(chain)
  return (
    <Card title="Transactions" aside={plural(block.txCount, 'transaction')} flush>
      <QueryView query={txs} loading={<SkeletonRows count={Math.min(8, block.txCount)} />}>
        {({ pages }) => (
          <>
            <DataTable
              caption="Transactions of the block"
              columns={columnsOf(chain, symbol)}
              rows={pages.flatMap((page) => page.txs)}
              keyOf={({ txid }) => txid}
            />
            <NextPage query={txs} text="Show more" />
          </>
        )}
      </QueryView>
    </Card>
  )
}
