import { coinAmount } from '../text/amounts.ts'
import { COIN_TEXTS, type CoinChain } from '../text/names.ts'
import styles from './amount.module.css'

type AmountProps = { readonly satoshi: number; readonly chain?: CoinChain; readonly signed?: boolean }

/** An exact amount in whole coins, with the symbol of `chain` if given. */
export function Amount({ satoshi, chain, signed = false }: AmountProps) {
  const text = coinAmount(satoshi)
  return (
    <span className={styles.amount}>
      {signed && satoshi > 0 ? `+${text}` : text}
      {chain !== undefined && <span className={styles.symbol}> {COIN_TEXTS[chain].symbol}</span>}
    </span>
  )
}
