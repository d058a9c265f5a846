/** One contract: who controls it, why it is labelled so, and all that has happened to it. */
import { useQueryClient } from '@tanstack/react-query'
import type { Schemas } from 'gatewatch-client'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { contractKey, useContract, useControl } from '../../api/use-contract.ts'
import { useFeedStream, withNews } from '../../api/use-feed-stream.ts'
import { useNames } from '../../api/use-names.ts'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Columns } from '../../components/columns.tsx'
import { EventList } from '../../components/event-list.tsx'
import { Hash } from '../../components/hash.tsx'
import { LabelPill } from '../../components/label-pill.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ProseWithAccounts } from '../../components/prose-with-accounts.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { PageSkeleton, SkeletonBar } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural } from '../../text/numbers.ts'
import { ContractFacts } from './contract-facts.tsx'
import { LabelHistory, StateHistory } from './contract-histories.tsx'
import styles from './contract-page.module.css'
import { ControlDrawing } from './control-drawing.tsx'
import { ControlList } from './control-list.tsx'

export function ContractPage() {
  const { chain, address } = useParams<{ chain: string; address: string }>()
  const place = { chain, address: address.toLowerCase() }
  const contract = useContract(place)
  const control = useControl(place)
  const news = useFeedStream({ address: place.address, chain }, contractKey(place))
  const client = useQueryClient()
  const [newest] = news.published
  const changes = (newest?.id ?? 0) + news.retracted.size
  // An event of this contract: its label and its state may be others now.
  useEffect(() => {
    if (changes > 0) void client.invalidateQueries({ queryKey: contractKey({ chain, address: place.address }) })
  }, [changes, client, chain, place.address])
  return (
    <QueryView
      query={contract}
      loading={<PageSkeleton />}
      refused={({ code, message }) =>
        code === 'contract_not_found' || code === 'invalid_address' || code === 'unknown_chain' ? (
          <>
            <PageHeader title="Unknown contract" lead={<Hash text={address} what="address" full />} />
            <StateMessage
              title={
                code === 'contract_not_found'
                  ? 'Nothing is known of this address here'
                  : 'This is not an address we can look up'
              }
              icon="search"
            >
              {code === 'contract_not_found'
                ? 'It is not among the contracts under watch, and none of its events has been seen. It may be an account of a person, or live on another chain.'
                : message}
            </StateMessage>
          </>
        ) : undefined
      }
    >
      {(view) =>
        // Shown together: a drawing that came later would push everything below it down.
        !control.isFetched ? (
          <PageSkeleton />
        ) : (
          <>
            <Head view={view} />
            <ControlCard view={view} />
            <Columns
              main={
                <Card
                  title="Events"
                  flush
                  aside={news.line === 'lost' ? <LiveMark line={news.line} /> : <Counts counts={view.counts} />}
                >
                  {withNews(view.recentEvents, news).length === 0 ? (
                    <StateMessage title="No event after its setup" icon="timelock" />
                  ) : (
                    <EventList events={withNews(view.recentEvents, news)} withContract={false} />
                  )}
                </Card>
              }
              side={
                <>
                  <ContractFacts view={view} />
                  <Histories chain={chain} address={place.address} />
                </>
              }
            />
          </>
        )
      }
    </QueryView>
  )
}

type View = Schemas['ContractView']

function Head({ view }: { readonly view: View }) {
  const { chain, address, contract, controlProfile } = view
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
          <LabelPill label={controlProfile.label} large />
          <span className={styles.ways}>
            <Link className={buttonClass()} href={`/account/alerts?chain=${chain.slug}&address=${address}`}>
              Watch
            </Link>
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
  const place = { chain: view.chain.slug, address: view.address }
  const control = useControl(place)
  const chains = useAbout().data?.chains ?? []
  const slugOf = (chainId: number) => chains.find(({ id }) => id === chainId)?.slug
  const nameOf = useNames()
  return (
    <div className={styles.section}>
      <Card
        title="Who controls it"
        flush
        aside={
          control.data !== undefined && (
            <>
              looked at <RelativeTime at={control.data.updatedAt} />
              {control.data.stale && ', not all of it could be read'}
            </>
          )
        }
      >
        <QueryView
          query={control}
          loading={<SkeletonBar height="12rem" />}
          refused={({ code }) =>
            code === 'contract_not_found' ? (
              <StateMessage title="Not profiled yet" icon="timelock">
                Its state has not been read. That happens within the hour for contracts under watch.
              </StateMessage>
            ) : undefined
          }
        >
          {({ tree, profile }) => (
            <>
              {tree.paths.length > 0 && (
                <ControlDrawing
                  tree={tree}
                  nameOf={({ chainId, address }) =>
                    address === view.address ? undefined : nameOf(slugOf(chainId) ?? '', address)
                  }
                  pageOf={({ chainId, address, kind }) => {
                    const slug = slugOf(chainId)
                    return slug === undefined || kind === 'eoa' || kind === 'none' || address === view.address
                      ? undefined
                      : `/contracts/${slug}/${address}`
                  }}
                />
              )}
              <Reasons reasons={profile.reasons} chain={place.chain} />
              <ControlList tree={tree} chain={place.chain} />
            </>
          )}
        </QueryView>
      </Card>
    </div>
  )
}

function Reasons({ reasons, chain }: { readonly reasons: readonly string[]; readonly chain: string }) {
  return (
    <div className={styles.why}>
      <h3>Why this label</h3>
      <ul className={styles.reasons}>
        {reasons.map((reason) => (
          <li key={reason}>
            <ProseWithAccounts text={reason} chain={chain} />
          </li>
        ))}
      </ul>
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
      {data.states.length > 0 && <StateHistory states={data.states} chain={chain} />}
    </>
  )
}
