import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { authPost } from '../../api/auth.ts'
import { useAbout } from '../../api/use-about.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { FormFault } from '../../components/form-fault.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { Door } from './door.tsx'
import { useEntry } from './use-entry.ts'
import { WalletButton } from './wallet-button.tsx'

export function SignUpPage() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const search = useSearch()
  const mail = useAbout().data?.mail
  const enter = useEntry()
  const signUp = useMutation({
    mutationFn: async () => {
      const body = { email, password, name: email, callbackURL: '/verify-email' }
      const { token } = (await authPost('/sign-up/email', body)) as { readonly token: string | null }
      return token !== null
    },
    onSuccess: (isSignedIn) => (isSignedIn ? enter() : undefined),
  })
  if (signUp.data === false)
    return (
      <Door title="One more step">
        <StateMessage title="Look into your mail" icon="check">
          We sent a link to {email}. Open it to confirm that the address is yours, and you are signed in. Who has an
          account already gets no mail: sign in instead.
        </StateMessage>
      </Door>
    )
  return (
    <Door
      title="Sign up"
      lead="Keys for both interfaces, and alerts when control changes."
      onSubmit={() => signUp.mutate()}
      below={
        <span>
          An account already? <Link href={`/sign-in${search === '' ? '' : `?${search}`}`}>Sign in</Link>
        </span>
      }
    >
      <TextField
        label="E-mail"
        type="email"
        required
        autoComplete="email"
        value={email}
        hint={mail === false ? 'Not confirmed by mail: this service sends none.' : undefined}
        onChange={(event) => setEmail(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        required
        minLength={8}
        maxLength={256}
        autoComplete="new-password"
        value={password}
        hint="At least 8 characters"
        onChange={(event) => setPassword(event.target.value)}
      />
      <FormFault error={signUp.error} />
      <Button type="submit" kind="primary" disabled={signUp.isPending}>
        {signUp.isPending ? 'Signing up …' : 'Sign up'}
      </Button>
      <WalletButton onEntered={enter} />
    </Door>
  )
}
