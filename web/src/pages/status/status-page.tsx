/** The state of each chain that the service watches or indexes, now and on the last 90 days. */
import { useNoContractsReason } from '../../api/use-about.ts'
import { useStatus, useStatusHistory } from '../../api/use-protocols.ts'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { ChainState } from '../../components/chain-state.tsx'
import { Stack } from '../../components/columns.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { NoContracts } from '../../components/no-contracts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural, wholeNumber } from '../../text/amounts.ts'
import { ChainHistory, HistoryLegend } from './chain-history.tsx'

const figure = (value: number | null): string => (value === null ? '–' : wholeNumber(value))

/** One sentence about all chains. */
function StateOfAll({ chains }: { readonly chains: readonly { readonly state: string }[] }) {
  if (chains.length === 0) return null
  const late = chains.filter(({ state }) => state !== 'in_sync' && state !== 'reading_history')
  return (
    <p>
      <TonePill tone={late.length === 0 ? 'green' : late.length < chains.length ? 'amber' : 'red'} large>
        {late.length === 0
          ? `All ${plural(chains.length, 'chain')} up to date`
          : `${late.length} of ${plural(chains.length, 'chain')} not up to date`}
      </TonePill>
    </p>
  )
}

export function StatusPage() {
  const status = useStatus()
  const history = useStatusHistory()
  const noContracts = useNoContractsReason() ?? 'This service does not watch a chain.'
  return (
    <>
      <PageHeader
        title="Status"
        lead="How complete and up to date the data is. Blocks without enough confirmations do not count as behind."
      />
      <QueryView query={status}>
        {({ control, coins, version, at }) =>
          // Shown together, because days that arrive later would move everything below them.
          !history.isFetched ? (
            <SkeletonRows />
          ) : (
            <Stack>
              <StateOfAll chains={[...control, ...coins]} />
              <Card title="Last 90 days" flush aside={<HistoryLegend />}>
                <QueryView query={history}>
                  {(chains) =>
                    chains.map(({ chain, days }) => (
                      <ChainHistory key={chain} chain={chain} days={days} now={Date.parse(at)} />
                    ))
                  }
                </QueryView>
              </Card>
              <Card title="Contract control" flush aside={`Version ${version}`}>
                {control.length === 0 ? (
                  <NoContracts reason={noContracts} />
                ) : (
                  <DataTable
                    caption="Watched chains"
                    isStacked
                    rows={control}
                    keyOf={({ chain }) => chain}
                    columns={[
                      { title: 'Chain', cell: ({ chain }) => <ChainName slug={chain} /> },
                      { title: 'State', cell: ({ state }) => <ChainState state={state} /> },
                      { title: 'Head', isNumber: true, cell: ({ head }) => figure(head) },
                      { title: 'Last block read', isNumber: true, cell: ({ lastBlockRead }) => figure(lastBlockRead) },
                      { title: 'Verified to', isNumber: true, cell: ({ verifiedTo }) => figure(verifiedTo) },
                      { title: 'Blocks behind', isNumber: true, cell: ({ lag }) => figure(lag) },
                      { title: 'History from', isNumber: true, cell: ({ historyFrom }) => figure(historyFrom) },
                      {
                        title: 'Endpoints in agreement',
                        isNumber: true,
                        cell: ({ endpoints, endpointsAgreeing }) =>
                          `${figure(endpointsAgreeing)} of ${figure(endpoints)}`,
                      },
                      {
                        title: 'Head last seen',
                        cell: ({ headAt }) => (headAt === null ? 'Never' : <RelativeTime at={headAt} />),
                      },
                    ]}
                  />
                )}
              </Card>
              <Card
                title="Coin data"
                flush
                aside={
                  <>
                    Updated <RelativeTime at={at} />
                  </>
                }
              >
                {coins.length === 0 ? (
                  <StateMessage title="No coin chain is indexed">
                    The operator of this service has not enabled Bitcoin or Litecoin.
                  </StateMessage>
                ) : (
                  <DataTable
                    caption="Indexed chains"
                    isStacked
                    rows={coins}
                    keyOf={({ chain }) => chain}
                    columns={[
                      { title: 'Chain', cell: ({ chain }) => <ChainName slug={chain} /> },
                      { title: 'State', cell: ({ state }) => <ChainState state={state} /> },
                      { title: 'Network', cell: ({ network }) => network ?? '–' },
                      { title: 'Node height', isNumber: true, cell: ({ nodeHeight }) => figure(nodeHeight) },
                      { title: 'Index height', isNumber: true, cell: ({ indexHeight }) => figure(indexHeight) },
                      { title: 'Blocks behind', isNumber: true, cell: ({ lag }) => figure(lag) },
                      { title: 'Source', cell: ({ source }) => source ?? '–' },
                    ]}
                  />
                )}
              </Card>
            </Stack>
          )
        }
      </QueryView>
    </>
  )
}
