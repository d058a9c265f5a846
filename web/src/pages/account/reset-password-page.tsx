/** Both halves of a reset: asking for the mail, and the page its link leads to. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useSearch } from 'wouter'
import { authPost } from '../../api/auth.ts'
import { useAbout } from '../../api/use-about.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { FormFault } from '../../components/form-fault.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { Door } from './door.tsx'

export function ResetPasswordPage() {
  const given = new URLSearchParams(useSearch())
  const token = given.get('token')
  return token === null ? <AskForMail isExpired={given.has('error')} /> : <ChoosePassword token={token} />
}

function AskForMail({ isExpired }: { readonly isExpired: boolean }) {
  const [email, setEmail] = useState('')
  const mail = useAbout().data?.mail
  const ask = useMutation({
    mutationFn: () => authPost('/request-password-reset', { email, redirectTo: '/reset-password' }),
  })
  if (mail === false)
    return (
      <Door title="Reset your password">
        <StateMessage title="This service sends no mail">
          A password can be reset by a mailed link only. Ask whoever runs the service to set SMTP_URL.
        </StateMessage>
      </Door>
    )
  if (ask.isSuccess)
    return (
      <Door title="Reset your password">
        <StateMessage title="Look into your mail" icon="check">
          If {email} has an account here, a link is on its way. It works for an hour.
        </StateMessage>
      </Door>
    )
  return (
    <Door
      title="Reset your password"
      lead={isExpired ? 'That link has expired or was used already. Ask for a new one.' : 'We send you a link.'}
      onSubmit={() => ask.mutate()}
      below={<Link href="/sign-in">Back to signing in</Link>}
    >
      <TextField
        label="E-mail"
        type="email"
        required
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <FormFault error={ask.error} />
      <Button type="submit" kind="primary" disabled={ask.isPending}>
        Send the link
      </Button>
    </Door>
  )
}

function ChoosePassword({ token }: { readonly token: string }) {
  const [newPassword, setNewPassword] = useState('')
  const reset = useMutation({ mutationFn: () => authPost('/reset-password', { newPassword, token }) })
  if (reset.isSuccess)
    return (
      <Door title="Choose a new password">
        <StateMessage
          title="Your password is changed"
          icon="check"
          action={
            <Link href="/sign-in" className={buttonClass('primary')}>
              Sign in
            </Link>
          }
        >
          Everyone who was signed in with the old one is signed out.
        </StateMessage>
      </Door>
    )
  return (
    <Door title="Choose a new password" onSubmit={() => reset.mutate()}>
      <TextField
        label="New password"
        type="password"
        required
        minLength={8}
        maxLength={256}
        autoComplete="new-password"
        value={newPassword}
        hint="At least 8 characters"
        onChange={(event) => setNewPassword(event.target.value)}
      />
      <FormFault error={reset.error} />
      <Button type="submit" kind="primary" disabled={reset.isPending}>
        Change the password
      </Button>
    </Door>
  )
}
