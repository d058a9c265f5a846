/** What operators changed, newest first. */
import { useOperatorChanges } from '../../api/use-operator.ts'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { NextPage } from '../../components/next-page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { OperatorFrame } from './operator-frame.tsx'

export function ChangesPage() {
  const changes = useOperatorChanges()
  const items = changes.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <OperatorFrame title="Changes" lead="What operators changed, on these pages and with commands.">
      <Card
        title="Changes"
        aside={
          <a className={buttonClass('plain')} href="/me/operator/changes.csv" download>
            Export CSV
          </a>
        }
        flush
      >
        <QueryView query={changes}>
          {() =>
            items.length === 0 ? (
              <StateMessage title="No changes yet" icon="ownership">
                Changes of plans, contracts and keys appear here.
              </StateMessage>
            ) : (
              <>
                <DataTable
                  caption="Changes"
                  isStacked
                  rows={items}
                  keyOf={({ id }) => String(id)}
                  columns={[
                    { title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
                    { title: 'Who', cell: ({ actor }) => actor },
                    { title: 'Action', cell: ({ action }) => <code>{action}</code> },
                    { title: 'Subject', cell: ({ subject }) => subject },
                    { title: 'Before', cell: ({ before }) => valuesOf(before) },
                    { title: 'After', cell: ({ after }) => valuesOf(after) },
                  ]}
                />
                <NextPage query={changes} text="Load older changes" />
              </>
            )
          }
        </QueryView>
      </Card>
    </OperatorFrame>
  )
}

const valuesOf = (values: Readonly<Record<string, unknown>> | null): string =>
  Object.entries(values ?? {})
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
