import type { Tone } from '../../../../vocabulary/labels.ts'
import type { Analysis } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Figures } from '../../components/figures.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { type CoinChain, feeRate } from '../../text/coins.ts'
import { plural, wholeNumber } from '../../text/numbers.ts'
import { BreakEven } from './break-even.tsx'
import styles from './consolidation-advice.module.css'
import layout from './layout.module.css'

type Advice = Analysis['consolidation']

const VERDICTS: Readonly<Record<Advice['recommendation'], readonly [Tone, string]>> = {
  now: ['green', 'Join them now'],
  wait: ['amber', 'Wait for lower fees'],
  optional: ['grey', 'It hardly matters'],
  none: ['grey', 'Nothing to join'],
}

/** Whether many coins should become few, when, and what that costs and saves. */
export function ConsolidationAdvice({ chain, advice }: { readonly chain: CoinChain; readonly advice: Advice }) {
  const { recommendation, included, excluded, feeRate: rate, targetFeeRate, breakEvenFeeRate, cost, batches } = advice
  const [tone, text] = VERDICTS[recommendation]
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
          {plural(included, 'coin')} worth an input at {feeRate(rate)} sat/vB: there is nothing to make fewer of.
        </p>
      ) : (
        <>
          <BreakEven chain={chain} advice={{ ...advice, breakEvenFeeRate }} />
          <Figures
            items={[
              {
                name: 'Joins',
                value: plural(included, 'coin'),
                note:
                  excluded > 0 ? `${wholeNumber(excluded)} left out: not worth their input, or not settled` : undefined,
              },
              { name: 'Transactions', value: wholeNumber(batches.length) },
              { name: 'Costs now', value: <Amount satoshi={cost.medium} />, note: `at ${feeRate(rate)} sat/vB` },
              { name: 'Pays off from', value: `${feeRate(breakEvenFeeRate)} sat/vB` },
            ]}
          />
          <p className={layout.faint}>{advice.note}</p>
        </>
      )}
    </div>
  )
}
