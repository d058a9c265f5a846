/** How complete and how fresh everything on these pages is. */
import type { Tone } from '../../../../vocabulary/labels.ts'
import { useNoContracts } from '../../api/use-about.ts'
import { useStatus } from '../../api/use-protocols.ts'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Stack } from '../../components/columns.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { NoContracts } from '../../components/no-contracts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { wholeNumber } from '../../text/numbers.ts'

const STATES = {
  keeping_up: ['green', 'Keeping up'],
  reading_history: ['amber', 'Reading history'],
  behind: ['red', 'Behind'],
  not_watched: ['grey', 'Not watched'],
  not_indexed: ['grey', 'No index yet'],
} as const satisfies Readonly<Record<string, readonly [Tone, string]>>

function State({ of }: { readonly of: keyof typeof STATES }) {
  const [tone, text] = STATES[of]
  return <TonePill tone={tone}>{text}</TonePill>
}

const figure = (value: number | null): string => (value === null ? '–' : wholeNumber(value))

export function StatusPage() {
  const status = useStatus()
  const why = useNoContracts() ?? 'The process that answers here watches none.'
  return (
    <>
      <PageHeader title="Status" lead="How complete and how fresh everything here is. Looked at every ten seconds." />
      <QueryView query={status}>
        {({ control, coins, version, at }) => (
          <Stack>
            <Card title="Contract control" flush aside={`Version ${version}`}>
              {control.length === 0 ? (
                <NoContracts why={why} />
              ) : (
                <DataTable
                  caption="Chains whose contracts are watched"
                  rows={control}
                  keyOf={({ chain }) => chain}
                  columns={[
                    { title: 'Chain', cell: ({ chain }) => <ChainName slug={chain} /> },
                    { title: 'State', cell: ({ state }) => <State of={state} /> },
                    { title: 'Head', isNumber: true, cell: ({ head }) => figure(head) },
                    { title: 'Read to', isNumber: true, cell: ({ lastBlockRead }) => figure(lastBlockRead) },
                    { title: 'Read twice to', isNumber: true, cell: ({ readTwiceTo }) => figure(readTwiceTo) },
                    { title: 'Behind by', isNumber: true, cell: ({ lag }) => figure(lag) },
                    { title: 'History from', isNumber: true, cell: ({ historyFrom }) => figure(historyFrom) },
                    {
                      title: 'Nodes agreeing',
                      isNumber: true,
                      cell: ({ endpoints, endpointsAgreeing }) =>
                        `${figure(endpointsAgreeing)} of ${figure(endpoints)}`,
                    },
                    {
                      title: 'Heard of',
                      cell: ({ seenAt }) => (seenAt === null ? 'never' : <RelativeTime at={seenAt} />),
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
                  as of <RelativeTime at={at} />
                </>
              }
            >
              {coins.length === 0 ? (
                <StateMessage title="No coin chain is indexed">
                  An operator switches them on by naming a Bitcoin or Litecoin node.
                </StateMessage>
              ) : (
                <DataTable
                  caption="Chains whose coins are indexed"
                  rows={coins}
                  keyOf={({ chain }) => chain}
                  columns={[
                    { title: 'Chain', cell: ({ chain }) => <ChainName slug={chain} /> },
                    { title: 'State', cell: ({ state }) => <State of={state} /> },
                    { title: 'Network', cell: ({ network }) => network ?? '–' },
                    { title: 'Node', isNumber: true, cell: ({ nodeHeight }) => figure(nodeHeight) },
                    { title: 'Index', isNumber: true, cell: ({ indexHeight }) => figure(indexHeight) },
                    { title: 'Behind by', isNumber: true, cell: ({ lag }) => figure(lag) },
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
