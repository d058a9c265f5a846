/** Search results. A single exact result is opened at once. */
import { Link, Redirect, useSearch } from 'wouter'
import { useAbout } from '../../api/use-about.ts'
import { type Search, useSearchResults } from '../../api/use-search.ts'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Stack } from '../../components/columns.tsx'
import { ExplorerLink } from '../../components/explorer-link.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { LabelPill } from '../../components/tone-pill.tsx'
import { isWallet } from '../../text/coin-links.ts'
import styles from './search-page.module.css'

export function SearchPage() {
  const text = (new URLSearchParams(useSearch()).get('q') ?? '').trim()
  const results = useSearchResults(text)
  if (text === '')
    return (
      <>
        <PageHeader title="Search" />
        <StateMessage title="Search contracts, protocols and coins" icon="search">
          Enter an address or its first digits, a contract or protocol name, an ENS name, a transaction, a block, or the
          link of an explorer.
        </StateMessage>
      </>
    )
  return (
    <>
      <PageHeader title="Search" lead={`Results for “${text}”`} />
      <QueryView query={results}>{(found) => <Results text={text} found={found} />}</QueryView>
    </>
  )
}

/** An address, a hash or a height names one page. A name may name others as well. */
const isExact = (text: string): boolean => /[0-9a-z]{25,}|^\d+$/i.test(text) && !isWallet(text)

const TRANSACTION = /(?<![0-9a-z])0x[0-9a-f]{64}(?![0-9a-f])/i

const incompleteText = (text: string): string =>
  isExact(text)
    ? 'There are too many events to search for this transaction. Open the page of the contract instead.'
    : 'The name could not be looked up, because no node of the chain responds. Try again in a minute.'

function Results({ text, found: { groups, isComplete } }: { readonly text: string; readonly found: Search }) {
  const [only, another] = groups.flatMap(({ items }) => items)
  if (only === undefined)
    return (
      <StateMessage title="No results" icon="search" action={<Elsewhere text={text} />}>
        {isComplete ? 'No watched contract, protocol, account or transaction matches.' : incompleteText(text)}
      </StateMessage>
    )
  if (another === undefined && (only.isExact === true || isExact(text))) return <Redirect to={only.href} replace />
  return (
    <Stack>
      {groups.map(({ title, items }) => (
        <Card key={title} title={title} flush>
          <ul className={styles.results}>
            {items.map(({ href, name, note, label, labelText, tone }) => (
              <li key={href}>
                <Link href={href}>
                  <span className={styles.name}>{name}</span>
                  <span className={styles.note}>{note}</span>
                  {label !== undefined && (
                    <span className={styles.end}>
                      <LabelPill label={label} {...(labelText && { text: labelText })} {...(tone && { tone })} />
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </Stack>
  )
}

/** Where to look next: a transaction in the explorers of the chains, anything else in the list of protocols. */
function Elsewhere({ text }: { readonly text: string }) {
  const chains = useAbout().data?.chains ?? []
  const [hash] = TRANSACTION.exec(text) ?? []
  if (hash === undefined)
    return (
      <Link href="/protocols" className={buttonClass()}>
        All protocols
      </Link>
    )
  return (
    <span className={styles.explorers}>
      {chains
        .filter(({ enabled }) => enabled)
        .map(({ slug, name }) => (
          <ExplorerLink key={slug} chain={slug} to={{ tx: hash }} text={`Explorer of ${name}`} />
        ))}
    </span>
  )
}
