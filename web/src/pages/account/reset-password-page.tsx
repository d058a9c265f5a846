/** Requests a password reset by e-mail, and sets the new password on the page that the e-mail links to. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { authPost } from '../../api/auth-requests.ts'
import { useAbout } from '../../api/use-about.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { AuthPage, EmailField, NewPasswordField } from './auth-page.tsx'

export function ResetPasswordPage() {
  const given = new URLSearchParams(useSearch())
  const token = given.get('token')
  return token === null ? <RequestReset isExpired={given.has('error')} /> : <ChoosePassword token={token} />
}

function RequestReset({ isExpired }: { readonly isExpired: boolean }) {
  const [email, setEmail] = useState('')
  const mail = useAbout().data?.mail
  const request = useMutation({
    mutationFn: () => authPost('/request-password-reset', { email, redirectTo: '/reset-password' }),
  })
  if (mail === false)
    return (
      <AuthPage title="Reset your password">
        <StateMessage
          title="This service does not send e-mail"
          action={
            <Link href="/sign-in" className={buttonClass()}>
              Go back to sign in
            </Link>
          }
        >
          A password can only be reset with a link sent by e-mail. Ask the operator of this service for help.
        </StateMessage>
      </AuthPage>
    )
  if (request.isSuccess)
    return (
      <AuthPage title="Reset your password">
        <StateMessage title="Check your e-mail" icon="check">
          If {email} has an account, we sent a link to it. The link works for one hour.
        </StateMessage>
      </AuthPage>
    )
  return (
    <AuthPage
      title="Reset your password"
      lead={isExpired ? 'The link has expired or was already used. Request a new one.' : 'We will send you a link.'}
      onSubmit={() => request.mutate()}
      below={<Link href="/sign-in">Back to sign in</Link>}
    >
      <EmailField value={email} onChange={setEmail} />
      <FormError error={request.error} />
      <Button type="submit" kind="primary" disabled={request.isPending}>
        Send link
      </Button>
    </AuthPage>
  )
}

function ChoosePassword({ token }: { readonly token: string }) {
  const [newPassword, setNewPassword] = useState('')
  const reset = useMutation({ mutationFn: () => authPost('/reset-password', { newPassword, token }) })
  if (reset.isSuccess)
    return (
      <AuthPage title="Choose a new password">
        <StateMessage
          title="Password changed"
          icon="check"
          action={
            <Link href="/sign-in" className={buttonClass('primary')}>
              Sign in
            </Link>
          }
        >
          All sessions with the old password are signed out.
        </StateMessage>
      </AuthPage>
    )
  return (
    <AuthPage title="Choose a new password" onSubmit={() => reset.mutate()}>
      <NewPasswordField label="New password" value={newPassword} onChange={setNewPassword} />
      <FormError error={reset.error} />
      <Button type="submit" kind="primary" disabled={reset.isPending}>
        Change password
      </Button>
    </AuthPage>
  )
}
