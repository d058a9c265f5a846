import type { Fees } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { type CoinChain, feeRate } from '../../text/coins.ts'
import styles from './fee-tiers.module.css'

/** One input, two outputs, the usual kind. */
const USUAL_VSIZE = 141

const TIERS = [
  ['low', 'Low', 'within a day'],
  ['medium', 'Medium', 'within half an hour'],
  ['high', 'High', 'in the next block or two'],
  ['urgent', 'Urgent', 'in the next block'],
] as const

export function FeeTiers({ chain, fees }: { readonly chain: CoinChain; readonly fees: Fees }) {
  return (
    <ul className={styles.tiers}>
      {TIERS.map(([tier, name, when]) => (
        <li key={tier}>
          <h3>{name}</h3>
          <p className={styles.rate}>
            {feeRate(fees[tier])} <span>sat/vB</span>
          </p>
          <p className={styles.note}>{chain === 'ltc' ? when.replace('half an hour', 'ten minutes') : when}</p>
          <p className={styles.note}>
            <Amount satoshi={Math.ceil(fees[tier] * USUAL_VSIZE)} chain={chain} /> for a usual payment
          </p>
        </li>
      ))}
    </ul>
  )
}
