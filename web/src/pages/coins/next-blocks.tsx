import { Link } from 'wouter'
import { useProjectedBlocks } from '../../api/use-coins.ts'
import { Card } from '../../components/card.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SkeletonBar } from '../../components/skeleton.tsx'
import type { CoinChain } from '../../text/names.ts'
import { coinErrorView } from './coin-error.tsx'
import layout from './layout.module.css'
import styles from './projected-blocks.module.css'
import { ProjectedBlocks } from './projected-blocks.tsx'

/** The projected blocks, as a part of a page that keeps its height in every state. */
export function NextBlocks({ chain }: { readonly chain: CoinChain }) {
  const projected = useProjectedBlocks(chain)
  return (
    <Card title="Next blocks" aside={<Link href={`/coins/${chain}/fees`}>Fees and mempool</Link>}>
      <div className={styles.strip}>
        <QueryView query={projected} loading={<SkeletonBar height="9.5rem" />} errorView={coinErrorView}>
          {({ blocks, source }) =>
            blocks.length > 0 ? (
              <ProjectedBlocks chain={chain} blocks={blocks} />
            ) : (
              <p className={layout.faint}>
                {source.startsWith('mempool')
                  ? 'The mempool is empty: the next block has room for every transaction at the minimum relay fee.'
                  : 'The mempool is not known: this service reads block files without a node, or its node is syncing.'}
              </p>
            )
          }
        </QueryView>
      </div>
    </Card>
  )
}
