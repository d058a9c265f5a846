/** A contract as recorded at a moment in the past, and what the last change until then altered. */
import type { Schemas } from 'gatewatch-client'
import { Link } from 'wouter'
import { exactTime } from '../../../../vocabulary/time.ts'
import { usePast } from '../../api/use-contract.ts'
import { TextWithAccounts } from '../../components/account.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { Notice } from '../../components/notice.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { PageSkeleton } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { wholeNumber } from '../../text/amounts.ts'
import { momentsOf } from '../../text/moments.ts'
import { StateFields } from './contract-facts.tsx'
import { ContractHeader } from './contract-header.tsx'
import { ChangeLinks, Histories, LabelChange, StateChange, transactionOf } from './contract-histories.tsx'
import styles from './contract-page.module.css'
import { accountsOf, Controllers } from './controllers.tsx'
import { MultisigCard } from './multisig-card.tsx'
import { TimeSlider } from './time-slider.tsx'

type View = Schemas['ContractView']
type Control = Schemas['Control']
type Past = Schemas['PastControl']

type PastContractProps = {
  readonly view: View
  readonly control: Control
  /** A block number or a time. */
  readonly at: string
  readonly path: string
}

export function PastContract({ view, control, at, path }: PastContractProps) {
  const chain = view.chain.slug
  const past = usePast({ chain, address: view.address }, at)
  const slider = (
    <div className={styles.section}>
      <TimeSlider moments={momentsOf(control)} at={at} path={path} />
    </div>
  )
  return (
    <QueryView
      query={past}
      loading={<PageSkeleton />}
      errorView={({ code }) => {
        const text = NOT_SHOWN[code]
        return text === undefined ? undefined : (
          <>
            <ContractHeader view={view} shown={null} />
            {code === 'not_recorded' && slider}
            <StateMessage
              title={text}
              icon="timelock"
              action={
                <Link href={path} className={buttonClass()}>
                  Show the present
                </Link>
              }
            >
              The address of this page names {/^\d+$/.test(at) ? `block ${wholeNumber(Number(at))}` : at}.
            </StateMessage>
          </>
        )
      }}
    >
      {({ past: found, before }) => (
        <>
          <ContractHeader view={view} shown={shownOf(found)} note={<span>in the past</span>} />
          <PastNotice past={found} path={path} />
          {slider}
          <WhatChanged past={found} before={before} chain={chain} />
          <PastControl past={found} view={view} />
          <Columns
            main={
              <Card title="State at that time">
                {found.state === null ? (
                  <StateMessage title="The state was not recorded then" />
                ) : (
                  <StateFields fields={found.state.fields} chain={chain} />
                )}
              </Card>
            }
            side={<Histories control={control} chain={chain} path={path} />}
          />
        </>
      )}
    </QueryView>
  )
}

/** Why nothing is shown, by the code of the error. */
const NOT_SHOWN: Readonly<Record<string, string>> = {
  not_recorded: 'Nothing was recorded at that time',
  invalid_request: 'This is not a block number or a time',
}

/** The label of the recorded profile, or else of the label history. */
function shownOf({ control, label }: Past): Pick<View, 'controlProfile' | 'powers'> | null {
  if (control !== null) return { controlProfile: control.profile, powers: control.powers }
  if (label === null) return null
  return { controlProfile: { label: label.to, text: label.toText, tone: label.toTone, reasons: [] }, powers: null }
}

function PastNotice({ past: { from, until }, path }: { readonly past: Past; readonly path: string }) {
  return (
    <div className={styles.section}>
      <Notice>
        <strong>This is the past.</strong> Label, state and control as recorded at block {wholeNumber(from.blockNumber)}
        , {exactTime(Date.parse(from.at))}.{' '}
        {until === null ? (
          'Nothing has changed since.'
        ) : (
          <>
            They held until block {wholeNumber(until.blockNumber)}, {exactTime(Date.parse(until.at))}.
          </>
        )}{' '}
        <Link href={path}>Show the present</Link>
      </Notice>
    </div>
  )
}

type PartProps = { readonly past: Past; readonly view: View }

function PastControl({ past: { control, state }, view: { chain, address } }: PartProps) {
  return (
    <>
      {control?.tree.multisig != null && (
        <div className={styles.section}>
          <MultisigCard
            node={control.tree}
            multisig={control.tree.multisig}
            fields={state?.fields ?? {}}
            chain={chain.slug}
            isPast
          />
        </div>
      )}
      <div className={styles.section}>
        <Card title="Who controlled this contract" flush>
          {control === null ? (
            <StateMessage title="The control graph was not recorded then" />
          ) : (
            <Controllers of={control} chain={chain.slug} address={address} />
          )}
        </Card>
      </div>
    </>
  )
}

type WhatChangedProps = { readonly past: Past; readonly before: Past | null; readonly chain: string }

/** The change that led to this state: before and after. */
function WhatChanged({ past: { from, label, state, control }, before, chain }: WhatChangedProps) {
  const title = `Changed at block ${wholeNumber(from.blockNumber)}`
  const isLabelChange = label?.blockNumber === from.blockNumber
  const txHash = isLabelChange ? transactionOf(label.cause) : undefined
  return (
    <div className={styles.section}>
      <Card
        title={title}
        aside={
          <span className={styles.links}>
            <ChangeLinks chain={chain} blockNumber={from.blockNumber} txHash={txHash} />
          </span>
        }
      >
        {before === null ? (
          <p>This is the first record.</p>
        ) : (
          <div className={styles.changes}>
            {isLabelChange && <LabelChange change={label} />}
            {state?.blockNumber === from.blockNumber && (
              <StateChange fields={state.fields} before={before.state?.fields} chain={chain} />
            )}
            <AccountChanges after={accountsOf(control)} before={accountsOf(before.control)} chain={chain} />
          </div>
        )}
      </Card>
    </div>
  )
}

type AccountChangesProps = {
  readonly after: readonly string[]
  readonly before: readonly string[]
  readonly chain: string
}

/** The accounts that joined and left the control graph. Nothing is known where a graph was not recorded. */
function AccountChanges({ after, before, chain }: AccountChangesProps) {
  const changes = [
    ...after.filter((account) => !before.includes(account)).map((account) => ['+', 'now', account] as const),
    ...before.filter((account) => !after.includes(account)).map((account) => ['−', 'no longer', account] as const),
  ]
  if (changes.length === 0) return null
  return (
    <ul>
      {changes.map(([sign, meaning, account]) => (
        <li key={`${sign} ${account}`}>
          <span role="img" aria-label={meaning}>
            {sign}
          </span>{' '}
          <TextWithAccounts text={account} chain={chain} />
        </li>
      ))}
    </ul>
  )
}
