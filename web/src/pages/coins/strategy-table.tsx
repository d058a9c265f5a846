import type { Simulation } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Button } from '../../components/button.tsx'
import { useCoinUnit } from '../../components/coin-unit.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import { STRATEGIES, STRATEGY_TEXTS, type Strategy } from './spend-form.ts'

type StrategyTableProps = {
  readonly chain: CoinChain
  readonly result: Simulation
  readonly onChoose: (strategy: Strategy) => void
}
type Outcome = NonNullable<Simulation['strategies']>[number]

const isStrategy = (text: string): text is Strategy => STRATEGIES.some((strategy) => strategy === text)

/** A column that is empty for strategies that cannot pay. */
const figure = (title: string, cell: Column<Outcome>['cell']): Column<Outcome> => ({
  title,
  cell: (outcome) => (outcome.viable ? cell(outcome) : '–'),
  isNumber: true,
})

const columnsOf = (symbol: string): readonly Column<Outcome>[] => [
  { title: 'Strategy', cell: ({ strategy }) => (isStrategy(strategy) ? STRATEGY_TEXTS[strategy] : strategy) },
  figure('UTXOs', ({ inputCount }) => wholeNumber(inputCount)),
  figure(`Fee, ${symbol}`, ({ estimatedFee }) => <Amount satoshi={estimatedFee} />),
  figure(`Change, ${symbol}`, ({ change }) => <Amount satoshi={change} />),
  figure('Size, vB', ({ estimatedSize }) => wholeNumber(estimatedSize)),
  figure('Waste, sat', ({ waste }) => (waste === null ? '–' : wholeNumber(Math.round(waste)))),
]

/** Compares the payment by all strategies. */
export function StrategyTable({ chain, result, onChoose }: StrategyTableProps) {
  const symbol = useCoinUnit().symbolOf(chain)
  const state = ({ strategy, viable }: Outcome) => {
    if (!viable) return <TonePill tone="red">Not possible</TonePill>
    if (strategy === result.utxoSelection || !isStrategy(strategy)) return <TonePill tone="green">Selected</TonePill>
    return (
      <Button onClick={() => onChoose(strategy)} aria-label={`Show strategy ${strategy}`}>
        Show
      </Button>
    )
  }
  return (
    <DataTable
      caption="Comparison of strategies"
      isStacked
      rows={result.strategies ?? []}
      keyOf={({ strategy }) => strategy}
      columns={[...columnsOf(symbol), { title: '', cell: state }]}
    />
  )
}
