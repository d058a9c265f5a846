import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { ApiFailure } from '../../api/api-failure.ts'
import { authPost } from '../../api/auth.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { FormFault } from '../../components/form-fault.tsx'
import { Door } from './door.tsx'
import { useEntry } from './use-entry.ts'
import { WalletButton } from './wallet-button.tsx'

export function SignInPage() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const search = useSearch()
  const enter = useEntry()
  const signIn = useMutation({
    mutationFn: () => authPost('/sign-in/email', { email, password, callbackURL: '/verify-email' }).catch(inOurWords),
    onSuccess: enter,
  })
  return (
    <Door
      title="Sign in"
      lead={new URLSearchParams(search).has('next') ? 'To go on where you were.' : undefined}
      onSubmit={() => signIn.mutate()}
      below={
        <>
          <span>
            No account yet? <Link href={`/sign-up${search === '' ? '' : `?${search}`}`}>Sign up</Link>
          </span>
          <Link href="/reset-password">Forgot your password?</Link>
        </>
      }
    >
      <TextField
        label="E-mail"
        type="email"
        required
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        required
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <FormFault error={signIn.error} />
      <Button type="submit" kind="primary" disabled={signIn.isPending}>
        {signIn.isPending ? 'Signing in …' : 'Sign in'}
      </Button>
      <WalletButton onEntered={enter} />
    </Door>
  )
}

function inOurWords(error: unknown): never {
  if (error instanceof ApiFailure && error.code === 'email_not_verified')
    throw new ApiFailure(
      error.status,
      error.code,
      'This e-mail address is not confirmed yet. A new mail with a link is on its way.',
    )
  throw error
}
