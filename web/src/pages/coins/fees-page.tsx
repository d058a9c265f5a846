/** What a place in one of the next blocks costs, and what those blocks look like now. */
import { useFees, useProjectedBlocks } from '../../api/use-coins.ts'
import { Card } from '../../components/card.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { COIN_TEXTS, type CoinChain } from '../../text/coins.ts'
import { plural } from '../../text/numbers.ts'
import { BlockRow } from './block-row.tsx'
import { CoinPage } from './coin-page.tsx'
import { FeeCurve } from './fee-curve.tsx'
import { FeeTiers } from './fee-tiers.tsx'
import layout from './layout.module.css'
import { refusedCoins } from './refused-coins.tsx'

export const FeesPage = () => <CoinPage>{(chain) => <FeesView chain={chain} />}</CoinPage>

const SOURCES: Readonly<Record<string, string>> = {
  'mempool-diagram': "from the node's own mining order",
  mempool: 'from what waits in the mempool',
  estimatesmartfee: "from the node's estimates",
  'recent-blocks': 'from what recent blocks paid',
  cached: 'from what was last known of the mempool',
}

function FeesView({ chain }: { readonly chain: CoinChain }) {
  const fees = useFees(chain)
  const blocks = useProjectedBlocks(chain)
  return (
    <>
      <PageHeader title={`${COIN_TEXTS[chain].name} fees`} lead="What to pay for a place in one of the next blocks." />
      <QueryView query={fees} refused={refusedCoins}>
        {(shown) => (
          <div className={layout.stack}>
            <Card
              title="Fee rates"
              aside={
                <>
                  {SOURCES[shown.source] ?? shown.source}, <RelativeTime at={shown.timestamp} />
                </>
              }
            >
              <FeeTiers chain={chain} fees={shown} />
            </Card>
            <Card title="The blocks to come" aside={`${plural(shown.mempoolSize, 'transaction')} waiting`}>
              <QueryView query={blocks}>
                {({ blocks: coming, source }) =>
                  coming.length === 0 ? (
                    <StateMessage
                      title={
                        source.startsWith('mempool') ? 'Nothing waits to be mined' : 'What waits is not known here'
                      }
                      icon="timelock"
                    >
                      {source.startsWith('mempool')
                        ? 'The next block has room for everyone: the least that nodes relay is enough.'
                        : 'This service reads blocks without a node, or its node is catching up. The rates above come from recent blocks.'}
                    </StateMessage>
                  ) : (
                    <div className={layout.stack}>
                      <BlockRow chain={chain} blocks={coming} />
                      <FeeCurve blocks={coming} fees={shown} />
                    </div>
                  )
                }
              </QueryView>
            </Card>
          </div>
        )}
      </QueryView>
    </>
  )
}
