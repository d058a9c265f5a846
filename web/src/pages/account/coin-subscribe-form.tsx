import { type FormEvent, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { useAbout } from '../../api/use-about.ts'
import {
  type CoinEventKind,
  type CoinSubscription,
  type NewCoinSubscription,
  useSubscribeCoins,
} from '../../api/use-coin-alerts.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { COIN_TEXTS } from '../../text/names.ts'
import { COIN_EVENT_TEXTS, COIN_EVENTS, type KeptWallet } from './coin-alert-options.ts'
import styles from './coin-subscribe-form.module.css'

const TXID = /^[0-9a-f]{64}$/i
const CONFIRMATIONS = [1, 2, 3, 6, 12, 100].map((count) => ({ value: String(count), text: String(count) }))
const OTHER = 'other'

/** The form for a new coin subscription. `search` fills it in. */
export function CoinSubscribeForm({
  search,
  wallets,
}: {
  readonly search: string
  readonly wallets: readonly KeptWallet[]
}) {
  const given = new URLSearchParams(search)
  const enabled = (useAbout().data?.coins ?? []).filter((coin) => coin.enabled).map(({ id }) => id)
  const [chosenChain, setChain] = useState(given.get('chain'))
  const chain = (enabled.find((id) => id === chosenChain) ?? enabled[0] ?? 'btc') satisfies CoinSubscription['chain']
  const [walletId, setWallet] = useState(OTHER)
  const [target, setTarget] = useState(given.get('address') ?? given.get('txid') ?? '')
  const [events, setEvents] = useState<ReadonlySet<CoinEventKind>>(new Set(COIN_EVENTS))
  const [confirmations, setConfirmations] = useState('1')
  const [isSubmitted, setSubmitted] = useState(false)
  const subscribe = useSubscribeCoins()
  const wallet = wallets.find((each) => each.walletId === walletId)
  const { error } = subscribe
  const refusal = error instanceof ApiError && error.code === 'invalid_address' ? error.message : undefined
  const isMissing = wallet === undefined && target.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (isMissing || events.size === 0) return
    const text = target.trim()
    const body: NewCoinSubscription = {
      chain: wallet?.chain ?? chain,
      ...(wallet !== undefined ? { walletId } : TXID.test(text) ? { txid: text } : { address: text }),
      events: COIN_EVENTS.filter((kind) => events.has(kind)),
      confirmations: Number(confirmations),
    }
    subscribe.mutate(body, {
      onSuccess: () => {
        setTarget('')
        setSubmitted(false)
      },
    })
  }
  const toggle = (kind: CoinEventKind, isOn: boolean) =>
    setEvents((before) => (isOn ? before.union(new Set([kind])) : before.difference(new Set([kind]))))
  return (
    <form className={styles.form} onSubmit={submit} aria-label="New coin alert" noValidate>
      {wallets.length > 0 && (
        <SelectField
          label="Watch"
          value={walletId}
          choices={[
            { value: OTHER, text: 'Address or transaction' },
            ...wallets.map((each) => ({
              value: each.walletId,
              text: `${each.name === '' ? 'Wallet' : each.name} (${COIN_TEXTS[each.chain].name})`,
            })),
          ]}
          onChoose={setWallet}
        />
      )}
      {wallet === undefined && (
        <>
          <SelectField
            label="Chain"
            value={chain}
            choices={enabled.map((id) => ({ value: id, text: COIN_TEXTS[id].name }))}
            onChoose={setChain}
          />
          <div className={styles.target}>
            <TextField
              label="Address or transaction"
              value={target}
              spellCheck={false}
              autoComplete="off"
              error={isSubmitted && isMissing ? 'Enter an address, or the id of a transaction.' : refusal}
              onChange={(event) => {
                setTarget(event.target.value)
                subscribe.reset()
              }}
            />
          </div>
        </>
      )}
      <fieldset className={styles.events}>
        <legend>Events</legend>
        {COIN_EVENTS.map((kind) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={events.has(kind)}
              onChange={(event) => toggle(kind, event.target.checked)}
            />
            {COIN_EVENT_TEXTS[kind]}
          </label>
        ))}
        {isSubmitted && events.size === 0 && <span role="alert">Choose at least one.</span>}
      </fieldset>
      <SelectField
        label="Confirmations"
        value={confirmations}
        choices={CONFIRMATIONS}
        disabled={!events.has('confirmed')}
        onChoose={setConfirmations}
      />
      <Button type="submit" kind="primary" disabled={subscribe.isPending}>
        Watch
      </Button>
      <FormError error={refusal === undefined ? subscribe.error : null} />
    </form>
  )
}
