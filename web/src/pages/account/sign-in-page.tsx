import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { ApiError } from '../../api/api-error.ts'
import { authPost } from '../../api/auth-requests.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { useAfterSignIn } from './after-sign-in.ts'
import { AuthPage, CONFIRMED_PAGE, EmailField } from './auth-page.tsx'
import { WalletButton } from './wallet-button.tsx'

export function SignInPage() {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const search = useSearch()
  const onSignedIn = useAfterSignIn()
  const signIn = useMutation({
    mutationFn: () =>
      authPost('/sign-in/email', { email, password, callbackURL: CONFIRMED_PAGE }).catch(explainUnverified),
    onSuccess: async (answer) => {
      if (!needsCode(answer)) await onSignedIn()
    },
  })
  if (needsCode(signIn.data)) return <CodePage onSignedIn={onSignedIn} />
  return (
    <AuthPage
      title="Sign in"
      lead={new URLSearchParams(search).has('next') ? 'Sign in to continue.' : undefined}
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
      <EmailField value={email} onChange={setEmail} />
      <TextField
        label="Password"
        type="password"
        required
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <FormError error={signIn.error} />
      <Button type="submit" kind="primary" disabled={signIn.isPending}>
        {signIn.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
      <WalletButton onSignedIn={onSignedIn} />
    </AuthPage>
  )
}

const needsCode = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'twoFactorRedirect' in answer

/** The second step of a sign-in with one-time codes. */
function CodePage({ onSignedIn }: { readonly onSignedIn: () => Promise<void> }) {
  const [code, setCode] = useState('')
  const verify = useMutation({
    // A code of the app has six digits; anything else is a backup code.
    mutationFn: () =>
      authPost(/^\d{6}$/.test(code) ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code', { code }),
    onSuccess: onSignedIn,
  })
  return (
    <AuthPage
      title="Enter your code"
      lead="Open your authenticator app, or use a backup code."
      onSubmit={() => verify.mutate()}
      below={<Link href="/reset-password">Forgot your password?</Link>}
    >
      <TextField
        label="Code"
        autoComplete="one-time-code"
        required
        autoFocus
        value={code}
        onChange={(event) => setCode(event.target.value.trim())}
      />
      <FormError error={verify.error} />
      <Button type="submit" kind="primary" disabled={verify.isPending}>
        {verify.isPending ? 'Checking…' : 'Sign in'}
      </Button>
    </AuthPage>
  )
}

function explainUnverified(error: unknown): never {
  if (error instanceof ApiError && error.code === 'email_not_verified')
    throw new ApiError(error.status, error.code, 'This e-mail address is not confirmed yet. We sent you a new link.')
  throw error
}
