/** The state of each chain that the service watches or indexes. */
import { useNoContractsReason } from '../../api/use-about.ts'
import { useStatus } from '../../api/use-protocols.ts'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { ChainState } from '../../components/chain-state.tsx'
import { Stack } from '../../components/columns.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { NoContracts } from '../../components/no-contracts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { wholeNumber } from '../../text/amounts.ts'

const figure = (value: number | null): string => (value === null ? '–' : wholeNumber(value))

export function StatusPage() {
  const status = useStatus()
  const noContracts = useNoContractsReason() ?? 'This service does not watch a chain.'
  return (
    <>
      <PageHeader
        title="Status"
        lead="How complete and up to date the data is. Blocks without enough confirmations do not count as behind."
      />
      <QueryView query={status}>
        {({ control, coins, version, at }) => (
          <Stack>
            <Card title="Contract control" flush aside={`Version ${version}`}>
              {control.length === 0 ? (
                <NoContracts reason={noContracts} />
              ) : (
                <DataTable
                  caption="Watched chains"
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
        )}
      </QueryView>
    </>
  )
}
