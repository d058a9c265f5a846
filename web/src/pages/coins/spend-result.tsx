import type { Simulation } from '../../api/use-coins.ts'
import { Amount } from '../../components/amount.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Stack } from '../../components/columns.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Figures } from '../../components/figures.tsx'
import { Notice } from '../../components/notice.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import { feeRate, plural, wholeNumber } from '../../text/amounts.ts'
import { type CoinChain, codeName, scriptTypeName } from '../../text/names.ts'
import layout from './layout.module.css'
import { SelectedUtxos } from './selected-utxos.tsx'
import styles from './spend-result.module.css'

const REASON_TEXTS: Readonly<Record<NonNullable<Simulation['reason']>, string>> = {
  NO_UTXOS: 'The address has no spendable UTXOs.',
  INSUFFICIENT_FUNDS: 'The balance is too low.',
  FEES_EXCEED: 'The UTXOs are worth less than the fee to spend them.',
  AMOUNT_BELOW_DUST: 'The amount is below the dust limit.',
  TX_TOO_LARGE: 'The transaction would exceed the size that nodes relay.',
  FEE_BELOW_MIN_RELAY: 'The fee rate is below the minimum relay fee.',
  INPUT_SIZE_ASSUMED: 'The address has never been spent from, so the size of its inputs is assumed.',
}

/** `PRIVACY_SELF_CHANGE: The change …` → `The change …`. The code is for programs. */
const withoutCode = (text: string): string => text.replace(/^[A-Z_]+: /, '')

export function SpendResult({ chain, result }: { readonly chain: CoinChain; readonly result: Simulation }) {
  const { viable, reason, shortfall, warnings, assumptions, excluded } = result
  return (
    <Stack>
      <div className={styles.verdict}>
        <TonePill tone={viable ? 'green' : 'red'} large>
          {viable ? 'Payment possible' : 'Payment not possible'}
        </TonePill>
        {reason !== null && <span>{REASON_TEXTS[reason]}</span>}
        {!viable && shortfall > 0 && (
          <span>
            Missing: <Amount satoshi={shortfall} chain={chain} />.
          </span>
        )}
      </div>
      {warnings.map((warning) => (
        <Notice key={warning}>{withoutCode(warning)}</Notice>
      ))}
      {viable && (
        <>
          <SelectedUtxos chain={chain} result={result} />
          <Figures
            items={[
              {
                name: 'Fee',
                value: <Amount satoshi={result.estimatedFee} chain={chain} />,
                note: `${feeRate(result.effectiveFeeRate)} sat/vB`,
              },
              { name: 'Change', value: <Amount satoshi={result.change} chain={chain} /> },
              { name: 'UTXOs', value: wholeNumber(result.inputCount) },
              {
                name: 'Size',
                value: `${wholeNumber(result.estimatedSize)} vB`,
                note: `weight ${wholeNumber(result.weight)}`,
              },
              { name: 'Algorithm', value: result.algorithm === null ? '–' : codeName(result.algorithm) },
              { name: 'Script type', value: scriptTypeName(result.scriptType) },
            ]}
          />
        </>
      )}
      {result.psbt != null && <UnsignedTransaction psbt={result.psbt} />}
      {(assumptions.length > 0 ||
        excluded.immature + excluded.unconfirmed + excluded.mustNotUse + excluded.protected > 0) && (
        <ul className={layout.faint}>
          {assumptions.map((assumption) => (
            <li key={assumption}>{withoutCode(assumption)}</li>
          ))}
          {excluded.unconfirmed > 0 && <li>{plural(excluded.unconfirmed, 'UTXO')} excluded: unconfirmed.</li>}
          {excluded.protected > 0 && (
            <li>{plural(excluded.protected, 'UTXO')} not spent: inscriptions, runes or signs of a dust attack.</li>
          )}
          {excluded.mustNotUse > 0 && <li>{plural(excluded.mustNotUse, 'UTXO')} excluded by you.</li>}
          {excluded.immature > 0 && <li>{plural(excluded.immature, 'UTXO')} excluded: immature coinbase.</li>}
        </ul>
      )}
    </Stack>
  )
}

/** The transaction as a file for a wallet to sign. */
function UnsignedTransaction({ psbt }: { readonly psbt: string }) {
  return (
    <div className={styles.psbt}>
      <a className={buttonClass()} href={`data:application/octet-stream;base64,${psbt}`} download="payment.psbt">
        Download PSBT
      </a>
      <span className={layout.faint}>
        The unsigned transaction, for a wallet to check, sign and send. <CopyButton text={psbt} what="PSBT in base64" />
      </span>
    </div>
  )
}
