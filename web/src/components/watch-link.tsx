import { Link } from 'wouter'
import { useSubscriptions } from '../api/use-alerts.ts'
import { useSession } from '../api/use-session.ts'
import { buttonClass } from './button.tsx'
import { Icon } from './icon.tsx'

type WatchLinkProps = { readonly chain: string; readonly address: string } | { readonly protocol: string }

/** Leads to the form for a new alert, or to the alerts of an account that watches this already. */
export function WatchLink(target: WatchLinkProps) {
  const isSignedIn = useSession().data != null
  const items = useSubscriptions(isSignedIn).data?.items ?? []
  const isWatched =
    isSignedIn &&
    items.some(({ protocol, chainSlug, address }) =>
      'protocol' in target
        ? protocol?.slug === target.protocol
        : chainSlug === target.chain && address === target.address.toLowerCase(),
    )
  if (isWatched)
    return (
      <Link className={buttonClass()} href="/account/alerts">
        <Icon name="check" /> Watching
      </Link>
    )
  return (
    <Link className={buttonClass()} href={`/account/alerts?${new URLSearchParams({ ...target }).toString()}`}>
      Watch
    </Link>
  )
}
