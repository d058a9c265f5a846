/** The page of one chain: a lookup form, the blocks to come, and the latest ones. */
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { COIN_TEXTS } from '../../text/names.ts'
import { ChainSummary } from './chain-summary.tsx'
import { CoinPage } from './coin-page.tsx'
import { LatestBlocks } from './latest-blocks.tsx'
import { NextBlocks } from './next-blocks.tsx'

export function ChainPage() {
  return (
    <CoinPage>
      {(chain) => (
        <>
          <PageHeader title={COIN_TEXTS[chain].name} lead="Look up an address, a transaction or a block." />
          <Stack>
            <Card>
              <ChainSummary chain={chain} />
            </Card>
            <NextBlocks chain={chain} />
            <LatestBlocks chain={chain} />
          </Stack>
        </>
      )}
    </CoinPage>
  )
}
