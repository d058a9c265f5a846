import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { authPost } from '../../api/auth-requests.ts'
import { useAbout } from '../../api/use-about.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { useAfterSignIn } from './after-sign-in.ts'
import { AuthPage, CONFIRMED_PAGE, EmailField, NewPasswordField } from './auth-page.tsx'
import { WalletButton } from './wallet-button.tsx'

export function SignUpPage() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const search = useSearch()
  const mail = useAbout().data?.mail
  const onSignedIn = useAfterSignIn()
  const signUp = useMutation({
    mutationFn: async () => {
      const body = { email, password, name: email, callbackURL: CONFIRMED_PAGE }
      const { token } = (await authPost('/sign-up/email', body)) as { readonly token: string | null }
      return token !== null
    },
    onSuccess: (isSignedIn) => (isSignedIn ? onSignedIn() : undefined),
  })
  if (signUp.data === false)
    return (
      <AuthPage title="Confirm your e-mail address">
        <StateMessage title="Check your e-mail" icon="check">
          We sent a link to {email}. Open it to confirm the address and sign in. If the address already has an account,
          no link is sent: sign in instead.
        </StateMessage>
      </AuthPage>
    )
  return (
    <AuthPage
      title="Sign up"
      lead="Get API keys, and alerts when control of a contract changes."
      onSubmit={() => signUp.mutate()}
      below={
        <span>
          Already have an account? <Link href={`/sign-in${search === '' ? '' : `?${search}`}`}>Sign in</Link>
        </span>
      }
    >
      <EmailField
        value={email}
        onChange={setEmail}
        hint={mail === false ? 'This service does not send e-mail, so the address is not verified.' : undefined}
      />
      <NewPasswordField label="Password" value={password} onChange={setPassword} />
      <FormError error={signUp.error} />
      <Button type="submit" kind="primary" disabled={signUp.isPending}>
        {signUp.isPending ? 'Signing up…' : 'Sign up'}
      </Button>
      <WalletButton onSignedIn={onSignedIn} />
    </AuthPage>
  )
}
