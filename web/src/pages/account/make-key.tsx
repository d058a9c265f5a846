import { type FormEvent, useState } from 'react'
import { type KeyFamily, useMakeKey } from '../../api/use-keys.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { TextField } from '../../components/field.tsx'
import { FormFault } from '../../components/form-fault.tsx'
import { Notice } from '../../components/notice.tsx'
import styles from './stack.module.css'

type MakeKeyProps = {
  readonly family: KeyFamily
  readonly isFull: boolean
  readonly exampleOf: (key: string) => string
}

/** Makes a key and shows it, this once. */
export function MakeKey({ family, isFull, exampleOf }: MakeKeyProps) {
  const [name, setName] = useState('')
  const make = useMakeKey(family)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate(name.trim(), { onSuccess: () => setName('') })
  }
  return (
    <div className={styles.stack}>
      {make.data !== undefined && (
        <div className={styles.stack} data-made-key>
          <Notice>Copy the key now: it is not shown again.</Notice>
          <CodeBlock title={`Key ${make.data.name}`} text={make.data.key} />
          <CodeBlock title="Try it" text={exampleOf(make.data.key)} />
        </div>
      )}
      <FormFault error={make.error} />
      {isFull ? (
        <p className={styles.faint}>You have all the keys an account may have. Revoke one to make another.</p>
      ) : (
        <form className={styles.inline} onSubmit={submit}>
          <TextField
            label="Name of a new key"
            required
            maxLength={64}
            placeholder="production"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" kind="primary" disabled={make.isPending}>
            Make a key
          </Button>
        </form>
      )}
    </div>
  )
}
