/** One chain: where it stands, and a place to ask. */
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { COIN_TEXTS } from '../../text/coins.ts'
import { ChainGlance } from './chain-glance.tsx'
import { CoinPage } from './coin-page.tsx'
import { LatestBlocks } from './latest-blocks.tsx'

export function ChainPage() {
  return (
    <CoinPage>
      {(chain) => (
        <>
          <PageHeader title={COIN_TEXTS[chain].name} lead="Look up an address, a transaction or a block." />
          <Stack>
            <Card>
              <ChainGlance chain={chain} />
            </Card>
            <LatestBlocks chain={chain} />
          </Stack>
        </>
      )}
    </CoinPage>
  )
}
