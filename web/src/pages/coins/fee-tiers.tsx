import type { Fees } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { feeRate } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import styles from './fee-tiers.module.css'

/** The virtual size of a P2WPKH transaction with one input and two outputs. */
const TYPICAL_VSIZE = 141

const TIERS = [
  ['low', 'Low', 'Within a day'],
  ['medium', 'Medium', 'Within 30 minutes'],
  ['high', 'High', 'In one or two blocks'],
  ['urgent', 'Urgent', 'In the next block'],
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
          <p className={styles.note}>{chain === 'ltc' ? when.replace('30 minutes', '10 minutes') : when}</p>
          <p className={styles.note}>
            <Amount satoshi={Math.ceil(fees[tier] * TYPICAL_VSIZE)} chain={chain} /> per payment
          </p>
        </li>
      ))}
    </ul>
  )
}
