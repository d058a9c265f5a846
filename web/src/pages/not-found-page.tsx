import { Link } from 'wouter'
import { buttonClass } from '../components/button.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { StateMessage } from '../components/state-message.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="Page not found" />
      <StateMessage
        title="There is nothing at this address"
        icon="search"
        action={
          <Link href="/" className={buttonClass()}>
            Go to the feed
          </Link>
        }
      >
        It may have been mistyped. Contracts, protocols and transactions are found with the search above: press / to
        begin.
      </StateMessage>
    </>
  )
}
