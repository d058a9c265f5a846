import { Link } from 'wouter'
import type { Tone } from '../../../../vocabulary/labels.ts'
import { type Delivery, useAcknowledge, useResend } from '../../api/use-alerts.ts'
import { Account } from '../../components/account.tsx'
import { Button } from '../../components/button.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { EventSentence } from '../../components/event-sentence.tsx'
import { FormError } from '../../components/form-error.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural } from '../../text/amounts.ts'
import { CHANNEL_TEXTS } from './alert-options.ts'
import { DeliveryDetails } from './delivery-attempts.tsx'
import type { Message } from './delivery-messages.ts'
import styles from './delivery-row.module.css'

/** The texts of delivery states. */
export const STATES: Readonly<Record<Delivery['status'], readonly [Tone, string]>> = {
  pending: ['grey', 'Pending'],
  retrying: ['amber', 'Retrying'],
  sent: ['green', 'Sent'],
  failed: ['red', 'Failed'],
  canceled: ['grey', 'Canceled'],
}

export function DeliveryRow({ message }: { readonly message: Message }) {
  const { main: event, others, delivery } = message
  const { id, channel, status, attempts, lastError, createdAt, sentAt, confirmedAt, retractedAt, acknowledgedBy } =
    delivery
  const resend = useResend(id)
  const acknowledge = useAcknowledge(id)
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
          {others.length > 0 && <span>and {plural(others.length, 'more event')} in the transaction</span>}
          {acknowledgedBy !== null && <span>Acknowledged by {acknowledgedBy}</span>}
          {confirmedAt === null && retractedAt === null && <TonePill tone="grey">Unconfirmed block</TonePill>}
          {retractedAt !== null && <TonePill tone="amber">Retracted after a reorg</TonePill>}
        </span>
        {lastError !== null && status !== 'sent' && <span className={styles.where}>{lastError}</span>}
        <FormError error={resend.error ?? acknowledge.error} />
      </div>
      <div className={styles.side}>
        <TonePill tone={tone}>{text}</TonePill>
        <span className={styles.where}>
          {CHANNEL_TEXTS[channel]}
          <Link href={`/transactions/${event.chainSlug}/${event.txHash}`}>
            <RelativeTime at={sentAt ?? createdAt} />
          </Link>
        </span>
      </div>
      <DeliveryActions delivery={delivery} acknowledge={acknowledge} resend={resend} />
      <DeliveryDetails id={id} attempts={attempts} />
    </li>
  )
}

type Action = { readonly isPending: boolean; readonly mutate: (input: undefined) => void }

type DeliveryActionsProps = {
  readonly delivery: Pick<Delivery, 'id' | 'acknowledgedBy' | 'retractedAt'>
  readonly acknowledge: Action
  readonly resend: Action
}

/** What an account can do with a message that was delivered. */
export function DeliveryActions({ delivery, acknowledge, resend }: DeliveryActionsProps) {
  const { id, acknowledgedBy, retractedAt } = delivery
  return (
    <div className={styles.actions}>
      {acknowledgedBy === null && retractedAt === null && (
        <Button
          disabled={acknowledge.isPending}
          onClick={() => acknowledge.mutate(undefined)}
          aria-label={`Acknowledge: message ${id}`}
        >
          Acknowledge
        </Button>
      )}
      <Button
        disabled={resend.isPending || retractedAt !== null}
        onClick={() => resend.mutate(undefined)}
        aria-label={`Send again: message ${id}`}
      >
        Send again
      </Button>
    </div>
  )
}
