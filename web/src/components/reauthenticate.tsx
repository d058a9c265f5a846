import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { authPost } from '../api/auth-requests.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import styles from './form-error.module.css'

/** Asks for the password again. It can be part of a form, so it is not a form itself. */
export function Reauthenticate() {
  const [password, setPassword] = useState('')
  const verify = useMutation({ mutationFn: () => authPost('/verify-password', { password }) })
  if (verify.isSuccess) return <p role="status">Password confirmed. Repeat your change.</p>
  return (
    <div className={styles.again} role="group" aria-label="Confirm your password">
      <p>This change needs a recent sign-in. Enter your password, or sign in again with your wallet.</p>
      <TextField
        label="Your password"
        type="password"
        autoComplete="current-password"
        value={password}
        error={verify.error?.message}
        onChange={(event) => setPassword(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          verify.mutate()
        }}
      />
      <Button disabled={verify.isPending || password === ''} onClick={() => verify.mutate()}>
        {verify.isPending ? 'Checking…' : 'Confirm'}
      </Button>
      <Link href="/sign-in">Sign in again</Link>
    </div>
  )
}
