/** The history of a contract's label, code and state. */
import type { Schemas } from 'gatewatch-client'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Account, TextWithAccounts } from '../../components/account.tsx'
import { Card } from '../../components/card.tsx'
import { ExplorerLink } from '../../components/explorer-link.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { LabelPill } from '../../components/tone-pill.tsx'
import { wholeNumber } from '../../text/amounts.ts'
import { shortHex } from '../../text/names.ts'
import { type FieldChange as Change, changesOf, fieldName, fieldText, listChange } from '../../text/state-fields.ts'
import styles from './contract-histories.module.css'

type Control = Schemas['Control']

type HistoryProps = { readonly chain: string /** The page of the contract. */; readonly path: string }

/** The histories of a contract, newest first. Each entry leads to the page as of that block. */
export function Histories({ control, ...props }: HistoryProps & { readonly control: Control }) {
  const { labels, upgrades, states } = control
  return (
    <>
      <LabelHistory labels={labels} {...props} />
      {upgrades.length > 0 && <UpgradeHistory upgrades={upgrades} {...props} />}
      {states.length > 0 && <StateHistory states={states} {...props} />}
    </>
  )
}

function LabelHistory({ labels, chain, path }: Pick<Control, 'labels'> & HistoryProps) {
  return (
    <Card title="Label history">
      {labels.length === 0 ? (
        <StateMessage title="No label yet" />
      ) : (
        <Timeline
          path={path}
          chain={chain}
          entries={labels.map((change) => ({
            at: change.at,
            blockNumber: change.blockNumber,
            txHash: transactionOf(change.cause),
            what: <LabelChange change={change} />,
          }))}
        />
      )}
    </Card>
  )
}

type Changed = Control['labels'][number]

/** A label before and after a change, with the cause. */
export function LabelChange({ change }: { readonly change: Changed }) {
  const { from, fromText, fromTone, to, toText, toTone, cause } = change
  return (
    <div className={styles.change}>
      {from !== null && fromText !== null && (
        <LabelPill label={from} text={fromText} {...(fromTone === null ? {} : { tone: fromTone })} />
      )}
      {from !== null && <span aria-label="became">→</span>}
      <LabelPill label={to} text={toText} tone={toTone} />
      <span className={styles.cause}>{from === null ? 'first label' : causeText(cause)}</span>
    </div>
  )
}

/** The transaction of the event that caused a change. A change that a poll found (`slot.*`) has none. */
export const transactionOf = (cause: Changed['cause']): string | undefined =>
  cause.flatMap(({ txHash, eventKey }) =>
    typeof txHash === 'string' && typeof eventKey === 'string' && !eventKey.startsWith('slot.') ? txHash : [],
  )[0]

function causeText(cause: Control['labels'][number]['cause']): string {
  const fields = cause.flatMap(({ field }) => (typeof field === 'string' ? fieldName(field).toLowerCase() : []))
  return fields.length === 0 ? 'caused by a change of a controller' : `caused by: ${[...new Set(fields)].join(', ')}`
}

/** What each upgrade changed for callers, newest first. */
function UpgradeHistory({ upgrades, chain, path }: Pick<Control, 'upgrades'> & HistoryProps) {
  return (
    <Card title="Upgrades">
      <Timeline
        path={path}
        chain={chain}
        entries={upgrades.map((upgrade) => ({
          at: upgrade.at,
          blockNumber: upgrade.blockNumber,
          what: <Upgrade upgrade={upgrade} chain={chain} />,
        }))}
      />
    </Card>
  )
}

type UpgradeReport = Control['upgrades'][number]

