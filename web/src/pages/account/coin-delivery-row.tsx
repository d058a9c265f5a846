import { Link } from 'wouter'
import { coinEventTitle } from '../../../../vocabulary/coin-events.ts'
import { type CoinDelivery, useResendCoins } from '../../api/use-coin-alerts.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { COIN_TEXTS } from '../../text/names.ts'
import { CHANNEL_TEXTS } from './alert-options.ts'
import { DeliveryDetails } from './delivery-attempts.tsx'
import styles from './delivery-row.module.css'
import { STATES } from './delivery-row.tsx'

/** A message about an event of a coin subscription to one channel, and whether it arrived. */
export function CoinDeliveryRow({ delivery }: { readonly delivery: CoinDelivery }) {
  const { id, event, channel, status, attempts, lastError, createdAt, sentAt, retractedAt, acknowledgedBy } = delivery
  const resend = useResendCoins(id)
  const [tone, text] = STATES[status]
  return (
    <li className={styles.row} data-delivery={id}>
      <div className={styles.what}>
        {event.txid === null ? (
          <span>{coinEventTitle(event)}</span>
        ) : (
          <Link href={`/coins/${event.chain}/tx/${event.txid}`}>{coinEventTitle(event)}</Link>
        )}
        <span className={styles.where}>
          <span>
            {event.targetKind} {event.target}
          </span>
          <span>{COIN_TEXTS[event.chain].name}</span>
          {acknowledgedBy !== null && <span>Acknowledged by {acknowledgedBy}</span>}
          {retractedAt !== null && <TonePill tone="amber">Retracted</TonePill>}
        </span>
        {lastError !== null && status !== 'sent' && <span className={styles.where}>{lastError}</span>}
        <FormError error={resend.error} />
      </div>
      <div className={styles.side}>
        <TonePill tone={tone}>{text}</TonePill>
        <span className={styles.where}>
          {CHANNEL_TEXTS[channel]}
          <RelativeTime at={sentAt ?? createdAt} />
        </span>
      </div>
      <div className={styles.actions}>
        <Button
          disabled={resend.isPending || retractedAt !== null}
          onClick={() => resend.mutate(undefined)}
          aria-label={`Send again: message ${id}`}
        >
          Send again
        </Button>
      </div>
      <DeliveryDetails id={id} attempts={attempts} />
    </li>
  )
}
