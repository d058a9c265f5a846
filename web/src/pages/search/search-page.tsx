/** Search results. A single exact result is opened at once. */
import type { Schemas } from 'gatewatch-client'
import type { ReactNode } from 'react'
import { Link, Redirect, useSearch } from 'wouter'
import { eventTitle } from '../../../../vocabulary/event-sentence.ts'
import { useAbout } from '../../api/use-about.ts'
import { useSearchResults } from '../../api/use-protocols.ts'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Stack } from '../../components/columns.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { LabelPill } from '../../components/tone-pill.tsx'
import { plural } from '../../text/amounts.ts'
import { shortHex } from '../../text/names.ts'
import { type CoinLink, coinLinks } from '../coins/coin-links.ts'
import styles from './search-page.module.css'

export function SearchPage() {
  const text = (new URLSearchParams(useSearch()).get('q') ?? '').trim()
  const results = useSearchResults(text)
  const coins =
    useAbout()
      .data?.coins.filter(({ enabled }) => enabled)
      .map(({ id }) => id) ?? []
  const links = coinLinks(text, coins)
  if (text === '')
    return (
      <>
        <PageHeader title="Search" />
        <StateMessage title="Search contracts, protocols and coins" icon="search">
          Enter an address, a contract or protocol name, a transaction or a block.
        </StateMessage>
      </>
    )
  return (
    <>
      <PageHeader title="Search" lead={`Results for “${text}”`} />
      <QueryView query={results}>{(found) => <Results text={text} found={found} links={links} />}</QueryView>
    </>
  )
}

type ResultsProps = {
  readonly text: string
  readonly found: Schemas['SearchResults']
  readonly links: readonly CoinLink[]
}

function Results({ text, found, links }: ResultsProps) {
  const { contracts, protocols, transactions, isComplete } = found
  const [only] = contracts
  const count = contracts.length + protocols.length + transactions.length + links.length
  if (count === 1 && only !== undefined && only.address === text.toLowerCase())
    return <Redirect to={`/contracts/${only.chainSlug}/${only.address}`} replace />
  if (count === 1 && links[0] !== undefined) return <Redirect to={links[0].href} replace />
  if (count === 0)
    return (
      <StateMessage title="No results" icon="search">
        {isComplete
          ? 'No watched contract, protocol or transaction matches. Enter addresses and hashes in full.'
          : 'There are too many events to search for this transaction. Open the page of the contract instead.'}
      </StateMessage>
    )
  return (
    <Stack>
      <Group title="Protocols" of={protocols}>
        {({ protocol, slug, contracts: size }) => (
          <Link href={`/protocols/${slug}`}>
            <span className={styles.name}>{protocol}</span>
            <span className={styles.note}>{plural(size, 'contract')}</span>
          </Link>
        )}
      </Group>
      <Group title="Contracts" of={contracts}>
        {({ chainSlug, address, name, protocol, label }) => (
          <Link href={`/contracts/${chainSlug}/${address}`}>
            <span className={styles.name}>{name ?? shortHex(address)}</span>
            <span className={styles.note}>
              {protocol !== null && `${protocol} · `}
              <ChainName slug={chainSlug} /> · {shortHex(address)}
            </span>
            <span className={styles.end}>
              <LabelPill label={label} />
            </span>
          </Link>
        )}
      </Group>
      <Group title="Events in this transaction" of={transactions}>
        {({ chainSlug, address, eventKey, blockTime }) => (
          <Link href={`/contracts/${chainSlug}/${address}`}>
            <span className={styles.name}>{eventTitle(eventKey)}</span>
            <span className={styles.note}>
              <ChainName slug={chainSlug} /> · {shortHex(address)} · <RelativeTime at={blockTime} />
            </span>
          </Link>
        )}
      </Group>
      <Group title="Coins" of={links}>
        {({ href, text: what }) => (
          <Link href={href}>
            <span className={styles.name}>{what}</span>
            <span className={styles.note}>{shortHex(text, 16, 8)}</span>
          </Link>
        )}
      </Group>
    </Stack>
  )
}

type GroupProps<Item> = {
  readonly title: string
  readonly of: readonly Item[]
  readonly children: (item: Item) => ReactNode
}

function Group<Item>({ title, of, children }: GroupProps<Item>) {
  if (of.length === 0) return null
  return (
    <Card title={title} flush>
      <ul className={styles.results}>
        {of.map((item, index) => (
          <li key={index}>{children(item)}</li>
        ))}
      </ul>
    </Card>
  )
}
