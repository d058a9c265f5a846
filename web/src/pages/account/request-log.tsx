import { type LogEntry, type Scope, useRequestLog } from '../../api/use-traffic.ts'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { DataTable } from '../../components/data-table.tsx'
import { SelectField } from '../../components/field.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural } from '../../text/amounts.ts'

export const STATUSES = [
  { value: '', text: 'All responses' },
  { value: '2xx', text: 'Successful' },
  { value: '4xx', text: 'Client errors' },
  { value: '5xx', text: 'Server errors' },
]

type RequestLogProps = {
  readonly scope: Scope
  readonly hours: number
  /** A value of `STATUSES`. */
  readonly status: string
  readonly onChoose: (status: string) => void
}

export function RequestLog({ scope, hours, status, onChoose }: RequestLogProps) {
  const log = useRequestLog(scope, hours, status)
  return (
    <Card
      title="Latest requests"
      aside={<SelectField label="Responses" value={status} choices={STATUSES} onChoose={onChoose} />}
      flush
    >
      <QueryView query={log}>
        {({ logs, totalItems }) =>
          logs.length === 0 ? (
            <StateMessage title="No requests" icon="search">
              No request in this time range had such a response.
            </StateMessage>
          ) : (
            <DataTable
              caption={`Latest of ${plural(totalItems, 'request')}`}
              rows={logs}
              keyOf={({ requestId }) => requestId}
              columns={[
                { title: 'Time', cell: ({ timestamp }) => <RelativeTime at={timestamp} /> },
                { title: 'Endpoint', cell: ({ endpoint }) => <code>{endpoint}</code> },
                { title: 'Chain', cell: ({ chain }) => (chain === null ? '–' : <ChainName slug={chain} />) },
                { title: 'Response', cell: (request) => <ResponsePill {...request} /> },
                { title: 'Latency', cell: ({ latencyMs }) => `${latencyMs.toFixed(1)} ms`, isNumber: true },
              ]}
            />
          )
        }
      </QueryView>
    </Card>
  )
}

function ResponsePill({ status, code }: Pick<LogEntry, 'status' | 'code'>) {
  const tone = status < 400 ? 'green' : status < 500 ? 'amber' : 'red'
  return <TonePill tone={tone}>{code === null ? status : `${status} ${code}`}</TonePill>
}
