/** The page of a block, by height or hash. */

import { useState } from 'react'
import { Link, useParams } from 'wouter'
import { type Block, useBlock } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Button, buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { plural, shortNumber, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import styles from './block-page.module.css'
import { coinErrorView } from './coin-error.tsx'
import { CoinPage } from './coin-page.tsx'
import { FeeSpread } from './fee-spread.tsx'
import layout from './layout.module.css'

const MAX_WEIGHT = 4_000_000

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
      <QueryView query={block} errorView={coinErrorView}>
        {(shown) => (
          <Stack>
            <Card>
              <Figures
                items={[
                  { name: 'Mined', value: <RelativeTime at={shown.timestamp} /> },
                  { name: 'Confirmations', value: wholeNumber(shown.confirmations) },
                  { name: 'Transactions', value: wholeNumber(shown.txCount) },
                  {
                    name: 'Weight',
                    value: wholeNumber(shown.weight),
                    note: `${((shown.weight / MAX_WEIGHT) * 100).toFixed(1)}% of a full block`,
                  },
                  { name: 'Size', value: `${wholeNumber(shown.size)} bytes` },
                  { name: 'Reward', value: <Amount satoshi={shown.reward} chain={chain} /> },
                  { name: 'Fees', value: <Amount satoshi={shown.totalFees} /> },
                  { name: 'Difficulty', value: difficultyText(shown.difficulty) },
                  ...(shown.mweb === undefined
                    ? []
                    : [{ name: 'MWEB amount', value: <Amount satoshi={shown.mweb.amount} /> }]),
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
                  <dt>Version</dt>
                  <dd>0x{(shown.version >>> 0).toString(16)}</dd>
                  <dt>Bits</dt>
                  <dd>{shown.bits}</dd>
                  <dt>Nonce</dt>
                  <dd>{wholeNumber(shown.nonce)}</dd>
                </dl>
              </Card>
            </div>
            <Txids chain={chain} txids={shown.txids ?? []} />
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

const PAGE_SIZE = 40

function Txids({ chain, txids }: { readonly chain: CoinChain; readonly txids: readonly string[] }) {
  const [shown, setShown] = useState(PAGE_SIZE)
  return (
    <Card title="Transactions" aside={plural(txids.length, 'transaction')}>
      <ol className={styles.txids}>
        {txids.slice(0, shown).map((txid, index) => (
          <li key={txid}>
            <span>{index}</span>
            <Hash text={txid} what="transaction" href={`/coins/${chain}/tx/${txid}`} copy={false} />
          </li>
        ))}
      </ol>
      {txids.length > shown && (
        <div className={styles.more}>
          <Button onClick={() => setShown(shown + 10 * PAGE_SIZE)}>Show more</Button>
        </div>
      )}
    </Card>
  )
}
