import type { CoinChain } from '../text/names.ts'
import styles from './amount.module.css'
import { useCoinUnit } from './coin-unit.tsx'

type AmountProps = { readonly satoshi: number; readonly chain?: CoinChain; readonly signed?: boolean }

/** An exact amount in the unit that the visitor chose, with the symbol of `chain` if given. */
export function Amount({ satoshi, chain, signed = false }: AmountProps) {
  const { amountOf, symbolOf } = useCoinUnit()
  const text = amountOf(satoshi)
  return (
    <span className={styles.amount}>
      {signed && satoshi > 0 ? `+${text}` : text}
      {chain !== undefined && <span className={styles.symbol}> {symbolOf(chain)}</span>}
    </span>
  )
}
