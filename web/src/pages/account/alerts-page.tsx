/** What one hears of. `?chain=…&address=…` or `?protocol=…` fills the form: "watch this contract" leads here. */
import { useSearch } from 'wouter'
import { useSubscriptions } from '../../api/use-alerts.ts'
import { Card } from '../../components/card.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { AccountFrame } from './account-frame.tsx'
import { ReachNote } from './reach-note.tsx'
import styles from './stack.module.css'
import { SubscribeForm } from './subscribe-form.tsx'
import { SubscriptionRow } from './subscription-row.tsx'

export function AlertsPage() {
  const search = useSearch()
  return <AccountFrame>{() => <Alerts search={search} />}</AccountFrame>
}

function Alerts({ search }: { readonly search: string }) {
  const subscriptions = useSubscriptions()
  const count = subscriptions.data?.items.length
  return (
    <>
      <PageHeader title="Alerts" lead="A message whenever control of a contract or a protocol changes." />
      <div className={styles.stack}>
        <ReachNote />
        <Card title="Watch">
          <SubscribeForm key={search} search={search} />
        </Card>
        <Card title="What you watch" aside={count} flush>
          <QueryView query={subscriptions}>
            {({ items }) =>
              items.length === 0 ? (
                <StateMessage title="You watch nothing yet" icon="timelock">
                  Name a contract or a protocol above, or press “Watch” on the page of a contract.
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
      </div>
    </>
  )
}
