import type { Analysis } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import type { CoinChain } from '../../text/coins.ts'
import { plural, wholeNumber } from '../../text/numbers.ts'
import styles from './dust-report.module.css'
import layout from './layout.module.css'

/** Coins too small to be worth their own input, and those that someone may have sent to watch where they go. */
export function DustReport({ chain, dust }: { readonly chain: CoinChain; readonly dust: Analysis['dust'] }) {
  const { count, value, uneconomic, suspects } = dust
  return (
    <>
      <Figures
        items={[
          { name: 'Dust', value: plural(count, 'coin'), note: <Amount satoshi={value} chain={chain} /> },
          {
            name: 'Cost more than they hold',
            value: wholeNumber(uneconomic.medium),
            note: `at the medium rate; ${wholeNumber(uneconomic.high)} at the high one`,
          },
        ]}
      />
      {suspects.length === 0 ? (
        <p className={`${layout.faint} ${layout.below}`}>No coin looks as if it had been sent to trace its owner.</p>
      ) : (
        <ul className={layout.notes}>
          {suspects.map(({ txid, vout, value: held, verdict, reasons }) => (
            <li key={`${txid}:${vout}`} className={styles.suspect}>
              <span className={styles.head}>
                <TonePill tone={verdict === 'probable' ? 'red' : 'amber'}>
                  {verdict === 'probable' ? 'Probably traced' : 'Possibly traced'}
                </TonePill>
                <Hash text={txid} what="transaction" href={`/coins/${chain}/tx/${txid}`} copy={false} />
                <Amount satoshi={held} />
              </span>
              <span>{reasons.join('; ')}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
