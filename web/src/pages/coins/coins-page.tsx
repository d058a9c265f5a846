/** Both chains at a glance, and a place to ask for an address, a transaction or a block. */
import { useAbout } from '../../api/use-about.ts'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { COIN_TEXTS } from '../../text/coins.ts'
import { whyNoCoins } from '../../text/not-shown.ts'
import { ChainGlance } from './chain-glance.tsx'
import { CoinsNotShown } from './coins-not-shown.tsx'
import { LatestBlocks } from './latest-blocks.tsx'
import layout from './layout.module.css'

export function CoinsPage() {
  const about = useAbout()
  return (
    <>
      <PageHeader
        title="Coins"
        lead="Where the coins of an address are, how healthy they are, and how they would spend."
      />
      <QueryView query={about}>
        {(installation) => {
          const enabled = installation.coins.filter((coin) => coin.enabled)
          const lacksLitecoin = installation.missing.some(({ what }) => what === 'litecoin')
          return enabled.length === 0 ? (
            <Card>
              <StateMessage title="No coin chain is switched on">
                Whoever runs this service names a Bitcoin or Litecoin node in its settings: see docs/operations.md.
              </StateMessage>
            </Card>
          ) : (
            <div className={layout.halves}>
              {enabled.map(({ id }) => (
                <Stack key={id}>
                  <Card title={COIN_TEXTS[id].name} aside={COIN_TEXTS[id].symbol}>
                    <ChainGlance chain={id} />
                  </Card>
                  <LatestBlocks chain={id} />
                </Stack>
              ))}
              {lacksLitecoin && <CoinsNotShown chain="ltc" why={whyNoCoins(installation, 'ltc')} />}
            </div>
          )
        }}
      </QueryView>
    </>
  )
}
