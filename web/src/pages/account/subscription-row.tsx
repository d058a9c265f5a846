import { Link } from 'wouter'
import type { Severity } from '../../../../vocabulary/severities.ts'
import { type Subscription, useChangeSubscription, useChannels, useUnsubscribe } from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { SelectField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Hash } from '../../components/hash.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural } from '../../text/amounts.ts'
import {
  activeChannels,
  alertAtOf,
  CHANNEL_KINDS,
  CHANNEL_TEXTS,
  DEFAULT_TIME,
  offeredChannels,
  SEVERITY_CHOICES,
  TIME_CHOICES,
} from './alert-options.ts'
import styles from './subscription-row.module.css'
import { SubscriptionRules } from './subscription-rules.tsx'

/** One subscription with its options. */
export function SubscriptionRow({ subscription }: { readonly subscription: Subscription }) {
  const { id, channels, minSeverity, includeControllers, alertAt, pausedAt } = subscription
  const change = useChangeSubscription(id)
  const unsubscribe = useUnsubscribe(id)
  const name = nameOf(subscription)
  const accountChannels = useChannels().data
  const active = accountChannels === undefined ? undefined : activeChannels(accountChannels)
  const isSilent = active !== undefined && !CHANNEL_KINDS.some((kind) => channels[kind] && active.has(kind))
  return (
    <li className={styles.row} data-subscription={id}>
      <div className={styles.head}>
        <Subject subscription={subscription} />
        {pausedAt !== null && <TonePill tone="amber">Paused</TonePill>}
        {isSilent && <TonePill tone="amber">No channel: no alerts are sent</TonePill>}
      </div>
      <div className={styles.options}>
        <SelectField
          label="Severity"
          value={minSeverity}
          choices={SEVERITY_CHOICES}
          onChoose={(severity) => change.mutate({ minSeverity: severity as Severity })}
        />
        <SelectField
          label="Send alerts"
          value={alertAt ?? DEFAULT_TIME}
          choices={TIME_CHOICES}
          onChoose={(time) => change.mutate({ alertAt: alertAtOf(time) })}
        />
        <fieldset className={styles.channels}>
          <legend>Channels</legend>
          {(accountChannels === undefined ? [] : offeredChannels(accountChannels)).map((kind) =>
            active?.has(kind) === false ? (
              <Link key={kind} href="/account/channels">
                Set up {CHANNEL_TEXTS[kind]}
              </Link>
            ) : (
              <label key={kind}>
                <input
                  type="checkbox"
                  checked={channels[kind]}
                  onChange={(event) => change.mutate({ channels: { [kind]: event.target.checked } })}
                />
                {CHANNEL_TEXTS[kind]}
              </label>
            ),
          )}
        </fieldset>
        <fieldset className={styles.channels}>
          <legend>Scope</legend>
          <label title="Also report events of the contracts that control it">
            <input
              type="checkbox"
              checked={includeControllers}
              onChange={(event) => change.mutate({ includeControllers: event.target.checked })}
            />
            Include controllers
          </label>
        </fieldset>
        <SubscriptionRules subscription={subscription} onChange={(part) => change.mutate(part)} />
        <div className={styles.actions}>
          <Button
            disabled={change.isPending}
            aria-label={`${pausedAt === null ? 'Pause' : 'Resume'} ${name}`}
            onClick={() => change.mutate({ paused: pausedAt === null })}
          >
            {pausedAt === null ? 'Pause' : 'Resume'}
          </Button>
          <ConfirmButton
            text="Delete"
            label={`Delete alert for ${name}`}
            consequence="Pending messages are canceled"
            isPending={unsubscribe.isPending}
            onConfirm={() => unsubscribe.mutate(undefined)}
          />
        </div>
      </div>
      <FormError error={change.error ?? unsubscribe.error} />
    </li>
  )
}

const nameOf = ({ protocol, contract, address }: Subscription): string =>
  protocol?.label ?? contract?.name ?? address ?? ''

function Subject({ subscription }: { readonly subscription: Subscription }) {
  const { protocol, contract, address, chainSlug } = subscription
  if (protocol !== null)
    return (
      <span>
        <Link href={`/protocols/${protocol.slug}`}>{protocol.label}</Link>{' '}
        <span className={styles.faint}>protocol, {plural(protocol.contracts, 'contract')}</span>
      </span>
    )
  return (
    <span>
      {contract?.name !== null && contract !== null && <strong>{contract.name} </strong>}
      <Hash text={address ?? ''} what="address" href={`/contracts/${chainSlug}/${address}`} />{' '}
      <span className={styles.faint}>{chainSlug !== null && <ChainName slug={chainSlug} />}</span>
    </span>
  )
}
