import { type Delivery, useReplay } from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { EventSentence } from '../../components/event-sentence.tsx'
import { FormFault } from '../../components/form-fault.tsx'
import { Hash } from '../../components/hash.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { type Tone, TonePill } from '../../components/tone-pill.tsx'
import styles from './delivery-row.module.css'
import { CHANNEL_TEXTS } from './wishes.ts'

const STATES: Readonly<Record<Delivery['status'], readonly [Tone, string]>> = {
  pending: ['grey', 'Waiting'],
  retrying: ['amber', 'Being retried'],
  sent: ['green', 'Sent'],
  failed: ['red', 'Failed'],
  cancelled: ['grey', 'Cancelled'],
}

export function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { id, event, channel, status, attempts, lastError, createdAt, sentAt, retractedAt } = delivery
  const replay = useReplay(id)
  const [tone, text] = STATES[status]
  return (
    <li className={styles.row} data-delivery={id}>
      <div className={styles.what}>
        <EventSentence event={event} />
        <span className={styles.where}>
          {event.chainSlug}{' '}
          <Hash text={event.address} what="address" href={`/contracts/${event.chainSlug}/${event.address}`} />
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
        disabled={replay.isPending}
        onClick={() => replay.mutate(undefined)}
        aria-label={`Send again: message ${id}`}
      >
        Send again
      </Button>
    </li>
  )
}
