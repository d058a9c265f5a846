/** What every page of a chain begins with: which chain it is, and the way to its other pages. */
import type { ReactNode } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { COIN_TEXTS, type CoinChain, isCoinChain } from '../../text/coins.ts'
import { NotFoundPage } from '../not-found-page.tsx'
import styles from './coin-page.module.css'

export function CoinPage({ children }: { readonly children: (chain: CoinChain) => ReactNode }) {
  const { chain = '' } = useParams<{ readonly chain?: string }>()
  if (!isCoinChain(chain)) return <NotFoundPage />
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
