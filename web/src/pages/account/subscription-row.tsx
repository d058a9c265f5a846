import { Link } from 'wouter'
import type { Severity } from '../../../../vocabulary/severities.ts'
import {
  type ChannelKind,
  type Subscription,
  useChangeSubscription,
  useChannels,
  useUnsubscribe,
} from '../../api/use-alerts.ts'
import { Button } from '../../components/button.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import { SelectField } from '../../components/field.tsx'
import { FormFault } from '../../components/form-fault.tsx'
import { Hash } from '../../components/hash.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural } from '../../text/numbers.ts'
import { waysOpen } from './reach.ts'
import styles from './subscription-row.module.css'
import { CHANNEL_TEXTS, SEVERITY_CHOICES } from './wishes.ts'

const KINDS = ['telegram', 'email', 'webhook'] as const satisfies readonly ChannelKind[]

/** One thing that is watched, and how one hears of it. */
export function SubscriptionRow({ subscription }: { readonly subscription: Subscription }) {
  const { id, channels, minSeverity, includeControllers, pausedAt } = subscription
  const change = useChangeSubscription(id)
  const end = useUnsubscribe(id)
  const name = nameOf(subscription)
  const channelsSet = useChannels().data
  const open = channelsSet === undefined ? undefined : waysOpen(channelsSet)
  return (
    <li className={styles.row} data-subscription={id}>
      <div className={styles.head}>
        <What subscription={subscription} />
        {pausedAt !== null && <TonePill tone="amber">Paused</TonePill>}
      </div>
      <div className={styles.wishes}>
        <SelectField
          label="From severity"
          value={minSeverity}
          choices={SEVERITY_CHOICES}
          onChoose={(severity) => change.mutate({ minSeverity: severity as Severity })}
        />
        <fieldset className={styles.channels}>
          <legend>By</legend>
          {KINDS.map((kind) => (
            <label key={kind}>
              <input
                type="checkbox"
                checked={channels[kind]}
                onChange={(event) => change.mutate({ channels: { [kind]: event.target.checked } })}
              />
              {CHANNEL_TEXTS[kind]}
              {open?.has(kind) === false && <span className={styles.faint}>not set up</span>}
            </label>
          ))}
        </fieldset>
        <fieldset className={styles.channels}>
          <legend>Of</legend>
          <label title="Also what happens to the contracts that control it">
            <input
              type="checkbox"
              checked={includeControllers}
              onChange={(event) => change.mutate({ includeControllers: event.target.checked })}
            />
            Its controllers too
          </label>
        </fieldset>
        <div className={styles.actions}>
          <Button
            disabled={change.isPending}
            aria-label={`${pausedAt === null ? 'Pause' : 'Resume'} ${name}`}
            onClick={() => change.mutate({ paused: pausedAt === null })}
          >
            {pausedAt === null ? 'Pause' : 'Resume'}
          </Button>
          <ConfirmButton
            text="Stop"
            label={`Stop watching ${name}`}
            sure="What waits is cancelled"
            isPending={end.isPending}
            onConfirm={() => end.mutate(undefined)}
          />
        </div>
      </div>
      <FormFault error={change.error ?? end.error} />
    </li>
  )
}

const nameOf = ({ protocol, contract, address }: Subscription): string =>
  protocol?.label ?? contract?.name ?? address ?? ''

function What({ subscription }: { readonly subscription: Subscription }) {
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
