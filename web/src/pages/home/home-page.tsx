/** The home page: search, the latest control changes, how protocols are controlled, and the coin chains. */
import { useEffect } from 'react'
import { Link } from 'wouter'
import type { ControlEvent } from '../../api/service.ts'
import { useAbout, useNoContractsReason } from '../../api/use-about.ts'
import { mergeLiveEvents, useFeed, useLiveEvents } from '../../api/use-feed.ts'
import { useHasNames } from '../../api/use-names.ts'
import { usePending } from '../../api/use-pending.ts'
import { useOverview, useProtocols } from '../../api/use-protocols.ts'
import { useSession } from '../../api/use-session.ts'
import { buttonClass } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Columns } from '../../components/columns.tsx'
import { ConnectionStatus } from '../../components/connection-status.tsx'
import { EventList } from '../../components/event-list.tsx'
import { Figures } from '../../components/figures.tsx'
import { PendingList } from '../../components/pending-list.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { wholeNumber } from '../../text/amounts.ts'
import { CoinTiles } from './coin-tiles.tsx'
import styles from './home-page.module.css'
import { RankedProtocols } from './ranked-protocols.tsx'

export function HomePage() {
  useEffect(() => {
    document.title = 'Gatewatch: contract control and coin data'
  }, [])
  const isSignedIn = useSession().data != null
  const noContracts = useNoContractsReason()
  const overview = useOverview().data
  const protocols = useProtocols()
  // A service that follows no chain now still shows stored events. Until they are loaded, the layout must not shift.
  const hasContracts = noContracts === undefined || overview === undefined || overview.contracts > 0
  const coins = useAbout().data?.coins.filter(({ enabled }) => enabled) ?? []
  return (
    <>
      <section className={styles.hero}>
        <h1>Check who controls a contract, and what an address holds</h1>
        <p className={styles.lead}>
          Gatewatch watches smart contracts and reports every change of who can upgrade, pause or own them. For Bitcoin
          and Litecoin it shows balances, history and fees, and what a payment would cost.
        </p>
        <SearchBox large />
        <p className={styles.actions}>
          <Link href={isSignedIn ? '/account/alerts' : '/sign-up'} className={buttonClass('primary')}>
            {isSignedIn ? 'Your alerts' : 'Create an account'}
          </Link>
          <Link href="/docs" className={buttonClass()}>
            API docs
          </Link>
        </p>
      </section>
      {hasContracts && (
        <>
          <Overview overview={overview} />
          <Columns
            main={<Changes />}
            side={
              <>
                <RankedProtocols order="weakest" />
                {protocols.isFetched && (
                  <>
                    <RankedProtocols order="strongest" />
                    {coins.map(({ id }) => (
                      <CoinTiles key={id} chain={id} />
                    ))}
                  </>
                )}
              </>
            }
          />
        </>
      )}
      {!hasContracts && coins.length > 0 && (
        <div className={styles.coins}>
          {coins.map(({ id }) => (
            <CoinTiles key={id} chain={id} />
          ))}
        </div>
      )}
      {!hasContracts && coins.length === 0 && (
        <Card>
          <StateMessage title="No contracts are watched">{noContracts}</StateMessage>
        </Card>
      )}
    </>
  )
}

/** Transactions shown, each with all its events. */
const SHOWN = 7

/** The events of the first transactions. */
function ofFirstTransactions(events: readonly ControlEvent[]): readonly ControlEvent[] {
  const shown = new Set([...new Set(events.map(({ txHash }) => txHash))].slice(0, SHOWN))
  return events.filter(({ txHash }) => shown.has(txHash))
}

/** Queued changes shown, the earliest first. */
const NEXT = 3

function Changes() {
  const pending = usePending({}, NEXT)
  const hasNames = useHasNames()
  const next = pending.data?.pages[0]?.data ?? []
  // Shown together, because queued changes and names that arrive later would move everything below them.
  if (!pending.isFetched || !hasNames)
    return (
      <Card key="loading" flush>
        <SkeletonRows count={2 * SHOWN} />
      </Card>
    )
  return (
    <>
      {next.length > 0 && (
        <Card title="Queued changes" flush>
          <PendingList changes={next} />
          <p className={styles.more}>
            <Link href="/pending">All queued changes</Link>
          </p>
        </Card>
      )}
      <LatestChanges />
    </>
  )
}

function LatestChanges() {
  const feed = useFeed({})
  const live = useLiveEvents({})
  const newIds = new Set(live.published.map(({ id }) => id))
  return (
    <Card title="Latest control changes" aside={<ConnectionStatus connection={live.connection} />} flush>
      <QueryView query={feed} loading={<SkeletonRows count={2 * SHOWN} />}>
        {({ pages }) => {
          const events = ofFirstTransactions(mergeLiveEvents(pages[0]?.data ?? [], live))
          return events.length === 0 ? (
            <StateMessage title="No control changes yet" icon="timelock">
              New events appear here as they happen.
            </StateMessage>
          ) : (
            <EventList events={events} newIds={newIds} />
          )
        }}
      </QueryView>
      {feed.data !== undefined && (
        <p className={styles.more}>
          <Link href="/feed">All control changes</Link>
        </p>
      )}
    </Card>
  )
}

/** The size of the watched set and its latest severe events. The rest of the page does not wait for it. */
function Overview({ overview: data }: { readonly overview: ReturnType<typeof useOverview>['data'] }) {
  const figure = (value: number | undefined) => (value === undefined ? '–' : wholeNumber(value))
  return (
    <div className={styles.overview}>
      <Figures
        variant="tiles"
        items={[
          { name: 'Contracts watched', value: figure(data?.contracts) },
          { name: 'Under one key, no delay', value: figure(data?.tones.red) },
          { name: 'Critical events, 24 h', value: figure(data?.events24h.critical) },
          { name: 'High events, 24 h', value: figure(data?.events24h.high) },
        ]}
      />
    </div>
  )
}
