/** The page that the link in a confirmation e-mail leads to. */
import { Link, useSearch } from 'wouter'
import { buttonClass } from '../../components/button.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { AuthPage } from './auth-page.tsx'

export function VerifyEmailPage() {
  const hasFailed = new URLSearchParams(useSearch()).has('error')
  return (
    <AuthPage title="Confirm your e-mail address">
      {hasFailed ? (
        <StateMessage
          title="This link no longer works"
          icon="warning"
          action={
            <Link href="/sign-in" className={buttonClass()}>
              Sign in
            </Link>
          }
        >
          The link has expired or was already used. Sign in to get a new one.
        </StateMessage>
      ) : (
        <StateMessage
          title="E-mail address confirmed"
          icon="check"
          action={
            <Link href="/account" className={buttonClass('primary')}>
              Go to account
            </Link>
          }
        />
      )}
    </AuthPage>
  )
}
