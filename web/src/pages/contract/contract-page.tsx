/** The page of a contract: its control path, the reasons for its label, its state and its events. */
import { useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { LABEL_TONES } from '../../../../vocabulary/labels.ts'
import { decisivePower } from '../../../../vocabulary/powers.ts'
import { contractKey, useContract, useControl } from '../../api/use-contract.ts'
import { mergeLiveEvents, useLiveEvents } from '../../api/use-feed.ts'
import { useNames } from '../../api/use-names.ts'
import { TextWithAccounts } from '../../components/account.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Columns } from '../../components/columns.tsx'
import { ConnectionStatus } from '../../components/connection-status.tsx'
import { EventList } from '../../components/event-list.tsx'
import { FeedLinks } from '../../components/feed-links.tsx'
import { Hash } from '../../components/hash.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PendingList } from '../../components/pending-list.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { PageSkeleton, SkeletonBar } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { LabelPill } from '../../components/tone-pill.tsx'
import { WatchLink } from '../../components/watch-link.tsx'
import { plural } from '../../text/amounts.ts'
import { disagreementText } from '../../text/state-fields.ts'
import { AddressPowers } from './address-powers.tsx'
import { ContractFacts } from './contract-facts.tsx'
import { LabelHistory, StateHistory, UpgradeHistory } from './contract-histories.tsx'
import styles from './contract-page.module.css'
import { Controllers } from './controllers.tsx'
import { MultisigCard } from './multisig-card.tsx'
import { UnwatchedContract } from './unwatched-contract.tsx'

export function ContractPage() {
  useNames() // fetched together with the contract, because names that arrive later move the text
  const { chain, address } = useParams<{ chain: string; address: string }>()
  const ref = { chain, address: address.toLowerCase() }
  const contract = useContract(ref)
  const control = useControl(ref)
  const live = useLiveEvents({ address: ref.address, chain }, contractKey(ref))
  const client = useQueryClient()
  const [newest] = live.published
  const changes = (newest?.id ?? 0) + live.retracted.size
  // An event of this contract may have changed its label and its state.
  useEffect(() => {
    if (changes > 0) void client.invalidateQueries({ queryKey: contractKey({ chain, address: ref.address }) })
  }, [changes, client, chain, ref.address])
  return (
    <QueryView
      query={contract}
      loading={<PageSkeleton />}
      errorView={({ code }) => {
        if (code === 'contract_not_found') return <UnwatchedContract {...ref} />
        const found = NOT_FOUND[code]
        return found === undefined ? undefined : (
          <>
            <PageHeader title="Unknown contract" lead={<Hash text={address} what="address" full />} />
            <StateMessage
              title={found.title}
              icon="search"
              action={
                <Link href="/feed" className={buttonClass()}>
                  Go to feed
                </Link>
              }
            >
              {found.text}
            </StateMessage>
          </>
        )
      }}
    >
      {(view) =>
        // Shown together, because a drawing that arrives later would move everything below it.
        !control.isFetched ? (
          <PageSkeleton />
        ) : (
          <>
            <ContractHeader view={view} />
            {control.data?.tree.multisig != null && (
              <div className={styles.section}>
                <MultisigCard
                  node={control.data.tree}
                  multisig={control.data.tree.multisig}
                  fields={control.data.states[0]?.fields ?? {}}
                  chain={chain}
                />
              </div>
            )}
            <ControlCard view={view} />
            {view.pending.length > 0 && (
              <div className={styles.section}>
                <Card title="Queued changes" flush>
                  <PendingList changes={view.pending} />
                </Card>
              </div>
            )}
            <Columns
              main={
                <div>
                  <Card
                    title="Events"
                    flush
                    aside={
                      live.connection === 'lost' ? (
                        <ConnectionStatus connection={live.connection} />
                      ) : (
                        <Counts counts={view.counts} />
                      )
                    }
                  >
                    {mergeLiveEvents(view.recentEvents, live).length === 0 ? (
                      <StateMessage title="No changes since it was set up" icon="timelock" />
                    ) : (
                      <EventList events={mergeLiveEvents(view.recentEvents, live)} withContract={false} />
                    )}
                  </Card>
                  <FeedLinks path={`contracts/${chain}/${ref.address}`} />
                </div>
              }
              side={
                <>
                  <ContractFacts view={view} />
                  <AddressPowers {...ref} />
                  <Histories chain={chain} address={ref.address} />
                </>
              }
            />
          </>
        )
      }
    </QueryView>
  )
}

/** Why there is no page, by the code of the error. */
const NOT_FOUND: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  invalid_address: {
    title: 'This is not a contract address',
    text: 'A contract address has 0x and 40 hexadecimal characters.',
  },
  unknown_chain: { title: 'Unknown chain', text: 'Gatewatch does not know the chain in the address of this page.' },
}

