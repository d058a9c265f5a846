/** The unit in which a visitor reads coin amounts: whole coins or satoshi. Kept in the browser. */
import { useSyncExternalStore } from 'react'
import { axisCoinAmount, coinAmount, satoshiAmount, shortNumber } from '../text/amounts.ts'
import { findChoice, keepChoice } from '../text/kept-choice.ts'
import { COIN_TEXTS, type CoinChain } from '../text/names.ts'
import styles from './coin-unit.module.css'

const KEY = 'coin-unit'
const SATOSHI = 'sat'
const subscribers = new Set<() => void>()

const showsSatoshi = (): boolean => findChoice(KEY) === SATOSHI

function subscribe(notify: () => void): () => void {
  subscribers.add(notify)
  window.addEventListener('storage', notify)
  return () => {
    subscribers.delete(notify)
    window.removeEventListener('storage', notify)
  }
}

function choose(satoshi: boolean): void {
  keepChoice(KEY, satoshi ? SATOSHI : undefined)
  for (const notify of subscribers) notify()
}

const COINS = {
  amountOf: coinAmount,
  axisTextOf: axisCoinAmount,
  symbolOf: (chain: CoinChain) => COIN_TEXTS[chain].symbol,
}
const SATOSHIS = { amountOf: satoshiAmount, axisTextOf: shortNumber, symbolOf: () => SATOSHI }

/** Texts of amounts in the chosen unit. */
export const useCoinUnit = (): typeof COINS => (useSyncExternalStore(subscribe, showsSatoshi) ? SATOSHIS : COINS)

export function UnitSwitch({ chain }: { readonly chain: CoinChain }) {
  const isSatoshi = useCoinUnit() === SATOSHIS
  const { symbol } = COIN_TEXTS[chain]
  return (
    <span className={styles.units} role="group" aria-label="Unit of amounts">
      {[false, true].map((satoshi) => (
        <button
          key={String(satoshi)}
          type="button"
          aria-pressed={isSatoshi === satoshi}
          onClick={() => choose(satoshi)}
        >
          {satoshi ? SATOSHI : symbol}
        </button>
      ))}
    </span>
  )
}
