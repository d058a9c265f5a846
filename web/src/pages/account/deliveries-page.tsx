/** Every message that was sent or tried, and once more where asked. */
import { useDeliveries } from '../../api/use-alerts.ts'
import { useNames } from '../../api/use-names.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { AccountFrame } from './account-frame.tsx'
import { DeliveryRow } from './delivery-row.tsx'
import { messagesOf } from './messages.ts'
import styles from './stack.module.css'

export const DeliveriesPage = () => <AccountFrame>{() => <DeliveryList />}</AccountFrame>

function DeliveryList() {
  const deliveries = useDeliveries()
  useNames() // asked for with them: names that come later move the text
  const items = deliveries.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHeader title="Deliveries" lead="What your alerts told you, when, and what became of each message." />
      <Card flush>
        <QueryView query={deliveries}>
          {() =>
            items.length === 0 ? (
              <StateMessage title="Nothing was sent yet" icon="timelock">
                A message goes out when something you watch changes. This page keeps itself up to date.
              </StateMessage>
            ) : (
              <>
                <ol>
                  {messagesOf(items).map((message) => (
                    <DeliveryRow key={message.delivery.id} message={message} />
                  ))}
                </ol>
                {deliveries.hasNextPage && (
                  <div className={styles.bordered}>
                    <Button disabled={deliveries.isFetchingNextPage} onClick={() => void deliveries.fetchNextPage()}>
                      Load older ones
                    </Button>
                  </div>
                )}
              </>
            )
          }
        </QueryView>
      </Card>
    </>
  )
}
