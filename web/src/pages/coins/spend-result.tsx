import type { Simulation } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Figures } from '../../components/figures.tsx'
import { Notice } from '../../components/notice.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { codeName } from '../../text/codes.ts'
import { type CoinChain, feeRate } from '../../text/coins.ts'
import { plural, wholeNumber } from '../../text/numbers.ts'
import { ChosenCoins } from './chosen-coins.tsx'
import layout from './layout.module.css'
import styles from './spend-result.module.css'

export const REASONS: Readonly<Record<NonNullable<Simulation['reason']>, string>> = {
  NO_UTXOS: 'The address has no coins that can be spent.',
  INSUFFICIENT_FUNDS: 'The address does not hold enough.',
  FEES_EXCEED: 'The coins would not pay for their own fees.',
  AMOUNT_BELOW_DUST: 'The amount is so small that nodes would not relay it.',
  TX_TOO_LARGE: 'It takes so many coins that nodes would not relay the transaction.',
  FEE_BELOW_MIN_RELAY: 'The rate is below what nodes relay.',
}

export function SpendResult({ chain, result }: { readonly chain: CoinChain; readonly result: Simulation }) {
  const { viable, reason, shortfall, warnings, assumptions, excluded } = result
  return (
    <div className={layout.stack}>
      <div className={styles.verdict}>
        <TonePill tone={viable ? 'green' : 'red'} large>
          {viable ? 'Can be paid' : 'Cannot be paid'}
        </TonePill>
        {reason !== null && <span>{REASONS[reason]}</span>}
        {!viable && shortfall > 0 && (
          <span>
            <Amount satoshi={shortfall} chain={chain} /> are missing.
          </span>
        )}
      </div>
      {warnings.map((warning) => (
        <Notice key={warning}>
          {warning.replace(/^[A-Z_]+(?=: )/, codeName).replace('fromAddress', 'the paying address')}
        </Notice>
      ))}
      {viable && (
        <>
          <ChosenCoins chain={chain} result={result} />
          <Figures
            items={[
              {
                name: 'Fee',
                value: <Amount satoshi={result.estimatedFee} chain={chain} />,
                note: `${feeRate(result.effectiveFeeRate)} sat/vB`,
              },
              { name: 'Change', value: <Amount satoshi={result.change} /> },
              { name: 'Coins used', value: wholeNumber(result.inputCount) },
              {
                name: 'Size',
                value: `${wholeNumber(result.estimatedSize)} vB`,
                note: `weight ${wholeNumber(result.weight)}`,
              },
              { name: 'Chosen by', value: result.algorithm === null ? '–' : codeName(result.algorithm) },
              { name: 'Script', value: result.scriptType },
            ]}
          />
        </>
      )}
      {(assumptions.length > 0 || excluded.immature + excluded.unconfirmed > 0) && (
        <ul className={layout.faint}>
          {assumptions.map((assumption) => (
            <li key={assumption}>{assumption.replace(/^[A-Z_]+(?=: )/, codeName)}</li>
          ))}
          {excluded.unconfirmed > 0 && <li>{plural(excluded.unconfirmed, 'coin')} left out: not confirmed yet.</li>}
          {excluded.immature > 0 && <li>{plural(excluded.immature, 'coin')} left out: just minted, not mature yet.</li>}
        </ul>
      )}
    </div>
  )
}
