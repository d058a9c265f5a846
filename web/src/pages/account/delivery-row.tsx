import type { Tone } from '../../../../vocabulary/labels.ts'
import { type Delivery, useReplay } from '../../api/use-alerts.ts'
import { Account } from '../../components/account.tsx'
import { Button } from '../../components/button.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { EventSentence } from '../../components/event-sentence.tsx'
import { FormFault } from '../../components/form-fault.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural } from '../../text/numbers.ts'
import styles from './delivery-row.module.css'
import type { Message } from './messages.ts'
import { CHANNEL_TEXTS } from './wishes.ts'

const STATES: Readonly<Record<Delivery['status'], readonly [Tone, string]>> = {
  pending: ['grey', 'Waiting'],
  retrying: ['amber', 'Being retried'],
  sent: ['green', 'Sent'],
  failed: ['red', 'Failed'],
  cancelled: ['grey', 'Cancelled'],
}

export function DeliveryRow({ message }: { readonly message: Message }) {
  const { main: event, others, delivery } = message
  const { id, channel, status, attempts, lastError, createdAt, sentAt, retractedAt } = delivery
  const replay = useReplay(id)
  const [tone, text] = STATES[status]
  return (
    <li className={styles.row} data-delivery={id}>
      <div className={styles.what}>
        <EventSentence event={event} />
        <span className={styles.where}>
          <Account chain={event.chainSlug} text={event.address} copy={false} />
          <span>
            <ChainName slug={event.chainSlug} />
          </span>
          {others.length > 0 && <span>and {plural(others.length, 'more event')} of the transaction</span>}
          {retractedAt !== null && <TonePill tone="amber">Taken back by the chain</TonePill>}
        </span>
        {lastError !== null && status !== 'sent' && <span className={styles.where}>{lastError}</span>}
        <FormFault error={replay.error} />
      </div>
      <div className={styles.side}>
        <TonePill tone={tone}>{text}</TonePill>
        <span className={styles.where}>
          {CHANNEL_TEXTS[channel]} · <RelativeTime at={sentAt ?? createdAt} />
          {attempts > 1 && ` · ${attempts} tries`}
        </span>
      </div>
      <Button
        disabled={replay.isPending || retractedAt !== null}
        onClick={() => replay.mutate(undefined)}
        aria-label={`Send again: message ${id}`}
      >
        Send again
      </Button>
    </li>
  )
}
