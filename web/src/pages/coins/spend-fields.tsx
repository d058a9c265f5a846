import { type FormEvent, useState } from 'react'
import type { Fees } from '../../api/use-coins.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { COIN_TEXTS, type CoinChain, feeRate, readCoinAmount } from '../../text/coins.ts'
import styles from './spend-fields.module.css'
import { rateOf, type SpendForm, STRATEGIES, type Strategy, TIERS, type Tier } from './spend-form.ts'

const STRATEGY_TEXTS: Readonly<Record<Strategy, string>> = {
  optimal: 'Optimal: least waste',
  largest: 'Largest coins first',
  smallest: 'Smallest coins first',
  oldest: 'Oldest coins first',
}
const TIER_TEXTS = { low: 'Low', medium: 'Medium', high: 'High', urgent: 'Urgent' } as const

type SpendFieldsProps = {
  readonly chain: CoinChain
  readonly form: SpendForm
  readonly fees: Fees | undefined
  readonly onSubmit: (form: SpendForm) => void
}

export function SpendFields({ chain, form, fees, onSubmit }: SpendFieldsProps) {
  const [draft, setDraft] = useState(form)
  const [isTried, setTried] = useState(false)
  const change = (part: Partial<SpendForm>) => setDraft({ ...draft, ...part })
  const isAmount = (readCoinAmount(draft.amount) ?? 0) > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const isRate = draft.tier !== 'own' || rateOf(draft, fees) !== undefined
    if (draft.from !== '' && draft.to !== '' && isAmount && isRate) onSubmit(draft)
  }
  const tierText = (tier: (typeof TIERS)[number]) =>
    fees === undefined
      ? TIER_TEXTS[tier]
      : `${TIER_TEXTS[tier]}: ${feeRate(rateOf({ ...draft, tier }, fees) ?? 0)} sat/vB`
  return (
    <form className={styles.form} onSubmit={submit} noValidate aria-label="Payment">
      <TextField
        label="From address"
        value={draft.from}
        spellCheck={false}
        autoComplete="off"
        fault={isTried && draft.from === '' ? 'Whose coins are to be spent?' : undefined}
        onChange={(event) => change({ from: event.target.value.trim() })}
      />
      <TextField
        label="To address"
        value={draft.to}
        spellCheck={false}
        autoComplete="off"
        fault={isTried && draft.to === '' ? 'Who is to be paid?' : undefined}
        onChange={(event) => change({ to: event.target.value.trim() })}
      />
      <TextField
        label={`Amount, ${COIN_TEXTS[chain].symbol}`}
        value={draft.amount}
        inputMode="decimal"
        placeholder="0.01"
        autoComplete="off"
        fault={(isTried || draft.amount !== '') && !isAmount ? 'An amount such as 0.01.' : undefined}
        onChange={(event) => change({ amount: event.target.value })}
      />
      <SelectField
        label="Fee"
        value={draft.tier}
        choices={[
          ...TIERS.map((tier) => ({ value: tier, text: tierText(tier) })),
          { value: 'own', text: 'My own rate' },
        ]}
        onChoose={(tier) => change({ tier: tier as Tier })}
      />
      {draft.tier === 'own' && (
        <TextField
          label="Rate, sat/vB"
          value={draft.rate}
          inputMode="numeric"
          fault={isTried && rateOf(draft, fees) === undefined ? 'A whole number from 1 to 10,000.' : undefined}
          onChange={(event) => change({ rate: event.target.value })}
        />
      )}
      <SelectField
        label="Strategy"
        value={draft.strategy}
        choices={STRATEGIES.map((value) => ({ value, text: STRATEGY_TEXTS[value] }))}
        onChoose={(strategy) => change({ strategy: strategy as Strategy })}
      />
      <Button type="submit" kind="primary">
        Simulate
      </Button>
    </form>
  )
}
