/** The log of alert messages, each of which can be sent again. */
import { useDeliveries, useReplayFailed } from '../../api/use-alerts.ts'
import { useHasNames } from '../../api/use-names.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { FormError } from '../../components/form-error.tsx'
import { NextPage } from '../../components/next-page.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural } from '../../text/amounts.ts'
import { AccountFrame } from './account-frame.tsx'
import { messagesOf } from './delivery-messages.ts'
import { DeliveryRow } from './delivery-row.tsx'
import styles from './layout.module.css'

export const DeliveriesPage = () => <AccountFrame>{() => <DeliveryList />}</AccountFrame>

function DeliveryList() {
  const deliveries = useDeliveries()
  const hasNames = useHasNames()
  const items = deliveries.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHeader title="Deliveries" lead="All alert messages and their delivery status." />
      {items.some(({ status }) => status === 'failed') && <ReplayFailed />}
      <Card flush>
        <QueryView query={deliveries} isReady={hasNames}>
          {() =>
            items.length === 0 ? (
              <StateMessage title="No messages yet" icon="timelock">
                A message is sent when control of a watched contract changes. This page updates on its own.
              </StateMessage>
            ) : (
              <>
                <ol>
                  {messagesOf(items).map((message) => (
                    <DeliveryRow key={message.delivery.id} message={message} />
                  ))}
                </ol>
                <NextPage query={deliveries} text="Load older messages" />
              </>
            )
          }
        </QueryView>
      </Card>
    </>
  )
}

const DAYS = 7
const DAY_MS = 86_400_000

/** Sends the failed messages of the last days again, for example after a receiver was repaired. */
function ReplayFailed() {
  const replay = useReplayFailed()
  const send = () => {
    const now = Date.now()
    replay.mutate({ from: new Date(now - DAYS * DAY_MS).toISOString(), to: new Date(now).toISOString() })
  }
  return (
    <div className={styles.actions}>
      <Button disabled={replay.isPending} onClick={send}>
        Send failed messages of the last {DAYS} days again
      </Button>
      {replay.data !== undefined && <p role="status">{plural(replay.data.queued, 'message')} queued.</p>}
      <FormError error={replay.error} />
    </div>
  )
}
