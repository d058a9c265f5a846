import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { coinPath } from '../../text/coin-links.ts'
import type { CoinChain } from '../../text/names.ts'
import styles from './lookup-form.module.css'

/** Opens the page of an address, a transaction or a block. */
export function LookupForm({ chain }: { readonly chain: CoinChain }) {
  const [text, setText] = useState('')
  const [isInvalid, setInvalid] = useState(false)
  const [, navigate] = useLocation()
  const search = (event: FormEvent) => {
    event.preventDefault()
    const path = coinPath(chain, text)
    setInvalid(path === undefined)
    if (path !== undefined) navigate(path)
  }
  return (
    <form className={styles.form} onSubmit={search} noValidate>
      <TextField
        label="Address, transaction or block"
        value={text}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        error={isInvalid ? 'Enter an address, a transaction id, or a block hash or height.' : undefined}
        onChange={(event) => {
          setText(event.target.value)
          setInvalid(false)
        }}
      />
      <Button type="submit">Look up</Button>
    </form>
  )
}
