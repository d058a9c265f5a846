import type { Simulation } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Button } from '../../components/button.tsx'
import { Table } from '../../components/table.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { codeName } from '../../text/codes.ts'
import { wholeNumber } from '../../text/numbers.ts'
import { STRATEGIES, type Strategy } from './spend-form.ts'

type StrategyTableProps = { readonly result: Simulation; readonly onChoose: (strategy: Strategy) => void }

/** The same payment by every strategy. */
export function StrategyTable({ result, onChoose }: StrategyTableProps) {
  const rows = (result.strategies ?? []).map((each) => {
    const strategy = STRATEGIES.find((name) => name === each.strategy)
    return [
      codeName(each.strategy),
      each.viable ? wholeNumber(each.inputCount) : '–',
      each.viable ? <Amount key="fee" satoshi={each.estimatedFee} /> : '–',
      each.viable ? <Amount key="change" satoshi={each.change} /> : '–',
      each.viable ? wholeNumber(each.estimatedSize) : '–',
      each.waste === null ? '–' : wholeNumber(Math.round(each.waste)),
      !each.viable ? (
        <TonePill key="state" tone="red">
          Not possible
        </TonePill>
      ) : each.strategy === result.utxoSelection ? (
        <TonePill key="state" tone="green">
          Shown above
        </TonePill>
      ) : (
        strategy !== undefined && (
          <Button key="choose" onClick={() => onChoose(strategy)} aria-label={`Show the strategy ${strategy}`}>
            Show
          </Button>
        )
      ),
    ]
  })
  return (
    <Table
      label="All strategies side by side"
      head={['Strategy', 'Coins', 'Fee', 'Change', 'vB', 'Waste', '']}
      rows={rows}
      figures={[1, 2, 3, 4, 5]}
    />
  )
}
