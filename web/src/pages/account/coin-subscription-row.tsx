import { type CoinSubscription, useUnsubscribeCoins } from '../../api/use-coin-alerts.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Hash } from '../../components/hash.tsx'
import { plural } from '../../text/amounts.ts'
import { COIN_TEXTS } from '../../text/names.ts'
import { COIN_EVENT_TEXTS, type KeptWallet } from './coin-alert-options.ts'
import styles from './subscription-row.module.css'

/** One coin subscription. */
export function CoinSubscriptionRow({
  subscription,
  wallets,
}: {
  readonly subscription: CoinSubscription
  readonly wallets: readonly KeptWallet[]
}) {
  const { id, chain, targetKind, target, events, confirmations } = subscription
  const unsubscribe = useUnsubscribeCoins(id)
  const reported = events.map((kind) =>
    kind === 'confirmed' && confirmations > 1
      ? `${COIN_EVENT_TEXTS[kind]} (${plural(confirmations, 'block')})`
      : COIN_EVENT_TEXTS[kind],
  )
  const name = wallets.find(({ walletId }) => walletId === target)?.name
  return (
    <li className={styles.row} data-coin-subscription={id}>
      <div className={styles.head}>
        <span>
          {targetKind === 'wallet' ? (
            <strong>{name === undefined || name === '' ? 'Wallet' : name}</strong>
          ) : (
            <Hash
              text={target}
              what={targetKind}
              href={`/coins/${chain}/${targetKind === 'address' ? 'address' : 'tx'}/${target}`}
            />
          )}{' '}
          <span className={styles.faint}>
            {targetKind}, {COIN_TEXTS[chain].name}
          </span>
        </span>
        <span className={styles.faint}>{reported.join(', ')}</span>
        <div className={styles.actions}>
          <ConfirmButton
            text="Delete"
            label={`Delete coin alert for ${target}`}
            consequence="Pending messages are canceled"
            isPending={unsubscribe.isPending}
            onConfirm={() => unsubscribe.mutate(undefined)}
          />
        </div>
      </div>
      <FormError error={unsubscribe.error} />
    </li>
  )
}
