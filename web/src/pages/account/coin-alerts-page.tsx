/** The coin subscriptions of the account: make, list and delete them, and see whether their messages arrived. */
import { useSearch } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { useChannels } from '../../api/use-alerts.ts'
import { useCoinDeliveries, useCoinSubscriptions } from '../../api/use-coin-alerts.ts'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { NextPage } from '../../components/next-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { wholeNumber } from '../../text/amounts.ts'
import { AccountFrame } from './account-frame.tsx'
import { CoinDeliveryRow } from './coin-delivery-row.tsx'
import { CoinSubscribeForm } from './coin-subscribe-form.tsx'
import { CoinSubscriptionRow } from './coin-subscription-row.tsx'
import { NoChannelNotice } from './no-channel-notice.tsx'

export function CoinAlertsPage() {
  const search = useSearch()
  return <AccountFrame>{() => <CoinAlerts search={search} />}</AccountFrame>
}

function CoinAlerts({ search }: { readonly search: string }) {
  const subscriptions = useCoinSubscriptions()
  // Shown together: channels that arrive later would move the form, and the alerts below it.
  const isReady = [subscriptions, useChannels(), useAbout()].every(({ isFetched }) => isFetched)
  const pages = subscriptions.data?.pages ?? []
  const items = pages.flatMap((page) => page.items)
  const { used = 0, limit, wallets = [] } = pages[0] ?? {}
  return (
    <>
      <PageHeader
        title="Coin alerts"
        lead="Get a message when an address, a wallet or a transaction of Bitcoin or Litecoin moves."
      />
      {!isReady ? (
        <SkeletonRows />
      ) : (
        <Stack>
          <NoChannelNotice />
          <Card title="New coin alert">
            <CoinSubscribeForm key={search} search={search} wallets={wallets} />
          </Card>
          <Card
            title="Your coin alerts"
            aside={limit === undefined ? undefined : `${wholeNumber(used)} of ${wholeNumber(limit)}`}
            flush
          >
            <QueryView query={subscriptions}>
              {() =>
                items.length === 0 ? (
                  <StateMessage title="No coin alerts yet" icon="timelock">
                    Add an address or a transaction above. Wallets that you keep with the API are listed there too.
                  </StateMessage>
                ) : (
                  <>
                    <ul>
                      {items.map((subscription) => (
                        <CoinSubscriptionRow key={subscription.id} subscription={subscription} wallets={wallets} />
                      ))}
                    </ul>
                    <NextPage query={subscriptions} text="Load older coin alerts" />
                  </>
                )
              }
            </QueryView>
          </Card>
          <Deliveries />
        </Stack>
      )}
    </>
  )
}

function Deliveries() {
  const deliveries = useCoinDeliveries()
  const items = deliveries.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <Card title="Messages" flush>
      <QueryView query={deliveries}>
        {() =>
          items.length === 0 ? (
            <StateMessage title="No messages yet" icon="timelock">
              A message is sent when something happens to a watched address, wallet or transaction. This page updates on
              its own.
            </StateMessage>
          ) : (
            <>
              <ol>
                {items.map((delivery) => (
                  <CoinDeliveryRow key={delivery.id} delivery={delivery} />
                ))}
              </ol>
              <NextPage query={deliveries} text="Load older messages" />
            </>
          )
        }
      </QueryView>
    </Card>
  )
}
