import { Link } from 'wouter'
import { buttonClass } from '../components/button.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { StateMessage } from '../components/state-message.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <StateMessage
        title="This page does not exist"
        icon="search"
        action={
          <Link href="/" className={buttonClass()}>
            Go to the home page
          </Link>
        }
      >
        Check the address, or search for a contract, protocol or transaction.
      </StateMessage>
    </>
  )
}
