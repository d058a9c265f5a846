import type { Tone } from '../../../../vocabulary/labels.ts'
import type { Analysis } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Figures } from '../../components/figures.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { feeRate, plural, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import { BreakEven } from './break-even.tsx'
import styles from './consolidation-advice.module.css'
import layout from './layout.module.css'

type Advice = Analysis['consolidation']

const VERDICTS: Readonly<Record<Advice['recommendation'] | 'useless', readonly [Tone, string]>> = {
  now: ['green', 'Consolidate now'],
  wait: ['amber', 'Wait for lower fees'],
  optional: ['grey', 'Optional'],
  none: ['grey', 'Nothing to consolidate'],
  useless: ['grey', 'Not worth its fee'],
}

/** Whether to consolidate the UTXOs of an address, and what that costs and saves. */
export function ConsolidationAdvice({ chain, advice }: { readonly chain: CoinChain; readonly advice: Advice }) {
  const { recommendation, included, excluded, feeRate: rate, targetFeeRate, breakEvenFeeRate, cost, batches } = advice
  const [tone, text] = VERDICTS[recommendation === 'none' && breakEvenFeeRate !== null ? 'useless' : recommendation]
  return (
    <div className={styles.advice}>
      <div className={styles.verdict}>
        <TonePill tone={tone} large>
          {text}
        </TonePill>
        {targetFeeRate !== null && <span className={layout.faint}>until {feeRate(targetFeeRate)} sat/vB or less</span>}
      </div>
      {breakEvenFeeRate === null ? (
        <p className={layout.faint}>
          {plural(included, 'UTXO')} economical to spend at {feeRate(rate)} sat/vB.
        </p>
      ) : (
        <>
          <BreakEven chain={chain} advice={{ ...advice, breakEvenFeeRate }} />
          <Figures
            items={[
              {
                name: 'Would consolidate',
                value: plural(included, 'UTXO'),
                note: excluded > 0 ? `${wholeNumber(excluded)} excluded: uneconomical or unconfirmed` : undefined,
              },
              { name: 'Transactions', value: wholeNumber(batches.length) },
              {
                name: 'Cost now',
                value: <Amount satoshi={cost.medium} chain={chain} />,
                note: `at ${feeRate(rate)} sat/vB`,
              },
              { name: 'Break-even', value: `${feeRate(breakEvenFeeRate)} sat/vB` },
            ]}
          />
          <p className={layout.faint}>{advice.note}</p>
        </>
      )}
    </div>
  )
}