function Upgrade({ upgrade, chain }: { readonly upgrade: UpgradeReport; readonly chain: string }) {
  const { summary, functionsAdded, functionsRemoved, guardsChanged, isComplete } = upgrade
  if (summary.length === 0) return <div>The same functions, guards and powers as before</div>
  const functions = [
    ...functionsAdded.map((each) => ({ ...each, sign: '+', text: each.access })),
    ...functionsRemoved.map((each) => ({ ...each, sign: '−', text: each.access })),
    ...guardsChanged.map((each) => ({ ...each, sign: '~', text: `${each.previousAccess} → ${each.access}` })),
  ]
  return (
    <>
      <ul>
        {summary.map((line) => (
          <li key={line}>
            <TextWithAccounts text={line} chain={chain} />
          </li>
        ))}
      </ul>
      {functions.length > 0 && (
        <details>
          <summary>Functions and who may call them{isComplete ? '' : ', not all'}</summary>
          <ul className={styles.functions}>
            {functions.map(({ sign, selector, signature, text }) => (
              <li key={`${sign} ${selector}`}>
                {sign} <code>{signature ?? selector}</code>{' '}
                <span className={styles.cause}>
                  <TextWithAccounts text={text} chain={chain} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function StateHistory({ states, chain, path }: Pick<Control, 'states'> & HistoryProps) {
  return (
    <Card title="State history">
      <Timeline
        path={path}
        chain={chain}
        entries={states.map(({ takenAt, blockNumber, fields }, index) => ({
          at: takenAt,
          blockNumber,
          what: <StateChange fields={fields} before={states[index + 1]?.fields} chain={chain} />,
        }))}
      />
    </Card>
  )
}

type Fields = Control['states'][number]['fields']

type StateChangeProps = {
  readonly fields: Fields
  /** Undefined for the first state. */
  readonly before: Fields | undefined
  readonly chain: string
}

/** The fields that changed, before and after. */
export function StateChange({ fields, before, chain }: StateChangeProps) {
  const changes = changesOf(fields, before)
  if (changes.length === 0) return <div>{before === undefined ? 'First check: nothing is set' : 'No change'}</div>
  return (
    <ul>
      {changes.map((change) => (
        <li key={change.field}>
          <span className={styles.field}>{change.name}</span> <FieldChange change={change} chain={chain} />
        </li>
      ))}
    </ul>
  )
}

function FieldChange({ change, chain }: { readonly change: Change; readonly chain: string }) {
  const { field, before, after } = change
  const list = listChange(change)
  if (list !== undefined)
    return (
      <>
        {[...list.added.map((account) => ['+', account]), ...list.removed.map((account) => ['−', account])].map(
          ([sign, account]) => (
            <div key={account}>
              <span aria-label={sign === '+' ? 'added' : 'removed'}>{sign}</span>{' '}
              <Account chain={chain} text={account ?? ''} />
            </div>
          ),
        )}
      </>
    )
  return (
    <>
      {before !== undefined && (
        <>
          <Account chain={chain} text={fieldText(field, before)} /> →{' '}
        </>
      )}
      <Account chain={chain} text={fieldText(field, after)} />
    </>
  )
}

/** The transaction of a change, if it is known, and the explorer of the chain. */
export function ChangeLinks({
  chain,
  blockNumber,
  txHash,
}: {
  readonly chain: string
  readonly blockNumber: number
  readonly txHash: string | undefined
}) {
  return (
    <>
      {txHash !== undefined && (
        <Link href={`/transactions/${chain}/${txHash}`} title={txHash}>
          transaction {shortHex(txHash)}
        </Link>
      )}
      <ExplorerLink chain={chain} to={txHash === undefined ? { block: blockNumber } : { tx: txHash }} />
    </>
  )
}

type TimelineEntry = {
  readonly at: string
  readonly blockNumber: number
  /** The transaction that caused it, if it is known. */
  readonly txHash?: string | undefined
  readonly what: ReactNode
}

/** Dated entries, newest first, each with its time, block, transaction and the explorer of the chain. */
function Timeline({ entries, path, chain }: HistoryProps & { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol className={styles.timeline}>
      {entries.map(({ at, blockNumber, txHash, what }) => (
        <li key={`${at} ${blockNumber}`} className={styles.entry}>
          {what}
          <div className={styles.when}>
            <RelativeTime at={at} />
            <Link href={`${path}?at=${blockNumber}`} title="Show this contract as of this block">
              block {wholeNumber(blockNumber)}
            </Link>
            <ChangeLinks chain={chain} blockNumber={blockNumber} txHash={txHash} />
          </div>
        </li>
      ))}
    </ol>
  )
}
