/** The page of a protocol: how its contracts are controlled, and their latest events. */
import type { Schemas } from 'gatewatch-client'
import { Link, useParams } from 'wouter'
import { LABEL_TONES } from '../../../../vocabulary/labels.ts'
import { useHasNames } from '../../api/use-names.ts'
import { useProtocol } from '../../api/use-protocols.ts'
import { TextWithAccounts } from '../../components/account.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Stack } from '../../components/columns.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { FeedLinks } from '../../components/feed-links.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PendingList } from '../../components/pending-list.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { PageSkeleton } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { countTones, ToneBar, ToneLegend } from '../../components/tone-bar.tsx'
import { LabelPill } from '../../components/tone-pill.tsx'
import { WatchLink } from '../../components/watch-link.tsx'
import { wholeNumber } from '../../text/amounts.ts'
import { decodeSegment } from '../../text/names.ts'
import { ProtocolEvents } from './protocol-events.tsx'
import styles from './protocol-page.module.css'

const tonesOf = (contracts: readonly Schemas['ProtocolView']['contracts'][number][]) =>
  countTones(contracts.map(({ controlProfile }) => controlProfile.tone))

export function ProtocolPage() {
  const slug = decodeSegment(useParams<{ slug: string }>().slug)
  const protocol = useProtocol(slug)
  const hasNames = useHasNames()
  return (
    <QueryView
      query={protocol}
      isReady={hasNames}
      loading={<PageSkeleton />}
      errorView={({ code }) =>
        code === 'protocol_not_found' ? (
          <>
            <PageHeader title="Unknown protocol" />
            <StateMessage
              title={`No protocol named “${slug}”`}
              icon="search"
              action={
                <Link className={buttonClass()} href="/protocols">
                  All protocols
                </Link>
              }
            />
          </>
        ) : undefined
      }
    >
      {({ protocol: name, slug: own, contracts, counts, recentEvents, pending }) => (
        <>
          <PageHeader
            title={name}
            lead="All watched contracts of the protocol, on every chain."
            aside={
              <div className={styles.actions}>
                <WatchLink protocol={own} />
                <Link className={buttonClass()} href={`/badges?protocol=${own}`}>
                  Badge
                </Link>
              </div>
            }
          />
          <Stack>
            <Figures
              variant="tiles"
              items={[
                { name: 'Contracts', value: wholeNumber(counts.contracts) },
                { name: 'Chains', value: counts.chains },
                { name: 'Events, 30 days', value: wholeNumber(counts.events30d) },
                { name: 'Critical events, 30 days', value: wholeNumber(counts.critical30d) },
              ]}
            />
            <Card title="Control">
              <ToneBar counts={tonesOf(contracts)} large />
              <ToneLegend counts={tonesOf(contracts)} />
            </Card>
            {pending.length > 0 && (
              <Card title="Queued changes" flush>
                <PendingList changes={pending} />
              </Card>
            )}
            <Card title="Contracts" flush>
              <DataTable
                caption={`Contracts of ${name}`}
                isLinked
                isStacked
                rows={contracts}
                keyOf={({ chainId, address }) => `${chainId} ${address}`}
                columns={[
                  {
                    title: 'Contract',
                    cell: ({ chainSlug, address, name: title }) => (
                      <Link href={`/contracts/${chainSlug}/${address}`}>{title ?? 'Unnamed'}</Link>
                    ),
                  },
                  {
                    title: 'Control',
                    cell: ({ chainSlug, controlProfile: { label, text, tone, reasons } }) => (
                      <>
                        <LabelPill label={label} text={text} tone={tone} />
                        {/* The first reason is then the power that makes the tone worse than the label. */}
                        {tone !== LABEL_TONES[label] && reasons[0] !== undefined && (
                          <div className={styles.why}>
                            <TextWithAccounts text={reasons[0]} chain={chainSlug} />
                          </div>
                        )}
                      </>
                    ),
                  },
                  { title: 'Chain', cell: ({ chainSlug }) => <ChainName slug={chainSlug} /> },
                  { title: 'Address', cell: ({ address }) => <Hash text={address} what="address" /> },
                  { title: 'Events, 30 days', isNumber: true, cell: ({ events30d }) => events30d },
                  {
                    title: 'Last change',
                    cell: ({ lastEventAt }) => (lastEventAt === null ? 'None' : <RelativeTime at={lastEventAt} />),
                  },
                ]}
              />
            </Card>
            <ProtocolEvents slug={own} recent={recentEvents} />
            <FeedLinks path={`protocols/${own}`} />
          </Stack>
        </>
      )}
    </QueryView>
  )
}
