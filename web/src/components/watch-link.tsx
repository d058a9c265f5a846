import { Link } from 'wouter'
import { useSubscriptions } from '../api/use-alerts.ts'
import { useIsCoinWatched } from '../api/use-coin-alerts.ts'
import { useSession } from '../api/use-session.ts'
import { buttonClass } from './button.tsx'
import { Icon } from './icon.tsx'
import styles from './watch-link.module.css'

type Target = { readonly chain: string; readonly address: string } | { readonly protocol: string }

/** Leads to the form for a new alert, or to the alerts of an account that watches this already. */
export function WatchLink(target: Target) {
  const isSignedIn = useSession().data != null
  const items = useSubscriptions(isSignedIn).data?.items ?? []
  const isWatched =
    isSignedIn &&
    items.some(({ protocol, chainSlug, address }) =>
      'protocol' in target
        ? protocol?.slug === target.protocol
        : chainSlug === target.chain && address === target.address.toLowerCase(),
    )
  return <AlertsLink page="/account/alerts" target={target} isWatched={isWatched} />
}

type CoinTarget = { readonly chain: string } & ({ readonly address: string } | { readonly txid: string })

/** The same for an address or a transaction of a coin chain. */
export function CoinWatchLink(target: CoinTarget) {
  const isSignedIn = useSession().data != null
  const text = 'address' in target ? target.address : target.txid
  const isWatched = useIsCoinWatched(isSignedIn, target.chain, text).data === true && isSignedIn
  return <AlertsLink page="/account/coins" target={target} isWatched={isWatched} />
}

type AlertsLinkProps = { readonly page: string; readonly target: Target | CoinTarget; readonly isWatched: boolean }

function AlertsLink({ page, target, isWatched }: AlertsLinkProps) {
  if (isWatched)
    return (
      <Link className={`${buttonClass()} ${styles.watch}`} href={page}>
        <Icon name="check" /> Watching
      </Link>
    )
  return (
    <Link
      className={`${buttonClass()} ${styles.watch}`}
      href={`${page}?${new URLSearchParams({ ...target }).toString()}`}
    >
      Watch
    </Link>
  )
}
