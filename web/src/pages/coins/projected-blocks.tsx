import { duration } from '../../../../vocabulary/time.ts'
import type { ProjectedBlock } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { feeRate, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import { FULL_BLOCK, medianOf } from './chart-math.ts'
import styles from './projected-blocks.module.css'

/** The average time between blocks. */
const BLOCK_SECONDS: Readonly<Record<CoinChain, number>> = { btc: 600, ltc: 150 }

/** The projected blocks, next block first, each filled as much as it would be. */
export function ProjectedBlocks({
  chain,
  blocks,
}: {
  readonly chain: CoinChain
  readonly blocks: readonly ProjectedBlock[]
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.frame} role="region" aria-label="Blocks by position" tabIndex={0}>
      <ol className={styles.row}>
        {blocks.map((block, index) => {
          const fullness = Math.min(1, block.vsize / FULL_BLOCK)
          return (
            <li key={index} className={styles.block}>
              <span className={styles.fill} style={{ height: `${Math.max(2, fullness * 100)}%` }} aria-hidden="true" />
              <span className={styles.name}>{index === 0 ? 'Next block' : `Block +${index + 1}`}</span>
              <strong>~{feeRate(medianOf(block))} sat/vB</strong>
              <span>
                {feeRate(block.rates[0] ?? 0)} – {feeRate(block.rates.at(-1) ?? 0)}
              </span>
              <span>
                <Amount satoshi={block.totalFee} chain={chain} />
              </span>
              <span>
                {wholeNumber(block.vsize)} vB, {Math.round(fullness * 100)}% full
              </span>
              <span>in about {duration((index + 1) * BLOCK_SECONDS[chain])}</span>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
