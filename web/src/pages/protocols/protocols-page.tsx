import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useNoContracts } from '../../api/use-about.ts'
import { useProtocols } from '../../api/use-protocols.ts'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { SelectField } from '../../components/field.tsx'
import { NoContracts } from '../../components/no-contracts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { addSummaries, SummaryBar, SummaryLegend } from '../../components/summary-bar.tsx'
import { plural, wholeNumber } from '../../text/numbers.ts'
import { type Order, ordered } from './protocol-order.ts'
import styles from './protocols-page.module.css'

export function ProtocolsPage() {
  const protocols = useProtocols()
  const why = useNoContracts()
  const [order, setOrder] = useState<Order>('contracts')
  const rows = useMemo(() => ordered(protocols.data ?? [], order), [protocols.data, order])
  const total = addSummaries(rows.map(({ summary }) => summary))
  return (
    <>
      <PageHeader
        title="Protocols"
        lead="Who holds the keys of their contracts, from one key to nobody."
        aside={
          <SelectField
            label="Order by"
            value={order}
            choices={[
              { value: 'contracts', text: 'Most contracts' },
              { value: 'weakest', text: 'Most single keys' },
              { value: 'recent', text: 'Last change' },
              { value: 'name', text: 'Name' },
            ]}
            onChoose={(next) => setOrder(next as Order)}
          />
        }
      />
      <QueryView query={protocols} loading={<SkeletonRows count={8} />}>
        {() =>
          rows.length === 0 ? (
            <Card>
              {why === undefined ? (
                <StateMessage title="No protocol is known yet">
                  They come with the registry, or with contracts that an operator adds.
                </StateMessage>
              ) : (
                <NoContracts why={why} />
              )}
            </Card>
          ) : (
            <Stack>
              <Card title="All of them" aside={plural(total.total, 'contract')}>
                <SummaryBar summary={total} large />
                <SummaryLegend summary={total} />
              </Card>
              <Card flush>
                <DataTable
                  caption="Protocols"
                  rows={rows}
                  keyOf={({ slug }) => slug}
                  columns={[
                    {
                      title: 'Protocol',
                      cell: ({ protocol, slug }) => <Link href={`/protocols/${slug}`}>{protocol}</Link>,
                    },
                    {
                      title: 'Control',
                      cell: ({ summary }) => (
                        <div className={styles.bar}>
                          <SummaryBar summary={summary} />
                        </div>
                      ),
                    },
                    { title: 'Contracts', isNumber: true, cell: ({ contracts }) => wholeNumber(contracts) },
                    { title: 'Chains', isNumber: true, cell: ({ chains }) => chains },
                    {
                      title: 'Last change',
                      cell: ({ lastEventAt }) =>
                        lastEventAt === null ? 'none seen' : <RelativeTime at={lastEventAt} />,
                    },
                  ]}
                />
              </Card>
            </Stack>
          )
        }
      </QueryView>
    </>
  )
}
