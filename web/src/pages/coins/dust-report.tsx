import type { Analysis } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { Figures } from '../../components/figures.tsx'
import { Hash } from '../../components/hash.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { plural, wholeNumber } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import styles from './dust-report.module.css'
import layout from './layout.module.css'

/** UTXOs that cost more to spend than they hold, and UTXOs that may be a dust attack. */
export function DustReport({ chain, dust }: { readonly chain: CoinChain; readonly dust: Analysis['dust'] }) {
  const { count, value, uneconomic, suspects } = dust
  return (
    <>
      <Figures
        items={[
          { name: 'Dust', value: plural(count, 'UTXO'), note: <Amount satoshi={value} chain={chain} /> },
          {
            name: 'Uneconomical to spend',
            value: wholeNumber(uneconomic.medium),
            note: `at the medium fee, ${wholeNumber(uneconomic.high)} at the high fee`,
          },
        ]}
      />
      {suspects.length === 0 ? (
        <p className={`${layout.faint} ${layout.below}`}>No signs of a dust attack.</p>
      ) : (
        <ul className={layout.notes}>
          {suspects.map(({ txid, vout, value: held, verdict, reasons }) => (
            <li key={`${txid}:${vout}`} className={styles.suspect}>
              <span className={styles.head}>
                <TonePill tone={verdict === 'probable' ? 'red' : 'amber'}>
                  {verdict === 'probable' ? 'Probable dust attack' : 'Possible dust attack'}
                </TonePill>
                <Hash text={txid} what="transaction" href={`/coins/${chain}/tx/${txid}`} copy={false} />
                <Amount satoshi={held} chain={chain} />
              </span>
              <span>{reasons.join('; ')}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
