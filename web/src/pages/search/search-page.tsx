/** What was searched for, wherever it may be. One result that is certain is opened at once. */
import type { Schemas } from 'gatewatch-client'
import type { ReactNode } from 'react'
import { Link, Redirect, useSearch } from 'wouter'
import { eventTitle } from '../../../../vocabulary/event-sentence.ts'
import { useAbout } from '../../api/use-about.ts'
import { useSearchResults } from '../../api/use-protocols.ts'
import { Card } from '../../components/card.tsx'
import { ChainName } from '../../components/chain-name.tsx'
import { Stack } from '../../components/columns.tsx'
import { LabelPill } from '../../components/label-pill.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural } from '../../text/numbers.ts'
import { shortHex } from '../../text/short.ts'
import { coinGuesses, type Guess } from './coin-guesses.ts'
import styles from './search-page.module.css'

export function SearchPage() {
  const text = (new URLSearchParams(useSearch()).get('q') ?? '').trim()
  const results = useSearchResults(text)
  const coins =
    useAbout()
      .data?.coins.filter(({ enabled }) => enabled)
      .map(({ id }) => id) ?? []
  const guesses = coinGuesses(text, coins)
  if (text === '')
    return (
      <>
        <PageHeader title="Search" />
        <StateMessage title="What are you looking for?" icon="search">
          An address, the name of a contract or protocol, a transaction or a block: press / and type.
        </StateMessage>
      </>
    )
  return (
    <>
      <PageHeader title="Search" lead={`Results for “${text}”`} />
      <QueryView query={results}>{(found) => <Results text={text} found={found} guesses={guesses} />}</QueryView>
    </>
  )
}

type ResultsProps = {
  readonly text: string
  readonly found: Schemas['SearchResults']
  readonly guesses: readonly Guess[]
}

function Results({ text, found, guesses }: ResultsProps) {
  const { contracts, protocols, transactions, isComplete } = found
  const [only] = contracts
  const count = contracts.length + protocols.length + transactions.length + guesses.length
  if (count === 1 && only !== undefined && only.address === text.toLowerCase())
    return <Redirect to={`/contracts/${only.chainSlug}/${only.address}`} replace />
  if (count === 1 && guesses[0] !== undefined) return <Redirect to={guesses[0].href} replace />
  if (count === 0)
    return (
      <StateMessage title="Nothing was found" icon="search">
        {isComplete
          ? 'No contract, protocol or transaction under watch matches it. Addresses and hashes must be whole.'
          : 'There are too many events to look through for this transaction. Open the contract it touched instead.'}
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
      <Group title="Events of this transaction" of={transactions}>
        {({ chainSlug, address, eventKey, blockTime }) => (
          <Link href={`/contracts/${chainSlug}/${address}`}>
            <span className={styles.name}>{eventTitle(eventKey)}</span>
            <span className={styles.note}>
              <ChainName slug={chainSlug} /> · {shortHex(address)} · <RelativeTime at={blockTime} />
            </span>
          </Link>
        )}
      </Group>
      <Group title="Coins" of={guesses}>
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
