/** The spend simulator: which coins a payment would use, and what every strategy makes of it. */
import { useLocation, useSearch } from 'wouter'
import { useFees, useSimulation } from '../../api/use-coins.ts'
import { Card } from '../../components/card.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import type { CoinChain } from '../../text/coins.ts'
import { CoinPage } from './coin-page.tsx'
import layout from './layout.module.css'
import { refusedCoins } from './refused-coins.tsx'
import { SpendFields } from './spend-fields.tsx'
import { isDescribed, readSpend, type SpendForm, spendOf, writeSpend } from './spend-form.ts'
import { SpendResult } from './spend-result.tsx'
import { StrategyTable } from './strategy-table.tsx'

export const SimulatePage = () => <CoinPage>{(chain) => <SimulateView key={chain} chain={chain} />}</CoinPage>

function SimulateView({ chain }: { readonly chain: CoinChain }) {
  const form = readSpend(useSearch())
  const [, navigate] = useLocation()
  const fees = useFees(chain)
  const spend = spendOf(form, fees.data)
  const simulation = useSimulation(chain, spend)
  const show = (next: SpendForm) => navigate(`/coins/${chain}/simulate?${writeSpend(next)}`, { replace: true })
  return (
    <>
      <PageHeader
        title="Spend simulator"
        lead="Which coins a payment would use, what it costs, and what is left. Nothing is signed or sent."
      />
      <div className={layout.side}>
        <Card>
          <SpendFields key={writeSpend(form)} chain={chain} form={form} fees={fees.data} onSubmit={show} />
        </Card>
        {spend === undefined && isDescribed(form) ? (
          // Only the rates are missing: on their way, or not to be had.
          <QueryView query={fees} refused={refusedCoins}>
            {() => null}
          </QueryView>
        ) : spend === undefined ? (
          <Card>
            <StateMessage title="Describe a payment" icon="arrow">
              Name the address that pays, the one that is paid, and an amount: the chosen coins appear here, with all
              strategies side by side.
            </StateMessage>
          </Card>
        ) : (
          <QueryView query={simulation} refused={refusedCoins}>
            {(result) => (
              <div className={layout.stack}>
                <Card title="The payment">
                  <SpendResult chain={chain} result={result} />
                </Card>
                <Card title="All strategies side by side" flush>
                  <StrategyTable result={result} onChoose={(strategy) => show({ ...form, strategy })} />
                </Card>
              </div>
            )}
          </QueryView>
        )}
      </div>
    </>
  )
}
