/** A protocol: how its contracts are controlled, all of them, and what happened to them. */

import { Link, useParams } from 'wouter'
import { useProtocol } from '../../api/use-protocols.ts'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Stack } from '../../components/columns.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { EventList } from '../../components/event-list.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { LabelPill } from '../../components/label-pill.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { PageSkeleton } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { SummaryBar, SummaryLegend } from '../../components/summary-bar.tsx'
import { wholeNumber } from '../../text/numbers.ts'
import { namePart } from '../../text/path-part.ts'
import styles from './protocol-page.module.css'

export function ProtocolPage() {
  const slug = namePart(useParams<{ slug: string }>().slug)
  const protocol = useProtocol(slug)
  return (
    <QueryView
      query={protocol}
      loading={<PageSkeleton />}
      refused={({ code }) =>
        code === 'protocol_not_found' ? (
          <>
            <PageHeader title="Unknown protocol" />
            <StateMessage
              title={`No protocol is called “${slug}”`}
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
      {({ protocol: name, slug: own, contracts, counts, controlSummary, recentEvents }) => (
        <>
          <PageHeader
            title={name}
            lead="All its contracts under watch, on every chain."
            aside={
              <div className={styles.ways}>
                <Link className={buttonClass()} href={`/account/alerts?protocol=${own}`}>
                  Watch
                </Link>
                <Link className={buttonClass()} href={`/badges?protocol=${own}`}>
                  Badge
                </Link>
              </div>
            }
          />
          <Stack>
            <Figures
              look="tiles"
              items={[
                { name: 'Contracts', value: wholeNumber(counts.contracts) },
                { name: 'Chains', value: counts.chains },
                { name: 'Events in 30 days', value: wholeNumber(counts.events30d) },
                { name: 'Critical in 30 days', value: wholeNumber(counts.critical30d) },
              ]}
            />
            <Card title="How they are controlled">
              <SummaryBar summary={controlSummary} large />
              <SummaryLegend summary={controlSummary} />
            </Card>
            <Card title="Contracts" flush>
              <DataTable
                caption={`Contracts of ${name}`}
                rows={contracts}
                keyOf={({ chainId, address }) => `${chainId} ${address}`}
                columns={[
                  {
                    title: 'Contract',
                    cell: ({ chainSlug, address, name: title }) => (
                      <Link href={`/contracts/${chainSlug}/${address}`}>{title ?? 'Unnamed'}</Link>
                    ),
                  },
                  { title: 'Control', cell: ({ controlProfile }) => <LabelPill label={controlProfile.label} /> },
                  { title: 'Chain', cell: ({ chainSlug }) => <ChainName slug={chainSlug} /> },
                  { title: 'Address', cell: ({ address }) => <Hash text={address} what="address" /> },
                  { title: '30 days', isNumber: true, cell: ({ events30d }) => events30d },
                  {
                    title: 'Last change',
                    cell: ({ lastEventAt }) => (lastEventAt === null ? 'none seen' : <RelativeTime at={lastEventAt} />),
                  },
                ]}
              />
            </Card>
            <Card title="Recent events" flush>
              {recentEvents.length === 0 ? (
                <StateMessage title="Nothing has happened yet" icon="timelock" />
              ) : (
                <EventList events={recentEvents} />
              )}
            </Card>
          </Stack>
        </>
      )}
    </QueryView>
  )
}
