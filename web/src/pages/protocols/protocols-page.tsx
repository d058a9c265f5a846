import type { Schemas } from 'gatewatch-client'
import { useMemo } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { useNoContractsReason } from '../../api/use-about.ts'
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
import { addTones, ToneBar, ToneLegend } from '../../components/tone-bar.tsx'
import { plural, wholeNumber } from '../../text/amounts.ts'
import styles from './protocols-page.module.css'

type ListedProtocol = Schemas['ListedProtocol']
type Order = 'contracts' | 'weakest' | 'recent' | 'name'

/** The first one is the default. */
const ORDERS: readonly { readonly value: Order; readonly text: string }[] = [
  { value: 'contracts', text: 'Most contracts' },
  { value: 'weakest', text: 'Most contracts under one key' },
  { value: 'recent', text: 'Last change' },
  { value: 'name', text: 'Name' },
]

const SORT_KEYS: Readonly<Record<Order, (protocol: ListedProtocol) => number>> = {
  contracts: ({ contracts }) => contracts,
  weakest: ({ tones }) => tones.red,
  recent: ({ lastEventAt }) => (lastEventAt === null ? 0 : Date.parse(lastEventAt)),
  name: () => 0,
}

/** Sorts in descending order. Equal protocols keep the order of the service, which is by name. */
const sortProtocols = (protocols: readonly ListedProtocol[], order: Order): readonly ListedProtocol[] =>
  protocols.toSorted((a, b) => SORT_KEYS[order](b) - SORT_KEYS[order](a))

export function ProtocolsPage() {
  const protocols = useProtocols()
  const noContracts = useNoContractsReason()
  // In the address bar, so that a sorted list can be shared and Back returns to it.
  const given = new URLSearchParams(useSearch()).get('sort')
  const [, navigate] = useLocation()
  const order = ORDERS.find(({ value }) => value === given)?.value ?? 'contracts'
  const rows = useMemo(() => sortProtocols(protocols.data ?? [], order), [protocols.data, order])
  const total = addTones(rows.map(({ tones }) => tones))
  return (
    <>
      <PageHeader
        title="Protocols"
        lead="How the contracts of each protocol are controlled."
        aside={
          <SelectField
            label="Sort by"
            value={order}
            choices={ORDERS}
            onChoose={(next) => navigate(next === 'contracts' ? '/protocols' : `/protocols?sort=${next}`)}
          />
        }
      />
      <QueryView query={protocols} loading={<SkeletonRows count={8} />}>
        {() =>
          rows.length === 0 ? (
            <Card>
              {noContracts === undefined ? (
                <StateMessage title="No protocols yet">
                  Protocols appear when an operator imports the registry or adds contracts.
                </StateMessage>
              ) : (
                <NoContracts reason={noContracts} />
              )}
            </Card>
          ) : (
            <Stack>
              <Card
                title="All protocols"
                aside={plural(
                  rows.reduce((sum, { contracts }) => sum + contracts, 0),
                  'contract',
                )}
              >
                <ToneBar counts={total} large />
                <ToneLegend counts={total} />
              </Card>
              <Card flush>
                <DataTable
                  caption="Protocols"
                  isLinked
                  isStacked
                  rows={rows}
                  keyOf={({ slug }) => slug}
                  columns={[
                    {
                      title: 'Protocol',
                      cell: ({ protocol, slug }) => <Link href={`/protocols/${slug}`}>{protocol}</Link>,
                    },
                    {
                      title: 'Control',
                      cell: ({ tones }) => (
                        <div className={styles.bar}>
                          <ToneBar counts={tones} />
                        </div>
                      ),
                    },
                    { title: 'Contracts', isNumber: true, cell: ({ contracts }) => wholeNumber(contracts) },
                    { title: 'Chains', isNumber: true, cell: ({ chains }) => chains },
                    {
                      title: 'Last change',
                      cell: ({ lastEventAt }) => (lastEventAt === null ? 'None' : <RelativeTime at={lastEventAt} />),
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
