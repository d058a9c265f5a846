import { type FormEvent, useState } from 'react'
import { useAbout } from '../../api/use-about.ts'
import { type RegisteredContract, useSaveContract } from '../../api/use-operator.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { TonePill } from '../../components/tone-pill.tsx'
import styles from './contract-form.module.css'

type ContractFormProps = { readonly edited: RegisteredContract | undefined; readonly onDone: () => void }

/** Adds a contract to the registry, or edits the given one. */
export function ContractForm({ edited, onDone }: ContractFormProps) {
  const chains = useAbout().data?.chains ?? []
  const [chain, setChain] = useState(edited?.chainSlug ?? 'ethereum')
  const [address, setAddress] = useState(edited?.address ?? '')
  const [name, setName] = useState(edited?.name ?? '')
  const [protocol, setProtocol] = useState(edited?.protocol ?? '')
  const save = useSaveContract()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const edit = { chain, address: address.trim(), name: name.trim(), protocol: protocol.trim() }
    save.mutate(edit, { onSuccess: onDone })
  }
  return (
    <form className={styles.form} onSubmit={submit} aria-label="Contract">
      <SelectField
        label="Chain"
        value={chain}
        disabled={edited !== undefined}
        choices={chains.map(({ slug, name: text }) => ({ value: slug, text }))}
        onChoose={setChain}
      />
      <TextField
        label="Address"
        required
        value={address}
        readOnly={edited !== undefined}
        placeholder="0x…"
        spellCheck={false}
        onChange={(event) => setAddress(event.target.value)}
      />
      <TextField label="Name" maxLength={128} value={name} onChange={(event) => setName(event.target.value)} />
      <TextField
        label="Protocol"
        maxLength={128}
        value={protocol}
        onChange={(event) => setProtocol(event.target.value)}
      />
      <div className={styles.actions}>
        <Button type="submit" kind="primary" disabled={save.isPending}>
          {edited === undefined ? 'Add' : 'Save'}
        </Button>
        {edited !== undefined && (
          <Button kind="quiet" onClick={onDone}>
            Cancel
          </Button>
        )}
        {save.isSuccess && (
          <span role="status">
            <TonePill tone="green">{save.data.isNew ? 'Added' : 'Saved'}</TonePill>
          </span>
        )}
      </div>
      <FormError error={save.error} />
    </form>
  )
}
