import { type FormEvent, useId, useState } from 'react'
import type { Severity } from '../../../../vocabulary/severities.ts'
import { useChainChoices } from '../../api/use-about.ts'
import { type NewSubscription, useSubscribe } from '../../api/use-alerts.ts'
import { useContractSuggestions } from '../../api/use-search.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { ALL_CHANNELS, alertAtOf, DEFAULT_TIME, SEVERITY_CHOICES, TIME_CHOICES } from './alert-options.ts'
import styles from './subscribe-form.module.css'

const ADDRESS = /^0x[0-9a-f]{40}$/i

/** The form for a new subscription. `search` fills it in. */
export function SubscribeForm({ search }: { readonly search: string }) {
  const given = new URLSearchParams(search)
  const chains = useChainChoices(given.get('chain'))
  const [kind, setKind] = useState(given.get('protocol') === null ? 'contract' : 'protocol')
  const [chosenChain, setChain] = useState(given.get('chain'))
  const chain = chosenChain ?? chains[0]?.value ?? ''
  const [address, setAddress] = useState(given.get('address') ?? '')
  const [protocol, setProtocol] = useState(given.get('protocol') ?? '')
  const [minSeverity, setMinSeverity] = useState<Severity>('info')
  const [time, setTime] = useState(DEFAULT_TIME)
  const [isSubmitted, setSubmitted] = useState(false)
  const subscribe = useSubscribe()
  const isAddress = ADDRESS.test(address.trim())
  const suggestionsId = useId()
  const suggestions = useContractSuggestions(isAddress ? '' : address.trim()).data ?? []
  const chainName = (slug: string) => chains.find(({ value }) => value === slug)?.text ?? slug
  /** A suggestion is chosen with its chain. */
  const choose = (text: string) => {
    setAddress(text)
    const suggested = suggestions.find((one) => one.address === text)
    if (suggested !== undefined) setChain(suggested.chainSlug)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (kind === 'contract' && !isAddress) return
    const options = { minSeverity, channels: ALL_CHANNELS, includeControllers: true, alertAt: alertAtOf(time) }
    const body: NewSubscription =
      kind === 'protocol'
        ? { ...options, protocol: protocol.trim() }
        : { ...options, chain, address: address.trim().toLowerCase() }
    subscribe.mutate(body, {
      onSuccess: () => {
        setAddress('')
        setProtocol('')
        setSubmitted(false)
      },
    })
  }
  return (
    <form
      className={`${styles.form} ${styles[kind]}`}
      onSubmit={submit}
      aria-label="New alert"
      noValidate={kind === 'contract'}
    >
      <SelectField
        label="Watch"
        value={kind}
        choices={[
          { value: 'contract', text: 'Contract' },
          { value: 'protocol', text: 'Protocol' },
        ]}
        onChoose={setKind}
      />
      {kind === 'contract' ? (
        <>
          <SelectField label="Chain" value={chain} choices={chains} onChoose={setChain} />
          <TextField
            label="Contract address"
            value={address}
            placeholder="0x… or a name"
            spellCheck={false}
            autoComplete="off"
            list={suggestionsId}
            error={isSubmitted && !isAddress ? 'Choose a contract by its name, or enter its address.' : undefined}
            onChange={(event) => choose(event.target.value)}
          />
          <datalist id={suggestionsId}>
            {suggestions.map(({ chainSlug, address: found, name, protocol }) => (
              <option key={`${chainSlug} ${found}`} value={found}>
                {[name, protocol, chainName(chainSlug)].filter(Boolean).join(' · ')}
              </option>
            ))}
          </datalist>
        </>
      ) : (
        <TextField
          label="Protocol"
          value={protocol}
          required
          placeholder="aave"
          onChange={(event) => setProtocol(event.target.value)}
        />
      )}
      <SelectField
        label="Severity"
        value={minSeverity}
        choices={SEVERITY_CHOICES}
        onChoose={(severity) => setMinSeverity(severity as Severity)}
      />
      <SelectField label="Send alerts" value={time} choices={TIME_CHOICES} onChoose={setTime} />
      <Button type="submit" kind="primary" disabled={subscribe.isPending}>
        Watch
      </Button>
      <FormError error={subscribe.error} />
    </form>
  )
}
