import { COIN_TEXTS, type CoinChain, coinAmount } from '../text/coins.ts'
import styles from './amount.module.css'

type AmountProps = { readonly satoshi: number; readonly chain?: CoinChain; readonly signed?: boolean }

/** An amount in whole coins, to the last digit; with its symbol where `chain` is given. */
export function Amount({ satoshi, chain, signed = false }: AmountProps) {
  const text = coinAmount(satoshi)
  return (
    <span className={styles.amount}>
      {signed && satoshi > 0 ? `+${text}` : text}
      {chain !== undefined && <span className={styles.symbol}> {COIN_TEXTS[chain].symbol}</span>}
    </span>
  )
}
