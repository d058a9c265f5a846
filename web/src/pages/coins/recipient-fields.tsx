import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { COIN_TEXTS, type CoinChain } from '../../text/names.ts'
import styles from './spend-fields.module.css'
import {
  amountHint,
  type FieldError,
  faultOf,
  type Recipient,
  type RecipientFault,
  type SpendForm,
} from './spend-form.ts'

const MOST = 20

const ADDRESS_FAULTS: Readonly<Partial<Record<RecipientFault, string>>> = {
  address: 'Enter the address that is paid.',
  repeated: 'This address is a recipient already. Enter the sum of both amounts there.',
}

type RecipientFieldsProps = {
  readonly chain: CoinChain
  readonly form: SpendForm
  /** Faults of empty fields are shown after a first attempt. */
  readonly isSubmitted: boolean
  readonly refused: FieldError | undefined
  readonly onChange: (part: Partial<SpendForm>) => void
}

/** Who is paid and how much, with buttons for more recipients. */
export function RecipientFields({ chain, form, isSubmitted, refused, onChange }: RecipientFieldsProps) {
  const { recipients, sendAll } = form
  const change = (at: number, part: Partial<Recipient>) =>
    onChange({ recipients: recipients.map((one, index) => (index === at ? { ...one, ...part } : one)) })
  const many = recipients.length > 1
  return (
    <>
      {recipients.map(({ to, amount }, at) => {
        const fault = faultOf(form, at)
        const refusedAt = (field: FieldError['field']) =>
          refused?.field === field && refused.recipient === at ? refused.text : undefined
        const numbered = (text: string) => (many ? `${text} ${at + 1}` : text)
        return (
          <div key={at} className={styles.recipient}>
            <TextField
              label={numbered('To address')}
              reservesError
              value={to}
              spellCheck={false}
              autoComplete="off"
              error={
                (fault !== undefined && (isSubmitted || to !== '') ? ADDRESS_FAULTS[fault] : undefined) ??
                refusedAt('to')
              }
              onChange={(event) => change(at, { to: event.target.value.trim() })}
            />
            {!(sendAll && at === 0) && (
              <TextField
                label={`${numbered('Amount')}, ${COIN_TEXTS[chain].symbol}`}
                reservesError
                value={amount}
                inputMode="decimal"
                placeholder="0.01"
                autoComplete="off"
                error={fault === 'amount' && (isSubmitted || amount !== '') ? amountHint(amount) : refusedAt('amount')}
                onChange={(event) => change(at, { amount: event.target.value })}
              />
            )}
            {at > 0 && (
              <Button onClick={() => onChange({ recipients: recipients.filter((_, index) => index !== at) })}>
                Remove recipient {at + 1}
              </Button>
            )}
          </div>
        )
      })}
      {recipients.length < MOST && (
        <Button onClick={() => onChange({ recipients: [...recipients, { to: '', amount: '' }] })}>
          Add a recipient
        </Button>
      )}
      <label className={styles.choice}>
        <input type="checkbox" checked={sendAll} onChange={(event) => onChange({ sendAll: event.target.checked })} />
        {many ? 'Send the rest to recipient 1' : 'Send everything'}
      </label>
    </>
  )
}