type View = Schemas['ContractView']

function ContractHeader({ view }: { readonly view: View }) {
  const { chain, address, contract, controlProfile, powers } = view
  const decisive = decisivePower(LABEL_TONES[controlProfile.label], powers ?? [])
  return (
    <PageHeader
      title={contract?.name ?? 'Unnamed contract'}
      lead={
        <div className={styles.where}>
          <span>
            <ChainName slug={chain.slug} />
          </span>
          {contract?.protocol != null && (
            <Link href={`/protocols/${encodeURIComponent(contract.protocol)}`}>{contract.protocol}</Link>
          )}
          <Hash text={address} what="address" full />
        </div>
      }
      aside={
        <div className={styles.title}>
          <LabelPill label={controlProfile.label} text={controlProfile.text} tone={controlProfile.tone} large />
          {decisive !== undefined && <span className={styles.decisive}>{decisive.shortSummary}</span>}
          <span className={styles.actions}>
            <WatchLink chain={chain.slug} address={address} />
            <Link className={buttonClass()} href={`/badges?chain=${chain.slug}&address=${address}`}>
              Badge
            </Link>
          </span>
        </div>
      }
    />
  )
}

function ControlCard({ view }: { readonly view: View }) {
  const chain = view.chain.slug
  const control = useControl({ chain, address: view.address })
  return (
    <div className={styles.section}>
      <Card
        title="Who controls this contract"
        flush
        aside={
          control.data !== undefined && (
            <>
              Updated <RelativeTime at={control.data.updatedAt} />
              {control.data.stale && ', incomplete'}
            </>
          )
        }
      >
        <QueryView
          query={control}
          loading={<SkeletonBar height="12rem" />}
          errorView={({ code }) =>
            code === 'contract_not_found' ? (
              <StateMessage title="Not checked yet" icon="timelock">
                Gatewatch reads the state of a watched contract within an hour.
              </StateMessage>
            ) : undefined
          }
        >
          {(found) => (
            <>
              {found.disagreements.length > 0 && (
                <DisagreementNotice disagreements={found.disagreements} chain={chain} />
              )}
              <Controllers of={found} chain={chain} address={view.address} />
            </>
          )}
        </QueryView>
      </Card>
    </div>
  )
}

type Disagreements = Pick<Schemas['Control'], 'disagreements'>

function DisagreementNotice({ disagreements, chain }: Disagreements & { readonly chain: string }) {
  return (
    <div className={styles.notice}>
      <Notice>
        Two RPC endpoints disagree about this contract. The last confirmed state is shown.
        <ul>
          {disagreements.map((disagreement) => (
            <li key={disagreement.field}>
              <TextWithAccounts text={disagreementText(disagreement)} chain={chain} />, first seen{' '}
              <RelativeTime at={disagreement.since} />
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

const Counts = ({ counts }: Pick<View, 'counts'>) =>
  plural(
    counts.reduce((sum, { real }) => sum + real, 0),
    'event',
  )

function Histories({ chain, address }: { readonly chain: string; readonly address: string }) {
  const { data } = useControl({ chain, address })
  if (data === undefined) return null
  return (
    <>
      <LabelHistory labels={data.labels} />
      {data.upgrades.length > 0 && <UpgradeHistory upgrades={data.upgrades} chain={chain} />}
      {data.states.length > 0 && <StateHistory states={data.states} chain={chain} />}
    </>
  )
}
