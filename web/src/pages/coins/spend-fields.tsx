import { type FormEvent, useState } from 'react'
import type { Fees } from '../../api/use-coins.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { feeRate } from '../../text/amounts.ts'
import type { CoinChain } from '../../text/names.ts'
import { CoinControl } from './coin-control.tsx'
import { RecipientFields } from './recipient-fields.tsx'
import styles from './spend-fields.module.css'
import {
  type FieldError,
  isComplete,
  rateOf,
  type SpendForm,
  STRATEGIES,
  STRATEGY_TEXTS,
  type Strategy,
  TIERS,
  type Tier,
} from './spend-form.ts'

/** May be an address. The service decides whether it is one. */
const ADDRESS = /^[0-9a-z]{26,110}$/i

const TIER_TEXTS = { low: 'Low', medium: 'Medium', high: 'High', urgent: 'Urgent' } as const

type SpendFieldsProps = {
  readonly chain: CoinChain
  readonly form: SpendForm
  readonly fees: Fees | undefined
  /** The error of a field of `form` that the service returned. */
  readonly refused: FieldError | undefined
  readonly onChange: () => void
  readonly onSubmit: (form: SpendForm) => void
}

export function SpendFields({ chain, form, fees, refused, onChange, onSubmit }: SpendFieldsProps) {
  const [draft, setDraft] = useState(form)
  const [isSubmitted, setSubmitted] = useState(false)
  const change = (part: Partial<SpendForm>) => {
    setDraft({ ...draft, ...part })
    onChange()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (isComplete(draft)) onSubmit(draft)
  }
  const errorAt = (field: FieldError['field']) => (refused?.field === field ? refused.text : undefined)
  const tierText = (tier: (typeof TIERS)[number]) =>
    fees === undefined
      ? TIER_TEXTS[tier]
      : `${TIER_TEXTS[tier]}: ${feeRate(rateOf({ ...draft, tier }, fees) ?? 0)} sat/vB`
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="Payment">
      <TextField
        label="From address"
        reservesError
        value={draft.from}
        spellCheck={false}
        autoComplete="off"
        error={isSubmitted && draft.from === '' ? 'Enter the address that pays.' : errorAt('from')}
        onChange={(event) => change({ from: event.target.value.trim(), use: [], spare: [] })}
      />
      <RecipientFields chain={chain} form={draft} isSubmitted={isSubmitted} refused={refused} onChange={change} />
      <SelectField
        label="Fee"
        value={draft.tier}
        choices={[
          ...TIERS.map((tier) => ({ value: tier, text: tierText(tier) })),
          { value: 'custom', text: 'Custom rate' },
        ]}
        onChoose={(tier) => change({ tier: tier as Tier })}
      />
      {draft.tier === 'custom' && (
        <TextField
          label="Rate, sat/vB"
          value={draft.rate}
          inputMode="decimal"
          error={
            isSubmitted && rateOf(draft, fees) === undefined
              ? 'Enter a rate up to 10,000 with at most 3 decimal places.'
              : errorAt('rate')
          }
          onChange={(event) => change({ rate: event.target.value })}
        />
      )}
      {!draft.sendAll && (
        <SelectField
          label="Strategy"
          value={draft.strategy}
          choices={STRATEGIES.map((value) => ({ value, text: STRATEGY_TEXTS[value] }))}
          onChoose={(strategy) => change({ strategy: strategy as Strategy })}
        />
      )}
      {ADDRESS.test(draft.from) && (
        <CoinControl key={draft.from} chain={chain} address={draft.from} form={draft} onChange={change} />
      )}
      <Button type="submit" kind="primary">
        Simulate
      </Button>
    </form>
  )
}
