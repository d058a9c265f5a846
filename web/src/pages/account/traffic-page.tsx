/** Traffic analytics of the account's API keys. The filters are in the address bar. */

import { useLocation, useSearch } from 'wouter'
import { type Scope, type Traffic, useTraffic } from '../../api/use-traffic.ts'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Stack } from '../../components/columns.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { SelectField } from '../../components/field.tsx'
import { Figures } from '../../components/figures.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { byteSize, wholeNumber } from '../../text/amounts.ts'
import { AccountFrame } from './account-frame.tsx'
import styles from './layout.module.css'
import { RequestLog, STATUSES } from './request-log.tsx'
import { TrafficChart } from './traffic-chart.tsx'

const RANGES = [
  { value: '24', text: 'Last 24 hours' },
  { value: '168', text: 'Last 7 days' },
  { value: '720', text: 'Last 30 days' },
] as const

export const TrafficPage = () => <AccountFrame>{({ operator }) => <TrafficView isOperator={operator} />}</AccountFrame>

const ms = (value: number | null): string =>
  value === null ? '–' : `${value < 10 ? value.toFixed(1) : wholeNumber(value)} ms`
const rate = (value: number | null): string => (value === null ? '–' : `${value}%`)

/** The columns that endpoints and chains share. */
const FIGURES: readonly Column<Traffic['endpoints']['endpoints'][number] | Traffic['chains']['chains'][number]>[] = [
  { title: 'Requests', cell: ({ requests }) => wholeNumber(requests), isNumber: true },
  { title: 'Successful', cell: ({ successRate }) => rate(successRate), isNumber: true },
  { title: 'Median', cell: ({ latencyMs }) => ms(latencyMs.p50), isNumber: true },
  { title: '95th percentile', cell: ({ latencyMs }) => ms(latencyMs.p95), isNumber: true },
]

function TrafficView({ isOperator }: { readonly isOperator: boolean }) {
  const given = new URLSearchParams(useSearch())
  const [, navigate] = useLocation()
  const hours = Number(RANGES.find(({ value }) => value === given.get('hours'))?.value ?? '24')
  const scope: Scope = isOperator && given.get('scope') === 'all' ? 'all' : 'own'
  const traffic = useTraffic(scope, hours)
  const status = STATUSES.find(({ value }) => value === given.get('status'))?.value ?? ''
  const show = (part: Readonly<Record<string, string>>) =>
    navigate(`/account/traffic?${new URLSearchParams({ hours: String(hours), scope, status, ...part }).toString()}`)
  return (
    <>
      <PageHeader
        title="Traffic"
        lead="Requests with your API keys, their latency and their errors."
        aside={
          <div className={styles.actions}>
            {isOperator && (
              <SelectField
                label="Account"
                value={scope}
                choices={[
                  { value: 'own', text: 'My keys' },
                  { value: 'all', text: 'All accounts' },
                ]}
                onChoose={(next) => show({ scope: next })}
              />
            )}
            <SelectField
              label="Range"
              value={String(hours)}
              choices={RANGES}
              onChoose={(next) => show({ hours: next })}
            />
          </div>
        }
      />
      <QueryView query={traffic}>
        {({ overview, endpoints, chains, hourly, daily, errors }) =>
          overview.requests === 0 ? (
            <Card>
              <StateMessage title="No requests in this time range" icon="timelock">
                Create an API key and call an API: every request appears here within seconds.
              </StateMessage>
            </Card>
          ) : (
            <Stack>
              <Card>
                <Figures
                  items={[
                    { name: 'Requests', value: wholeNumber(overview.requests) },
                    {
                      name: 'Successful',
                      value: rate(overview.successRate),
                      note: overview.failed > 0 && `${wholeNumber(overview.failed)} failed`,
                    },
                    { name: 'Median latency', value: ms(overview.latencyMs.p50) },
                    { name: '95th percentile latency', value: ms(overview.latencyMs.p95) },
                    { name: 'Data sent', value: byteSize(overview.bytes) },
                  ]}
                />
              </Card>
              <TrafficChart points={hours <= 168 ? hourly.points : daily.points} byDay={hours > 168} />
              <Card title="By endpoint" flush>
                <DataTable
                  caption="Requests by endpoint"
                  rows={endpoints.endpoints}
                  keyOf={({ endpoint }) => endpoint}
                  columns={[{ title: 'Endpoint', cell: ({ endpoint }) => <code>{endpoint}</code> }, ...FIGURES]}
                />
              </Card>
              <Card title="By chain" flush>
                <DataTable
                  caption="Requests by chain"
                  rows={chains.chains}
                  keyOf={({ chain }) => chain ?? ''}
                  columns={[
                    { title: 'Chain', cell: ({ chain }) => (chain === null ? 'No chain' : <ChainName slug={chain} />) },
                    ...FIGURES,
                  ]}
                />
              </Card>
              {errors.codes.length > 0 && (
                <Card title="Errors by code" flush>
                  <DataTable
                    caption="Number of errors by code"
                    rows={errors.codes}
                    keyOf={({ status, code }) => `${status} ${code}`}
                    columns={[
                      { title: 'Code', cell: ({ code }) => <code>{code}</code> },
                      { title: 'Status', cell: ({ status }) => status, isNumber: true },
                      { title: 'Requests', cell: ({ requests }) => wholeNumber(requests), isNumber: true },
                    ]}
                  />
                </Card>
              )}
              <RequestLog scope={scope} hours={hours} status={status} onChoose={(next) => show({ status: next })} />
            </Stack>
          )
        }
      </QueryView>
    </>
  )
}
