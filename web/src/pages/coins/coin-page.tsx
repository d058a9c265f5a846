/** What every page of a chain begins with: which chain it is, and the way to its other pages. */
import type { ReactNode } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { COIN_TEXTS, type CoinChain, isCoinChain } from '../../text/coins.ts'
import { whyNoCoins } from '../../text/not-shown.ts'
import { NotFoundPage } from '../not-found-page.tsx'
import styles from './coin-page.module.css'
import { CoinsNotShown } from './coins-not-shown.tsx'

export function CoinPage({ children }: { readonly children: (chain: CoinChain) => ReactNode }) {
  const { chain = '' } = useParams<{ readonly chain?: string }>()
  const about = useAbout().data
  if (!isCoinChain(chain)) return <NotFoundPage />
  const why = about === undefined ? undefined : whyNoCoins(about, chain)
  if (why !== undefined)
    return (
      <>
        <PageHeader title={COIN_TEXTS[chain].name} />
        <CoinsNotShown chain={chain} why={why} />
      </>
    )
  return (
    <>
      <CoinNav chain={chain} />
      {children(chain)}
    </>
  )
}

function CoinNav({ chain }: { readonly chain: CoinChain }) {
  const [path] = useLocation()
  const other = useAbout().data?.coins.find(({ id, enabled }) => id !== chain && enabled)?.id
  const entry = (href: string, text: string) => (
    <Link href={href} aria-current={path === href ? 'page' : undefined}>
      {text}
    </Link>
  )
  return (
    <nav className={styles.nav} aria-label={COIN_TEXTS[chain].name}>
      {entry(`/coins/${chain}`, COIN_TEXTS[chain].name)}
      {entry(`/coins/${chain}/fees`, 'Fees')}
      {entry(`/coins/${chain}/simulate`, 'Spend simulator')}
      {other !== undefined && (
        <Link href={`/coins/${other}`} className={styles.other}>
          {COIN_TEXTS[other].name}
        </Link>
      )}
    </nav>
  )
}
