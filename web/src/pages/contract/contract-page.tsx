/** The page of a contract: its control path, the reasons for its label, its state and its events. */
import { useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { useEffect } from 'react'
import { Link, useParams, useSearch } from 'wouter'
import { contractKey, useAddressPowers, useContract, useControl } from '../../api/use-contract.ts'
import { useLiveEvents } from '../../api/use-feed.ts'
import { useHasNames } from '../../api/use-names.ts'
import type { PendingChange } from '../../api/use-pending.ts'
import { TextWithAccounts } from '../../components/account.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { FeedLinks } from '../../components/feed-links.tsx'
import { Hash } from '../../components/hash.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PendingList } from '../../components/pending-list.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { PageSkeleton, SkeletonBar } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { momentsOf, readMoment } from '../../text/moments.ts'
import { disagreementText } from '../../text/state-fields.ts'
import { AddressPowers } from './address-powers.tsx'
import { ContractEvents } from './contract-events.tsx'
import { ContractFacts, Updating } from './contract-facts.tsx'
import { ContractHeader } from './contract-header.tsx'
import { Histories } from './contract-histories.tsx'
import styles from './contract-page.module.css'
import { Controllers } from './controllers.tsx'
import { ImplementationUsers, implementationTitle } from './implementation-users.tsx'
import { MultisigCard } from './multisig-card.tsx'
import { PastContract } from './past-contract.tsx'
import { TimeSlider } from './time-slider.tsx'
import { UnwatchedContract } from './unwatched-contract.tsx'

export function ContractPage() {
  const hasNames = useHasNames()
  const { chain, address } = useParams<{ chain: string; address: string }>()
  const ref = { chain, address: address.toLowerCase() }
  const contract = useContract(ref)
  const control = useControl(ref)
  const powers = useAddressPowers(ref)
  const live = useLiveEvents({ address: ref.address, chain }, contractKey(ref))
  const client = useQueryClient()
  const at = readMoment(useSearch())
  const path = `/contracts/${chain}/${address}`
  const [newest] = live.published
  const changes = (newest?.id ?? 0) + live.retracted.size
  // An event of this contract may have changed its label and its state.
  useEffect(() => {
    if (changes > 0) void client.invalidateQueries({ queryKey: contractKey({ chain, address: ref.address }) })
  }, [changes, client, chain, ref.address])
  // What the poll found may change the rest of the page as well.
  const isPollDue = control.data?.isUpdating === true
  useEffect(() => {
    if (isPollDue)
      return () => void client.invalidateQueries({ queryKey: contractKey({ chain, address: ref.address }) })
    return undefined
  }, [isPollDue, client, chain, ref.address])
  const isMultisig = control.data?.tree.multisig != null
  const isUpdating = isPollDue || (changes > 0 && control.isFetching)
  return (
    <QueryView
      query={contract}
      isReady={control.isFetched && powers.isFetched && hasNames}
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
        at !== undefined && control.data != null ? (
          <PastContract view={view} control={control.data} at={at} path={path} />
        ) : (
          <>
            <ContractHeader
              view={view}
              shown={shownOf(view, control.data)}
              unnamed={powers.data && implementationTitle(powers.data)}
            />
            {control.data != null && momentsOf(control.data).length > 1 && (
              <div className={styles.section}>
                <TimeSlider moments={momentsOf(control.data)} at={undefined} path={path} />
              </div>
            )}
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
            {isMultisig && <Queued changes={view.pending} />}
            {powers.data !== undefined && (
              <div className={styles.sections}>
                <ImplementationUsers view={powers.data} />
                <AddressPowers view={powers.data} isContract />
              </div>
            )}
            <ControlCard view={view} control={control} isUpdating={isUpdating} />
            {!isMultisig && <Queued changes={view.pending} />}
            <Columns
              main={
                <div>
                  <ContractEvents view={view} live={live} />
                  <FeedLinks path={`contracts/${chain}/${ref.address}`} />
                </div>
              }
              side={
                <>
                  <ContractFacts view={view} state={control.data?.states[0]} isUpdating={isUpdating} />
                  {control.data != null && <Histories control={control.data} chain={chain} path={path} />}
                </>
              }
            />
          </>
        )
      }
    </QueryView>
  )
}

/** Nothing where no change is queued. */
function Queued({ changes }: { readonly changes: readonly PendingChange[] }) {
  if (changes.length === 0) return null
  return (
    <div className={styles.section}>
      <Card title="Queued changes" flush>
        <PendingList changes={changes} />
      </Card>
    </div>
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

/** Label and powers have one source: the control view, which also has the reasons and the drawing. */
const shownOf = (view: View, control: Schemas['Control'] | null | undefined) =>
  control == null ? view : { controlProfile: control.profile, powers: control.powers }

type ControlCardProps = {
  readonly view: View
  readonly control: ReturnType<typeof useControl>
  readonly isUpdating: boolean
}

function ControlCard({ view, control, isUpdating }: ControlCardProps) {
  const chain = view.chain.slug
  return (
    <div className={styles.section}>
      <Card
        title="Who controls this contract"
        flush
        aside={
          control.data != null && (
            <>
              {isUpdating ? (
                <Updating />
              ) : (
                <>
                  Updated <RelativeTime at={control.data.updatedAt} />
                </>
              )}
              {control.data.stale && ', incomplete'}
            </>
          )
        }
      >
        {control.data === null ? (
          <StateMessage title="Not checked yet" icon="timelock">
            Gatewatch reads the state of a watched contract within an hour.
          </StateMessage>
        ) : (
          <QueryView query={control} loading={<SkeletonBar height="12rem" />}>
            {(found) => (
              <>
                {found.disagreements.length > 0 && (
                  <DisagreementNotice disagreements={found.disagreements} chain={chain} />
                )}
                <Controllers of={found} chain={chain} address={view.address} />
              </>
            )}
          </QueryView>
        )}
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
