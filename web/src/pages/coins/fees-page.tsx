/** Fee rates of a chain, its projected blocks, and the blocks that were mined. */

import { useFees, useLatestBlocks, useProjectedBlocks } from '../../api/use-coins.ts'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural } from '../../text/amounts.ts'
import { COIN_TEXTS, type CoinChain } from '../../text/names.ts'
import { coinErrorView } from './coin-error.tsx'
import { CoinPage } from './coin-page.tsx'
import { FeeCurve } from './fee-curve.tsx'
import { FeeHistory, HISTORY_COUNT } from './fee-history.tsx'
import { FeeTiers } from './fee-tiers.tsx'
import { MinedBlocks } from './mined-blocks.tsx'
import { ProjectedBlocks } from './projected-blocks.tsx'

export const FeesPage = () => <CoinPage>{(chain) => <FeesView chain={chain} />}</CoinPage>

const SOURCES: Readonly<Record<string, string>> = {
  'mempool-diagram': "From the node's block template",
  mempool: 'From the mempool',
  estimatesmartfee: "From the node's fee estimates",
  'recent-blocks': 'From recent blocks',
  cached: 'From the last known mempool',
}

function FeesView({ chain }: { readonly chain: CoinChain }) {
  const fees = useFees(chain)
  const blocks = useProjectedBlocks(chain)
  const latest = useLatestBlocks(chain, HISTORY_COUNT)
  return (
    <>
      <PageHeader
        title={`${COIN_TEXTS[chain].name} fees`}
        lead="What to pay for confirmation in one of the next blocks."
      />
      <QueryView query={fees} errorView={coinErrorView}>
        {(shown) =>
          // Shown together, because each part would move those below it.
          !blocks.isFetched || !latest.isFetched ? (
            <SkeletonRows count={10} />
          ) : (
            <Stack>
              <Card
                title="Fee rates"
                aside={
                  <>
                    {SOURCES[shown.source] ?? shown.source}, updated <RelativeTime at={shown.timestamp} />
                  </>
                }
              >
                <FeeTiers chain={chain} fees={shown} />
              </Card>
              <Card title="Projected blocks" aside={plural(shown.mempoolSize, 'unconfirmed transaction')}>
                <QueryView query={blocks}>
                  {({ blocks: projected, source }) =>
                    projected.length === 0 ? (
                      <StateMessage
                        title={source.startsWith('mempool') ? 'The mempool is empty' : 'The mempool is not known'}
                        icon="timelock"
                      >
                        {source.startsWith('mempool')
                          ? 'The next block has room for every transaction at the minimum relay fee.'
                          : 'This service reads block files without a node, or its node is syncing. The fee rates come from recent blocks.'}
                      </StateMessage>
                    ) : (
                      <Stack>
                        <ProjectedBlocks chain={chain} blocks={projected} />
                        <FeeCurve blocks={projected} fees={shown} />
                      </Stack>
                    )
                  }
                </QueryView>
              </Card>
              <MinedBlocks chain={chain} />
              <FeeHistory chain={chain} />
            </Stack>
          )
        }
      </QueryView>
    </>
  )
}
