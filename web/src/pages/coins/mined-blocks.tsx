import { Link } from 'wouter'
import { type ListedBlock, useLatestBlocks } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Card } from '../../components/card.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SkeletonBar } from '../../components/skeleton.tsx'
import { feeRate, plural, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import { MAX_WEIGHT } from './chart-math.ts'
import { HISTORY_COUNT } from './fee-history.tsx'
import styles from './projected-blocks.module.css'

const COUNT = 8

/** The newest blocks, in the form of the projected ones. The history below has the same data. */
export function MinedBlocks({ chain }: { readonly chain: CoinChain }) {
  const blocks = useLatestBlocks(chain, HISTORY_COUNT)
  return (
    <Card title="Just mined" aside={<Link href={`/coins/${chain}`}>All blocks</Link>}>
      <QueryView query={blocks} loading={<SkeletonBar height="9.5rem" />}>
        {(latest) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          <div className={styles.frame} role="region" aria-label="Mined blocks" tabIndex={0}>
            <ol className={styles.row}>
              {latest.slice(0, COUNT).map((block) => (
                <MinedBlock key={block.hash} chain={chain} block={block} />
              ))}
            </ol>
          </div>
        )}
      </QueryView>
    </Card>
  )
}

function MinedBlock({ chain, block }: { readonly chain: CoinChain; readonly block: ListedBlock }) {
  const { height, weight, txCount, totalFees, timestamp, feeRates } = block
  return (
    <li>
      <Link className={`${styles.block} ${styles.mined}`} href={`/coins/${chain}/block/${height}`}>
        <span
          className={styles.fill}
          style={{ height: `${Math.min(100, Math.max(2, (weight / MAX_WEIGHT) * 100))}%` }}
          aria-hidden="true"
        />
        <span className={styles.name}>{wholeNumber(height)}</span>
        <strong>{txCount > 1 ? `~${feeRate(feeRates.p50)} sat/vB` : 'Empty'}</strong>
        <span>{txCount > 1 ? `${feeRate(feeRates.p10)} – ${feeRate(feeRates.p90)}` : 'no fees'}</span>
        <span>
          <Amount satoshi={totalFees} chain={chain} />
        </span>
        <span>{plural(txCount, 'transaction')}</span>
        <span>
          <RelativeTime at={timestamp} isPast />
        </span>
      </Link>
    </li>
  )
}
