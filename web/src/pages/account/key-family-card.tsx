import { type KeyFamily, type Keys, useKeys } from '../../api/use-keys.ts'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { wholeNumber } from '../../text/numbers.ts'
import { MakeKey } from './make-key.tsx'
import { RevokeKey } from './revoke-key.tsx'
import styles from './stack.module.css'
import { UsageMeter } from './usage-meter.tsx'

type KeyFamilyCardProps = {
  readonly family: KeyFamily
  readonly title: string
  readonly path: string
  readonly exampleOf: (key: string) => string
}

/** The keys of one interface. */
export function KeyFamilyCard({ family, title, path, exampleOf }: KeyFamilyCardProps) {
  const keys = useKeys(family)
  return (
    <Card
      title={title}
      aside={
        <>
          <code>{path}</code>
          {keys.data !== undefined && ` · plan ${keys.data.plan}`}
        </>
      }
      flush
    >
      <QueryView query={keys}>
        {(found) => (
          <>
            <UsageMeter usage={found.usage} limits={found.limits} />
            {found.items.length === 0 ? (
              <StateMessage title="No key yet" icon="ownership">
                {mayMake(family, found)
                  ? 'Make one below, and call the interface with it.'
                  : 'Keys of this interface need the Team plan; whoever runs this service can change yours.'}
              </StateMessage>
            ) : (
              <DataTable
                caption={`Keys: ${title}`}
                rows={found.items}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Name', cell: ({ name }) => name },
                  { title: 'Key', cell: ({ prefix }) => <code>{prefix}…</code> },
                  { title: 'Made', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
                  {
                    title: 'Last used',
                    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <RelativeTime at={lastUsedAt} />),
                  },
                  { title: 'This month', cell: ({ usageThisMonth }) => wholeNumber(usageThisMonth), isNumber: true },
                  { title: '', cell: ({ id, name }) => <RevokeKey family={family} id={id} name={name} /> },
                ]}
              />
            )}
            {mayMake(family, found) && (
              <div className={styles.bordered}>
                <MakeKey family={family} isFull={found.items.length >= found.limits.apiKeys} exampleOf={exampleOf} />
              </div>
            )}
          </>
        )}
      </QueryView>
    </Card>
  )
}

const mayMake = (family: KeyFamily, { plan }: Keys): boolean => family === 'utxo-keys' || plan === 'team'
