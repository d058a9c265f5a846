import { useState } from 'react'
import { useAddressUtxos } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { plural, wholeNumber } from '../../text/amounts.ts'
import { type CoinChain, shortHex } from '../../text/names.ts'
import styles from './coin-control.module.css'
import { coinErrorView } from './coin-error.tsx'
import type { SpendForm } from './spend-form.ts'

/** A UTXO with neither is spent if the strategy selects it. */
const CHOICES = [
  ['use', 'Spend'],
  ['spare', 'Do not spend'],
] as const

type CoinControlProps = {
  readonly chain: CoinChain
  readonly address: string
  readonly form: SpendForm
  readonly onChange: (part: Partial<SpendForm>) => void
}

/** The UTXOs of the payer, each of which can be required or excluded. */
export function CoinControl({ chain, address, form: { use, spare }, onChange }: CoinControlProps) {
  const [isOpen, setOpen] = useState(use.length + spare.length > 0)
  const without = (list: readonly string[], outpoint: string) => list.filter((one) => one !== outpoint)
  const choose = (outpoint: string, choice: Choice) =>
    onChange({
      use: choice === 'use' ? [...without(use, outpoint), outpoint] : without(use, outpoint),
      spare: choice === 'spare' ? [...without(spare, outpoint), outpoint] : without(spare, outpoint),
    })
  const chosen = [
    ...(use.length > 0 ? [`${wholeNumber(use.length)} required`] : []),
    ...(spare.length > 0 ? [`${wholeNumber(spare.length)} excluded`] : []),
  ]
  return (
    <details className={styles.control} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Choose UTXOs{chosen.length > 0 && `: ${chosen.join(', ')}`}</summary>
      {isOpen && <Choices chain={chain} address={address} use={use} spare={spare} onChoose={choose} />}
    </details>
  )
}

type Choice = 'use' | 'spare' | 'any'

type ChoicesProps = Pick<SpendForm, 'use' | 'spare'> & {
  readonly chain: CoinChain
  readonly address: string
  readonly onChoose: (outpoint: string, choice: Choice) => void
}

function Choices({ chain, address, use, spare, onChoose }: ChoicesProps) {
  const utxos = useAddressUtxos(chain, address)
  return (
    <QueryView query={utxos} loading={<SkeletonRows count={3} />} errorView={coinErrorView}>
      {({ utxos: found, limited }) => (
        <>
          <ul className={styles.list}>
            {found.map(({ txid, vout, value, confirmations }) => {
              const outpoint = `${txid}:${vout}`
              return (
                <li key={outpoint}>
                  <span>
                    <Amount satoshi={value} chain={chain} />
                    <small title={outpoint}>
                      {shortHex(txid)}:{vout}, {plural(confirmations, 'confirmation')}
                    </small>
                  </span>
                  <span className={styles.choice} role="group" aria-label={`UTXO ${shortHex(txid)}:${vout}`}>
                    {CHOICES.map(([choice, text]) => {
                      const isChosen = (choice === 'use' ? use : spare).includes(outpoint)
                      return (
                        <button
                          key={choice}
                          type="button"
                          aria-pressed={isChosen}
                          onClick={() => onChoose(outpoint, isChosen ? 'any' : choice)}
                        >
                          {text}
                        </button>
                      )
                    })}
                  </span>
                </li>
              )
            })}
          </ul>
          {limited && <small>Only the {wholeNumber(found.length)} largest UTXOs are listed.</small>}
        </>
      )}
    </QueryView>
  )
}
