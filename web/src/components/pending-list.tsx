import { Fragment } from 'react'
import { Link } from 'wouter'
import { LABEL_TEXTS, type Tone } from '../../../vocabulary/labels.ts'
import { mainCallOf, PENDING_FAMILIES, PENDING_STATE_TEXTS, type PendingState } from '../../../vocabulary/pending.ts'
import { EFFECT_TEXTS, type PowerEffect } from '../../../vocabulary/powers.ts'
import type { PendingChange } from '../api/use-pending.ts'
import { plural } from '../text/amounts.ts'
import { Account, TextWithAccounts } from './account.tsx'
import { ChainName } from './chain-name.tsx'
import { Countdown } from './countdown.tsx'
import { Hash } from './hash.tsx'
import { Icon } from './icon.tsx'
import row from './list-row.module.css'
import styles from './pending-list.module.css'
import { RelativeTime } from './relative-time.tsx'
import { TonePill } from './tone-pill.tsx'

const STATE_TONES: Readonly<Record<PendingState, Tone>> = {
  proposed: 'grey',
  queued: 'amber',
  ready: 'red',
  executed: 'grey',
  failed: 'grey',
  canceled: 'grey',
  replaced: 'grey',
  expired: 'grey',
  defeated: 'grey',
}

/** One row for each queued change, earliest execution first. */
export function PendingList({ changes }: { readonly changes: readonly PendingChange[] }) {
  return (
    <ol>
      {changes.map((change) => (
        <PendingRow key={change.id} change={change} />
      ))}
    </ol>
  )
}

function PendingRow({ change }: { readonly change: PendingChange }) {
  const { chainSlug, address, contract, family, severity, state, summary, calls, callCount, queuedBy } = change
  const changed = change.targets.filter(({ hasChanged }) => hasChanged)
  return (
    <li className={row.row} data-change={change.id}>
      <span className={`${row.icon} ${row[severity]}`}>
        <Icon name="timelock" />
      </span>
      <div>
        <div className={row.what}>
          {/* A payload can be on another chain than the vote about it. */}
          <TextWithAccounts text={summary} chain={mainCallOf(calls)?.chainSlug ?? chainSlug} />
        </div>
        {changed.map((target) => (
          <p key={target.address} className={styles.warning}>
            <Icon name="warning" /> The code of <Account chain={chainSlug} text={target.address} copy={false} /> changed
            since this was queued.
          </p>
        ))}
        <div className={row.where}>
          <Link href={`/contracts/${chainSlug}/${address}`} className={row.name}>
            {contract.name ?? PENDING_FAMILIES[family]}
          </Link>
          {contract.name === null && <Hash text={address} what="address" copy={false} />}
          {contract.name !== null && <span>{PENDING_FAMILIES[family]}</span>}
          <span>
            <ChainName slug={chainSlug} />
          </span>
          <Queued change={change} />
          {queuedBy !== null && (
            <span>
              by <Account chain={chainSlug} text={queuedBy} copy={false} />
            </span>
          )}
          <QueuedIn change={change} />
          <Confirmations change={change} />
        </div>
        <After change={change} />
        {(calls.length > 1 || calls.some((call) => call.calls.length > 0)) && (
          <details className={styles.calls}>
            <summary>{plural(callCount, 'call')}</summary>
            <Calls calls={calls} />
            {callCount > calls.length && <p>and {plural(callCount - calls.length, 'more call')}</p>}
          </details>
        )}
      </div>
      <div className={row.side}>
        <TonePill tone={STATE_TONES[state]}>{PENDING_STATE_TEXTS[state]}</TonePill>
        <Time change={change} />
      </div>
    </li>
  )
}

/** When it was queued, with a link to the transaction if there is one. */
function Queued({ change: { queuedAt, queuedTxHash, chainSlug } }: { readonly change: PendingChange }) {
  const text = (
    <>
      Queued <RelativeTime at={queuedAt} />
    </>
  )
  return queuedTxHash === null ? (
    <span>{text}</span>
  ) : (
    <Link href={`/transactions/${chainSlug}/${queuedTxHash}`}>{text}</Link>
  )
}

