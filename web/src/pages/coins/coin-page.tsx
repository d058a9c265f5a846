/** The frame of all pages of a coin chain, with the navigation between them. */
import type { ReactNode } from 'react'
import { Link, useLocation, useParams } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { Card } from '../../components/card.tsx'
import { UnitSwitch } from '../../components/coin-unit.tsx'
import { Nav } from '../../components/nav.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { COIN_TEXTS, type CoinChain, isCoinChain } from '../../text/names.ts'
import { noCoinsReason } from '../../text/unavailable.ts'
import { NotFoundPage } from '../not-found-page.tsx'
import styles from './coin-page.module.css'

export function CoinPage({ children }: { readonly children: (chain: CoinChain) => ReactNode }) {
  const { chain = '' } = useParams<{ readonly chain?: string }>()
  const about = useAbout().data
  if (!isCoinChain(chain)) return <NotFoundPage />
  const reason = about === undefined ? undefined : noCoinsReason(about, chain)
  if (reason !== undefined)
    return (
      <>
        <PageHeader title={COIN_TEXTS[chain].name} />
        <CoinUnavailable chain={chain} reason={reason} />
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
  const about = useAbout().data
  const other = about?.coins.find(({ id, enabled }) => id !== chain && enabled)?.id
  const entry = (href: string, text: string) => (
    <Link href={href} aria-current={path === href ? 'page' : undefined}>
      {text}
    </Link>
  )
  return (
    <Nav className={styles.nav} aria-label={COIN_TEXTS[chain].name}>
      {entry(`/coins/${chain}`, COIN_TEXTS[chain].name)}
      {entry(`/coins/${chain}/fees`, 'Fees')}
      {entry(`/coins/${chain}/simulate`, 'Simulator')}
      {/* A link that arrives later would move the switch. */}
      {about !== undefined && (
        <span className={styles.other}>
          <UnitSwitch chain={chain} />
          {other !== undefined && <Link href={`/coins/${other}`}>{COIN_TEXTS[other].name}</Link>}
        </span>
      )}
    </Nav>
  )
}

type CoinUnavailableProps = { readonly chain: CoinChain; readonly reason: string | undefined }

/** Shown in place of a chain that the service does not index. */
export function CoinUnavailable({ chain, reason }: CoinUnavailableProps) {
  if (reason === undefined) return null
  return (
    <Card>
      <StateMessage title={`${COIN_TEXTS[chain].name} is not available`}>{reason}</StateMessage>
    </Card>
  )
}
