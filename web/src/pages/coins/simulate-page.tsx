/** Simulates a payment: the selected UTXOs, the fee and a comparison of all strategies. */

import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { ApiError } from '../../api/api-error.ts'
import { useFees, useSimulation } from '../../api/use-coins.ts'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import type { CoinChain } from '../../text/names.ts'
import { coinErrorView } from './coin-error.tsx'
import { CoinPage } from './coin-page.tsx'
import layout from './layout.module.css'
import { SpendFields } from './spend-fields.tsx'
import { dustErrorOf, fieldErrorOf, isComplete, readSpend, type SpendForm, spendOf, writeSpend } from './spend-form.ts'
import { SpendResult } from './spend-result.tsx'
import { StrategyTable } from './strategy-table.tsx'

export const SimulatePage = () => <CoinPage>{(chain) => <SimulateView key={chain} chain={chain} />}</CoinPage>

function SimulateView({ chain }: { readonly chain: CoinChain }) {
  const form = readSpend(useSearch())
  const [, navigate] = useLocation()
  const fees = useFees(chain)
  const spend = spendOf(form, fees.data)
  const simulation = useSimulation(chain, spend)
  // What the visitor changes makes the result below outdated until the payment is simulated again.
  const [isEdited, setEdited] = useState(false)
  const show = (next: SpendForm) => {
    setEdited(false)
    navigate(`/coins/${chain}/simulate?${writeSpend(next)}`)
  }
  const { data: result, error } = simulation
  const refused =
    spend === undefined || isEdited
      ? undefined
      : error instanceof ApiError
        ? fieldErrorOf(error.message)
        : result && dustErrorOf(result)
  return (
    <>
      <PageHeader
        title="Payment simulator"
        lead="Which UTXOs a payment would spend, its fee and its change. Nothing is signed or sent."
      />
      <div className={layout.side}>
        <Card>
          <SpendFields
            key={writeSpend(form)}
            chain={chain}
            form={form}
            fees={fees.data}
            refused={refused}
            onChange={() => setEdited(true)}
            onSubmit={show}
          />
        </Card>
        {spend === undefined && isComplete(form) ? (
          // Only the fee rates are missing: still loading, or failed.
          <QueryView query={fees} errorView={coinErrorView}>
            {() => null}
          </QueryView>
        ) : spend === undefined ? (
          <Card>
            <StateMessage title="Enter a payment" icon="arrow">
              Enter who pays and who is paid. The selected UTXOs appear here, with a comparison of all strategies and
              the unsigned transaction.
            </StateMessage>
          </Card>
        ) : isEdited ? (
          <Card>
            <StateMessage title="The payment has changed" icon="arrow">
              Choose Simulate to see its UTXOs, its fee and its change.
            </StateMessage>
          </Card>
        ) : (
          <QueryView
            query={simulation}
            errorView={(failed) =>
              refused === undefined ? (
                coinErrorView(failed)
              ) : (
                <StateMessage title="Correct the marked field" icon="arrow" />
              )
            }
          >
            {(result) => (
              <Stack>
                <Card title="Payment">
                  <SpendResult chain={chain} result={result} />
                </Card>
                {result.strategies !== undefined && (
                  <Card title="Comparison of strategies" flush>
                    <StrategyTable chain={chain} result={result} onChoose={(strategy) => show({ ...form, strategy })} />
                  </Card>
                )}
              </Stack>
            )}
          </QueryView>
        )}
      </div>
    </>
  )
}