function Confirmations({ change: { confirmations } }: { readonly change: PendingChange }) {
  if (confirmations === null) return null
  return (
    <span>
      {confirmations.owners.length} of {plural(confirmations.required, 'signature')}
      {confirmations.nonce !== null && `, transaction ${confirmations.nonce} of the Safe`}
    </span>
  )
}

/** What the simulation of the change showed. */
function After({ change: { after, chainSlug } }: { readonly change: PendingChange }) {
  if (after === null) return null
  if (after.reason !== null) return <p className={styles.after}>Not simulated: {after.reason}</p>
  const changed = after.contracts.filter(
    ({ label, tone, previousLabel, previousTone, gainedPowers }) =>
      label !== previousLabel || tone !== previousTone || gainedPowers.length > 0,
  )
  const same = after.contracts.filter((contract) => !changed.includes(contract))
  return (
    <>
      {changed.map(({ address, label, tone, previousLabel, previousTone, gainedPowers }) => (
        <p key={address} className={styles.after}>
          If it were executed now, <Account chain={chainSlug} text={address} copy={false} /> would{' '}
          {label === previousLabel && tone === previousTone ? 'stay' : 'be'}{' '}
          <TonePill tone={tone}>{LABEL_TEXTS[label]}</TonePill>
          {(label !== previousLabel || tone !== previousTone) && `, now ${LABEL_TEXTS[previousLabel]}`}
          {gainedPowers.length > 0 && `. Other accounts could ${gainedPowers.map(effectText).join(', ')}.`}
        </p>
      ))}
      {same.length > 0 && (
        <p className={styles.after}>
          Simulated now, the control of{' '}
          {same.map(({ address }, at) => (
            <Fragment key={address}>
              {at > 0 && (at === same.length - 1 ? ' and ' : ', ')}
              <Account chain={chainSlug} text={address} copy={false} />
            </Fragment>
          ))}{' '}
          stays the same.
        </p>
      )}
    </>
  )
}

const effectText = (effect: string): string => EFFECT_TEXTS[effect as PowerEffect] ?? effect

/** The timelock in which a proposal waits. */
function QueuedIn({ change: { queuedIn, chainSlug } }: { readonly change: PendingChange }) {
  const [first] = queuedIn
  if (first === undefined) return null
  return (
    <span>
      in <Account chain={chainSlug} text={first.address} copy={false} />
    </span>
  )
}

/** The time that matters next: until the earliest execution, then until it expires; for a closed change when that was. */
function Time({ change }: { readonly change: PendingChange }) {
  const { state, family, earliestAt, expiresAt, closedAt } = change
  if (closedAt !== null) return <RelativeTime at={closedAt} />
  if (state === 'ready' && expiresAt !== null)
    return (
      <span>
        Expires <Countdown to={expiresAt}>now</Countdown>
      </span>
    )
  if (state === 'ready') return <span>Can be executed now</span>
  if (state === 'proposed')
    return (
      <span>
        If the vote passes
        {earliestAt !== null && (
          <>
            , <Countdown to={earliestAt}>now</Countdown>
          </>
        )}
      </span>
    )
  if (earliestAt === null) return <span>{family === 'safe' ? 'When enough owners sign' : 'Time not known'}</span>
  return (
    <span className={styles.countdown}>
      <Countdown to={earliestAt}>now</Countdown>
    </span>
  )
}

function Calls({ calls }: { readonly calls: PendingChange['calls'] }) {
  return (
    <ol>
      {calls.map((call, index) => (
        <li key={index}>
          <TextWithAccounts text={call.text} chain={call.chainSlug} />
          {call.isDelegated && ', as a delegatecall'}
          {!call.isComplete && ' (not all calls inside it are known)'}
          {call.calls.length > 0 && <Calls calls={call.calls} />}
        </li>
      ))}
    </ol>
  )
}
