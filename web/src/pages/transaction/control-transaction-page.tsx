/** What a transaction changed: the calls of Safes and timelocks in it, and all its control events in the order of its logs. */
import { useParams } from 'wouter'
import type { ControlEvent } from '../../api/service.ts'
import { useTransactionEvents } from '../../api/use-contract.ts'
import { useHasNames, useTokens } from '../../api/use-names.ts'
import { Account, TextWithAccounts } from '../../components/account.tsx'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Stack } from '../../components/columns.tsx'
import { EventList } from '../../components/event-list.tsx'
import { ExplorerLink } from '../../components/explorer-link.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural, wholeNumber } from '../../text/amounts.ts'
import styles from './control-transaction-page.module.css'
import { type Execution, executionsOf } from './executed-calls.ts'

/** A change that a poll found has no transaction of its own. */
const isPolled = ({ eventKey }: ControlEvent): boolean => eventKey.startsWith('slot.')

export function ControlTransactionPage() {
  const { chain = '', hash = '' } = useParams()
  const events = useTransactionEvents({ chain, hash })
  const hasNames = useHasNames()
  const tokenOf = useTokens()
  return (
    <>
      <PageHeader
        title={events.data?.every(isPolled) === true ? 'Change of state' : 'Transaction'}
        lead={<Hash text={hash} what="transaction" full />}
      />
      <QueryView
        query={events}
        isReady={hasNames}
        errorView={({ status }) =>
          status === 404 || status === 400 ? (
            <Card>
              <StateMessage
                title="No control change in this transaction"
                icon="search"
                action={status === 404 && <ExplorerLink chain={chain} to={{ tx: hash }} text="View transaction" />}
              >
                Gatewatch stores transactions that change who controls a watched contract.{' '}
                {status === 404 ? (
                  <>
                    It has none with this hash on <ChainName slug={chain} />.
                  </>
                ) : (
                  'A transaction hash has 0x and 64 hexadecimal characters.'
                )}
              </StateMessage>
            </Card>
          ) : undefined
        }
      >
        {(found) => {
          const [first] = found
          const contracts = new Set(found.map(({ address }) => address)).size
          return (
            <Stack>
              <Card>
                <Figures
                  items={[
                    { name: 'Chain', value: <ChainName slug={chain} /> },
                    { name: 'Block', value: first === undefined ? '–' : wholeNumber(first.blockNumber) },
                    { name: 'Time', value: first === undefined ? '–' : <RelativeTime at={first.blockTime} /> },
                    { name: 'Contracts', value: wholeNumber(contracts) },
                    {
                      name: 'Explorer',
                      value:
                        first === undefined ? (
                          '–'
                        ) : (
                          <ExplorerLink
                            chain={chain}
                            to={isPolled(first) ? { block: first.blockNumber } : { tx: hash }}
                            text={isPolled(first) ? 'View block' : 'View transaction'}
                          />
                        ),
                    },
                  ]}
                />
              </Card>
              {first !== undefined && isPolled(first) && (
                <Notice>A poll of the state found this change in the block. No log announced it.</Notice>
              )}
              <Executions executions={executionsOf(found, (address) => tokenOf(chain, address))} chain={chain} />
              <Card title={plural(found.length, 'control event')} flush>
                <EventList events={found} isGrouped={false} />
              </Card>
            </Stack>
          )
        }}
      </QueryView>
    </>
  )
}

function Executions({ executions, chain }: { readonly executions: readonly Execution[]; readonly chain: string }) {
  if (executions.length === 0) return null
  return (
    <Card title="What it executed">
      {executions.map(({ by, calls, isComplete }, at) => (
        <div key={at} className={styles.execution}>
          <p>
            <Account chain={chain} text={by} copy={false} /> executed {plural(calls.length, 'call')}
            {!isComplete && ', and more that are not listed'}
          </p>
          <ol>
            {calls.map((text, index) => (
              <li key={index}>
                <TextWithAccounts text={text} chain={chain} />
              </li>
            ))}
          </ol>
        </div>
      ))}
    </Card>
  )
}
