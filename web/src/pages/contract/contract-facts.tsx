import type { Schemas } from 'gatewatch-client'
import type { ReactNode } from 'react'
import { contractKindText } from '../../../../vocabulary/contract-kinds.ts'
import { duration } from '../../../../vocabulary/time.ts'
import { Account } from '../../components/account.tsx'
import { Card } from '../../components/card.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import styles from './contract-facts.module.css'

/** By the `verified` flag. Without one the source has not been checked, and no text is shown. */
const SOURCE_TEXTS: Readonly<Record<string, string>> = { true: 'Verified', false: 'Not verified' }

/** The kind of the contract and the state of its last poll. */
export function ContractFacts({ view }: { readonly view: Schemas['ContractView'] }) {
  const { chain, contract, latestSnapshot: state } = view
  const account = (text: string | null | undefined) =>
    text === null || text === undefined ? undefined : <Account chain={chain.slug} text={text} />
  const facts: readonly (readonly [name: string, value: ReactNode])[] = [
    ['Kind', contract === null ? undefined : contractKindText(contract.kind)],
    ['Implementation', account(state?.implementation ?? contract?.implementation)],
    ['Proxy admin', account(state?.admin ?? contract?.admin)],
    ['Owner', account(state?.owner ?? contract?.owner)],
    ['Beacon', account(state?.beacon)],
    ['Threshold', state?.extra.safeThreshold],
    ['Delay', state?.extra.minDelay == null ? undefined : duration(state.extra.minDelay)],
    ['Source code', contract === null ? undefined : SOURCE_TEXTS[String(contract.verified)]],
    ['Implementation source', SOURCE_TEXTS[String(contract?.metadata.implementationVerified)]],
    ['Added', contract === null ? undefined : <RelativeTime at={contract.firstSeenAt} />],
    ['Last checked', state === null ? 'Never' : <RelativeTime at={state.takenAt} />],
  ]
  return (
    <Card title="State">
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value !== null && value !== undefined)
          .flatMap(([name, value]) => [<dt key={`${name} name`}>{name}</dt>, <dd key={name}>{value}</dd>])}
      </dl>
    </Card>
  )
}
