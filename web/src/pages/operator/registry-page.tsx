/** The registered contracts, and a form to add and edit them. */

import { useState } from 'react'
import { contractKindText } from '../../../../vocabulary/contract-kinds.ts'
import { type RegisteredContract, useContracts } from '../../api/use-operator.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Stack } from '../../components/columns.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { TextField } from '../../components/field.tsx'
import { Hash } from '../../components/hash.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural } from '../../text/amounts.ts'
import styles from '../account/layout.module.css'
import { ContractForm } from './contract-form.tsx'
import { OperatorFrame } from './operator-frame.tsx'
import { countText, useSearchText } from './use-search-text.ts'

const SOURCES = { seed: 'Registry', manual: 'Manual', discovered: 'Discovered' } as const

export function RegistryPage() {
  return (
    <OperatorFrame
      title="Registry"
      lead="The watched contracts and their names. Imports do not change contracts that you add or edit here."
    >
      <Registry />
    </OperatorFrame>
  )
}

function Registry() {
  const [search, setSearch] = useSearchText()
  const [edited, setEdited] = useState<RegisteredContract | undefined>(undefined)
  const contracts = useContracts(search.trim())
  return (
    <Stack>
      <Card title={edited === undefined ? 'Add contract' : 'Edit contract'}>
        <ContractForm
          key={edited === undefined ? 'new' : `${edited.chainId} ${edited.address}`}
          edited={edited}
          onDone={() => setEdited(undefined)}
        />
      </Card>
      <Card
        title={contracts.data === undefined ? 'Contracts' : countText(contracts.data, 'contract', search)}
        aside={
          <TextField
            label="Search by name, protocol or address"
            type="search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
        }
        flush
      >
        <QueryView query={contracts}>
          {({ items, total }) =>
            items.length === 0 ? (
              <StateMessage title="No contracts found" icon="search">
                No name, protocol or address matches “{search}”.
              </StateMessage>
            ) : (
              <>
                <DataTable
                  caption="Contracts"
                  isStacked
                  rows={items}
                  keyOf={({ chainId, address }) => `${chainId} ${address}`}
                  columns={[
                    {
                      title: 'Name and protocol',
                      cell: ({ name, protocol }) => (
                        <>
                          <span>{name ?? '–'}</span>
                          {protocol !== null && <span className={styles.second}>{protocol}</span>}
                        </>
                      ),
                    },
                    {
                      title: 'Chain',
                      cell: ({ chainSlug, chainId }) => <ChainName slug={chainSlug ?? String(chainId)} />,
                    },
                    {
                      title: 'Address',
                      cell: ({ chainSlug, address }) => (
                        <Hash text={address} what="address" href={`/contracts/${chainSlug}/${address}`} />
                      ),
                    },
                    {
                      title: 'Kind and source',
                      cell: ({ kind, source }) => (
                        <>
                          {contractKindText(kind)}
                          <span className={styles.second}>{SOURCES[source]}</span>
                        </>
                      ),
                    },
                    {
                      title: '',
                      cell: (contract) => (
                        <Button
                          aria-label={`Edit ${contract.name ?? contract.address}`}
                          onClick={() => {
                            setEdited(contract)
                            window.scrollTo({ top: 0 })
                          }}
                        >
                          Edit
                        </Button>
                      ),
                    },
                  ]}
                />
                {search === '' && total > items.length && (
                  <p className={`${styles.bordered} ${styles.faint}`}>
                    The first {plural(items.length, 'contract')} are shown. Search to find others.
                  </p>
                )}
              </>
            )
          }
        </QueryView>
      </Card>
    </Stack>
  )
}
