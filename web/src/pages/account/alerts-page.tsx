/** The subscriptions of the account. `?chain=…&address=…` or `?protocol=…` fills in the form, for links from other pages. */

import { useSearch } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { useChannels, useSubscriptions } from '../../api/use-alerts.ts'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { AccountFrame } from './account-frame.tsx'
import { ImportForm } from './import-form.tsx'
import { NoChannelNotice } from './no-channel-notice.tsx'
import { SubscribeForm } from './subscribe-form.tsx'
import { SubscriptionRow } from './subscription-row.tsx'

export function AlertsPage() {
  const search = useSearch()
  return <AccountFrame>{() => <Alerts search={search} />}</AccountFrame>
}

function Alerts({ search }: { readonly search: string }) {
  const subscriptions = useSubscriptions()
  // Shown together: channels that arrive later would move the form, and the alerts below it.
  const isReady = [subscriptions, useChannels(), useAbout()].every(({ isFetched }) => isFetched)
  const count = subscriptions.data?.items.length
  return (
    <>
      <PageHeader title="Alerts" lead="Get a message whenever control of a contract or a protocol changes." />
      {!isReady ? (
        <SkeletonRows />
      ) : (
        <Stack>
          <NoChannelNotice />
          <Card title="New alert">
            <SubscribeForm key={search} search={search} />
            <ImportForm />
          </Card>
          <Card title="Your alerts" aside={count} flush>
            <QueryView query={subscriptions}>
              {({ items }) =>
                items.length === 0 ? (
                  <StateMessage title="No alerts yet" icon="timelock">
                    Add a contract or a protocol above, or select “Watch” on the page of a contract.
                  </StateMessage>
                ) : (
                  <ul>
                    {items.map((subscription) => (
                      <SubscriptionRow key={subscription.id} subscription={subscription} />
                    ))}
                  </ul>
                )
              }
            </QueryView>
          </Card>
        </Stack>
      )}
    </>
  )
}
