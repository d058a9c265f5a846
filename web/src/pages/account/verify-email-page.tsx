/** Where the link in a confirmation mail leads. */
import { Link, useSearch } from 'wouter'
import { buttonClass } from '../../components/button.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { Door } from './door.tsx'

export function VerifyEmailPage() {
  const hasFailed = new URLSearchParams(useSearch()).has('error')
  return (
    <Door title="Confirm your e-mail address">
      {hasFailed ? (
        <StateMessage
          title="This link does not work any more"
          icon="warning"
          action={
            <Link href="/sign-in" className={buttonClass()}>
              Sign in
            </Link>
          }
        >
          It has expired or was used already. Sign in, and a new one is sent where it is needed.
        </StateMessage>
      ) : (
        <StateMessage
          title="Your address is confirmed"
          icon="check"
          action={
            <Link href="/account" className={buttonClass('primary')}>
              Go to your account
            </Link>
          }
        />
      )}
    </Door>
  )
}
