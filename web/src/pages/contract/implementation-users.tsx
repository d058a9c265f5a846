/** The watched contracts that run the code at an address. */
import type { Schemas } from 'gatewatch-client'
import { Link } from 'wouter'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { Hash } from '../../components/hash.tsx'
import { plural } from '../../text/amounts.ts'

type View = Schemas['AddressView']

/** Nothing where no contract runs it. */
export function ImplementationUsers({ view: { implementationOf: users } }: { readonly view: View }) {
  if (users.length === 0) return null
  return (
    <Card title="Contracts that run this code" flush aside={plural(users.length, 'contract')}>
      <DataTable
        caption="Contracts that run this code"
        isLinked
        isStacked
        rows={users}
        keyOf={({ address }) => address}
        columns={[
          {
            title: 'Contract',
            cell: ({ chainSlug, address, name }) => (
              <Link href={`/contracts/${chainSlug}/${address}`}>{name ?? 'Unnamed'}</Link>
            ),
          },
          { title: 'Protocol', cell: ({ protocol }) => protocol ?? '–' },
          { title: 'Runs it', cell: ({ isCurrent }) => (isCurrent ? 'Now' : 'Earlier') },
          { title: 'Address', cell: ({ address }) => <Hash text={address} what="address" /> },
        ]}
      />
    </Card>
  )
}

/** `Implementation of Meadow Vault and 2 more`. Undefined where no named contract runs or ran the code. */
export function implementationTitle({ implementationOf: users }: Pick<View, 'implementationOf'>): string | undefined {
  const [named] = users.filter(({ name }) => name !== null)
  if (named === undefined) return undefined
  const alike = users.filter(({ isCurrent }) => isCurrent === named.isCurrent)
  const more = alike.length > 1 ? ` and ${alike.length - 1} more` : ''
  return `${named.isCurrent ? 'Implementation' : 'Earlier implementation'} of ${named.name}${more}`
}
