/** The contracts that are known, by which names, and a place to add one. */
import { useState } from 'react'
import { type RegisteredContract, useContracts } from '../../api/use-operator.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { TextField } from '../../components/field.tsx'
import { Hash } from '../../components/hash.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural } from '../../text/numbers.ts'
import styles from '../account/stack.module.css'
import { ContractForm } from './contract-form.tsx'
import { OperatorFrame } from './operator-frame.tsx'

const SOURCES = { seed: 'registry', manual: 'by hand', discovered: 'found' } as const

export function RegistryPage() {
  return (
    <OperatorFrame title="Registry" lead="What is watched and what it is called. No import changes what is set here.">
      <Registry />
    </OperatorFrame>
  )
}

function Registry() {
  const [search, setSearch] = useState('')
  const [edited, setEdited] = useState<RegisteredContract | undefined>(undefined)
  const contracts = useContracts(search.trim())
  return (
    <div className={styles.stack}>
      <Card title={edited === undefined ? 'Add a contract' : 'Edit a contract'}>
        <ContractForm
          key={edited === undefined ? 'new' : `${edited.chainId} ${edited.address}`}
          edited={edited}
          onDone={() => setEdited(undefined)}
        />
      </Card>
      <Card
        title={contracts.data === undefined ? 'Contracts' : plural(contracts.data.total, 'contract')}
        aside={
          <TextField
            label="Find by name, protocol, address"
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
              <StateMessage title="No such contract" icon="search">
                Nothing is called “{search}”.
              </StateMessage>
            ) : (
              <>
                <DataTable
                  caption="Contracts"
                  rows={items}
                  keyOf={({ chainId, address }) => `${chainId} ${address}`}
                  columns={[
                    { title: 'Name', cell: ({ name }) => name ?? '–' },
                    { title: 'Protocol', cell: ({ protocol }) => protocol ?? '–' },
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
                    { title: 'Kind', cell: ({ kind }) => <code>{kind}</code> },
                    { title: 'From', cell: ({ source }) => SOURCES[source] },
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
                    {plural(items.length, 'contract')} shown; the others are found by name, protocol or address.
                  </p>
                )}
              </>
            )
          }
        </QueryView>
      </Card>
    </div>
  )
}
