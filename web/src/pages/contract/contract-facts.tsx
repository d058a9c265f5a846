import type { Schemas } from 'gatewatch-client'
import type { ReactNode } from 'react'
import { contractKindText } from '../../../../vocabulary/contract-kinds.ts'
import { Account } from '../../components/account.tsx'
import { Card } from '../../components/card.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { changesOf, entriesOf, type Fields, fieldText, isList } from '../../text/state-fields.ts'
import styles from './contract-facts.module.css'

/** By the `verified` flag. Without one the source has not been checked, and no text is shown. */
const SOURCE_TEXTS: Readonly<Record<string, string>> = { true: 'Verified', false: 'Not verified' }

type ContractFactsProps = {
  readonly view: Schemas['ContractView']
  /** The last polled state. Undefined before the first poll. */
  readonly state: Schemas['Control']['states'][number] | undefined
  /** An event may have changed the state, and the poll that reads it is still to come. */
  readonly isUpdating: boolean
}

/** The kind of the contract and the state of its last poll. */
export function ContractFacts({ view: { chain, contract }, state, isUpdating }: ContractFactsProps) {
  const account = (text: string | null | undefined) =>
    text === null || text === undefined ? undefined : <Account chain={chain.slug} text={text} />
  const fields = state?.fields ?? {}
  // A registered value counts only while the chain was not read.
  const current = (field: 'implementation' | 'admin' | 'owner') =>
    account(field in fields ? fields[field] : contract?.[field])
  return (
    <Card title="State" aside={isUpdating && <Updating />}>
      <Facts
        facts={[
          ['Kind', contract === null ? undefined : contractKindText(contract.kind)],
          ['Implementation', current('implementation')],
          ['Proxy admin', current('admin')],
          ['Owner', current('owner')],
          ['Beacon', account(fields.beacon)],
          ['Threshold', fields.safeThreshold],
          ['Delay', fields.minDelay == null ? undefined : fieldText('minDelay', fields.minDelay)],
          ['Source code', contract === null ? undefined : SOURCE_TEXTS[String(contract.verified)]],
          ['Implementation source', SOURCE_TEXTS[String(contract?.metadata.implementationVerified)]],
          ['Added', contract === null ? undefined : <RelativeTime at={contract.firstSeenAt} />],
          ['Last checked', state === undefined ? 'Never' : <RelativeTime at={state.polledAt} />],
        ]}
      />
    </Card>
  )
}

/** Between an event and the poll that confirms what it changed. */
export const Updating = () => (
  <span role="status" title="An event may have changed the state. The contract is being read again.">
    Updating…
  </span>
)

/** All fields of a state that are set. */
export function StateFields({ fields, chain }: { readonly fields: Fields; readonly chain: string }) {
  const set = changesOf(fields, undefined)
  if (set.length === 0) return <p>Nothing was set.</p>
  return (
    <Facts
      facts={set.map(({ field, name, after }) => [
        name,
        isList(field)
          ? entriesOf(after).map((entry) => (
              <div key={entry}>
                <Account chain={chain} text={entry} />
              </div>
            ))
          : [<Account key={field} chain={chain} text={fieldText(field, after)} />],
      ])}
    />
  )
}

type Fact = readonly [name: string, value: ReactNode]

const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className={styles.facts}>
    {facts
      .filter(([, value]) => value !== null && value !== undefined)
      .flatMap(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
  </dl>
)
