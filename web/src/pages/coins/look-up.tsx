import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import type { CoinChain } from '../../text/coins.ts'
import { coinPath } from './coin-path.ts'
import styles from './look-up.module.css'

/** One field for an address, a transaction or a block. */
export function LookUp({ chain }: { readonly chain: CoinChain }) {
  const [text, setText] = useState('')
  const [isRefused, setRefused] = useState(false)
  const [, navigate] = useLocation()
  const search = (event: FormEvent) => {
    event.preventDefault()
    const path = coinPath(chain, text)
    setRefused(path === undefined)
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
        fault={isRefused ? 'An address, 64 hexadecimal characters, or a height.' : undefined}
        onChange={(event) => {
          setText(event.target.value)
          setRefused(false)
        }}
      />
      <Button type="submit">Look up</Button>
    </form>
  )
}
