import type { Schemas } from 'gatewatch-client'
import { duration } from '../../../../vocabulary/time.ts'
import { Account } from '../../components/account.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'

/** Absent where nobody was asked. */
const SOURCES: Readonly<Record<string, string>> = { true: 'verified', false: 'not verified' }

/** What the contract is, and the state it was last seen in. */
export function ContractFacts({ view }: { readonly view: Schemas['ContractView'] }) {
  const { chain, contract, latestSnapshot: state } = view
  const account = (text: string | null | undefined) =>
    text === null || text === undefined ? undefined : <Account chain={chain.slug} text={text} />
  return (
    <Card title="State">
      <Facts
        facts={[
          ['Kind', contract?.kind.replaceAll('_', ' ')],
          ['Implementation', account(state?.implementation ?? contract?.implementation)],
          ['Proxy admin', account(state?.admin ?? contract?.admin)],
          ['Owner', account(state?.owner ?? contract?.owner)],
          ['Beacon', account(state?.beacon)],
          ['Threshold', state?.extra.safeThreshold],
          ['Delay', state?.extra.minDelay == null ? undefined : duration(state.extra.minDelay)],
          ['Source', contract === null ? undefined : SOURCES[String(contract.verified)]],
          ['Source of the implementation', SOURCES[String(contract?.metadata.implementationVerified)]],
          ['First seen', contract === null ? undefined : <RelativeTime at={contract.firstSeenAt} />],
          ['Last looked at', state === null ? 'never' : <RelativeTime at={state.takenAt} />],
        ]}
      />
    </Card>
  )
}
