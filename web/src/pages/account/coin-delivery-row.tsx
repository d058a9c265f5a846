import { Link } from 'wouter'
import { coinEventTitle } from '../../../../vocabulary/coin-events.ts'
import { type CoinDelivery, useAcknowledgeCoins, useResendCoins } from '../../api/use-coin-alerts.ts'
import { FormError } from '../../components/form-error.tsx'
import { Hash } from '../../components/hash.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { COIN_TEXTS, capitalized } from '../../text/names.ts'
import { CHANNEL_TEXTS } from './alert-options.ts'
import { DeliveryDetails } from './delivery-attempts.tsx'
import styles from './delivery-row.module.css'
import { DeliveryActions, STATES } from './delivery-row.tsx'

/** A message about an event of a coin subscription to one channel, and whether it arrived. */
export function CoinDeliveryRow({ delivery }: { readonly delivery: CoinDelivery }) {
  const { id, event, channel, status, attempts, lastError, createdAt, sentAt, retractedAt, acknowledgedBy } = delivery
  const resend = useResendCoins(id)
  const acknowledge = useAcknowledgeCoins(id)
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
          <Target event={event} />
          <span>{COIN_TEXTS[event.chain].name}</span>
          {acknowledgedBy !== null && <span>Acknowledged by {acknowledgedBy}</span>}
          {retractedAt !== null && <TonePill tone="amber">Retracted</TonePill>}
        </span>
        {lastError !== null && status !== 'sent' && <span className={styles.where}>{lastError}</span>}
        <FormError error={resend.error ?? acknowledge.error} />
      </div>
      <div className={styles.side}>
        <TonePill tone={tone}>{text}</TonePill>
        <span className={styles.where}>
          {CHANNEL_TEXTS[channel]}
          <RelativeTime at={sentAt ?? createdAt} />
        </span>
      </div>
      <DeliveryActions delivery={delivery} acknowledge={acknowledge} resend={resend} />
      <DeliveryDetails id={id} attempts={attempts} />
    </li>
  )
}

function Target({ event: { chain, targetKind, target } }: Pick<CoinDelivery, 'event'>) {
  if (targetKind === 'wallet') return <span>Wallet</span>
  const path = targetKind === 'address' ? 'address' : 'tx'
  return (
    <span>
      {capitalized(targetKind)}{' '}
      <Hash text={target} what={targetKind} href={`/coins/${chain}/${path}/${target}`} copy={false} />
    </span>
  )
}
