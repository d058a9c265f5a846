import { useState } from 'react'
import { type Scope, useRequestLog } from '../../api/use-traffic.ts'
import { Card } from '../../components/card.tsx'
import { SelectField } from '../../components/field.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { Table } from '../../components/table.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural } from '../../text/numbers.ts'

const STATUSES = [
  { value: '', text: 'All answers' },
  { value: '2xx', text: 'Successful' },
  { value: '4xx', text: 'Refused' },
  { value: '5xx', text: 'Failed' },
]

/** The latest single requests. */
export function RequestLog({ scope, hours }: { readonly scope: Scope; readonly hours: number }) {
  const [status, setStatus] = useState('')
  const log = useRequestLog(scope, hours, status)
  return (
    <Card
      title="Latest requests"
      aside={<SelectField label="Answers" value={status} choices={STATUSES} onChoose={setStatus} />}
      flush
    >
      <QueryView query={log}>
        {({ logs, totalItems }) =>
          logs.length === 0 ? (
            <StateMessage title="No such request" icon="search">
              Nothing in this time was answered so.
            </StateMessage>
          ) : (
            <Table
              label={`Latest of ${plural(totalItems, 'request')}`}
              head={['When', 'Endpoint', 'Chain', 'Answer', 'Took']}
              figures={[4]}
              rows={logs.map(({ requestId, timestamp, endpoint, chain, status: answered, code, latencyMs }) => [
                <RelativeTime key={requestId} at={timestamp} />,
                <code key="endpoint">{endpoint}</code>,
                chain ?? '–',
                <TonePill key="answer" tone={answered < 400 ? 'green' : answered < 500 ? 'amber' : 'red'}>
                  {code === null ? answered : `${answered} ${code}`}
                </TonePill>,
                `${latencyMs.toFixed(1)} ms`,
              ])}
            />
          )
        }
      </QueryView>
    </Card>
  )
}
