/** The coin chains, each with a lookup form and its latest blocks. */
import { Link } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { COIN_TEXTS } from '../../text/names.ts'
import { noCoinsReason } from '../../text/unavailable.ts'
import { ChainSummary } from './chain-summary.tsx'
import { CoinUnavailable } from './coin-page.tsx'
import { LatestBlocks } from './latest-blocks.tsx'
import layout from './layout.module.css'

export function CoinsPage() {
  const about = useAbout()
  return (
    <>
      <PageHeader
        title="Coins"
        lead="Look up addresses, transactions and blocks, analyze UTXOs, and simulate payments."
      />
      <QueryView query={about}>
        {(installation) => {
          const enabled = installation.coins.filter((coin) => coin.enabled)
          const lacksLitecoin = installation.missing.some(({ what }) => what === 'litecoin')
          return enabled.length === 0 ? (
            <Card>
              <StateMessage title="No coin chain is enabled">
                The operator of this service has not enabled Bitcoin or Litecoin.
              </StateMessage>
            </Card>
          ) : (
            <div className={layout.halves}>
              {enabled.map(({ id }) => (
                <Stack key={id}>
                  <Card title={<Link href={`/coins/${id}`}>{COIN_TEXTS[id].name}</Link>} aside={COIN_TEXTS[id].symbol}>
                    <ChainSummary chain={id} />
                  </Card>
                  <LatestBlocks chain={id} isNarrow />
                </Stack>
              ))}
              {lacksLitecoin && <CoinUnavailable chain="ltc" reason={noCoinsReason(installation, 'ltc')} />}
            </div>
          )
        }}
      </QueryView>
    </>
  )
}
