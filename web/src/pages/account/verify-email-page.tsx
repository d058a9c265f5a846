/** The page that the link in a confirmation e-mail leads to, after the service has read its token. */
import { Link, useSearch } from 'wouter'
import { useSession } from '../../api/use-session.ts'
import { buttonClass } from '../../components/button.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { AuthPage } from './auth-page.tsx'

export function VerifyEmailPage() {
  const given = new URLSearchParams(useSearch())
  const isSignedIn = useSession().data != null
  return (
    <AuthPage title="Confirm your e-mail address">
      {given.has('error') ? (
        <NotConfirmed title="This link no longer works">
          The link has expired or was already used. Sign in to get a new one.
        </NotConfirmed>
      ) : given.has('confirmed') ? (
        <StateMessage
          title="E-mail address confirmed"
          icon="check"
          action={
            <Link href={isSignedIn ? '/account' : '/sign-in'} className={buttonClass('primary')}>
              {isSignedIn ? 'Go to account' : 'Sign in'}
            </Link>
          }
        />
      ) : (
        <NotConfirmed title="This link is not complete">
          Open the link in the e-mail that we sent to you. Sign in to get a new one.
        </NotConfirmed>
      )}
    </AuthPage>
  )
}

function NotConfirmed({ title, children }: { readonly title: string; readonly children: string }) {
  return (
    <StateMessage
      title={title}
      icon="warning"
      isError
      action={
        <Link href="/sign-in" className={buttonClass()}>
          Sign in
        </Link>
      }
    >
      {children}
    </StateMessage>
  )
}
