/** The live feed of control events. The filter is in the address bar, so that a filtered feed can be shared. */
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type EventFilter, readFilter, unreadParts, writeFilter } from '../../api/event-filter.ts'
import { useNoContractsReason, useUnreadChain } from '../../api/use-about.ts'
import { mergeLiveEvents, useFeed, useLiveEvents } from '../../api/use-feed.ts'
import { useHasNames } from '../../api/use-names.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { ConnectionStatus } from '../../components/connection-status.tsx'
import { EventList } from '../../components/event-list.tsx'
import { FeedLinks } from '../../components/feed-links.tsx'
import { NextPage } from '../../components/next-page.tsx'
import { NoContracts } from '../../components/no-contracts.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural } from '../../text/amounts.ts'
import { FeedFilters } from './feed-filters.tsx'
import styles from './feed-page.module.css'
import { useHeldEvents } from './use-held-events.ts'

export function FeedPage() {
  const search = useSearch()
  const [, navigate] = useLocation()
  const filter = useMemo(() => readFilter(search), [search])
  const feed = useFeed(filter)
  const live = useLiveEvents(filter)
  const fetched = feed.data?.pages.flatMap(({ data }) => data) ?? []
  const { shown, heldCount, showAll } = useHeldEvents(mergeLiveEvents(fetched, live), search)
  const newIds = new Set(live.published.map(({ id }) => id))
  const change = (next: EventFilter) => {
    const query = writeFilter(next)
    navigate(query === '' ? '/feed' : `/feed?${query}`)
  }
  const noContracts = useNoContractsReason()
  const unread = useUnreadChain(filter.chain)
  const hasNames = useHasNames()
  const isFiltered = writeFilter(filter) !== ''
  const unreadFilters = unreadParts(search)
  return (
    <>
      <PageHeader
        title="Control changes"
        lead="Live changes of who controls smart contracts: upgrades, owners, roles, signers and delays."
        aside={<ConnectionStatus connection={live.connection} />}
      />
      <FeedFilters filter={filter} onChange={change} />
      {unreadFilters.length > 0 && (
        <Notice>
          This page does not understand {unreadFilters.join(', ')} in its address. The events below are not filtered by
          it.
        </Notice>
      )}
      <div className={styles.held}>
        {heldCount > 0 && (
          <Button kind="primary" onClick={showAll}>
            {plural(heldCount, 'new event')}
          </Button>
        )}
      </div>
      <Card flush>
        <QueryView query={feed} isReady={hasNames} loading={<SkeletonRows count={10} />}>
          {() =>
            shown.length === 0 && !isFiltered && noContracts !== undefined ? (
              <NoContracts reason={noContracts} />
            ) : shown.length === 0 ? (
              <StateMessage
                title={isFiltered ? 'No events match these filters' : 'No control changes yet'}
                icon={isFiltered ? 'search' : 'timelock'}
                action={isFiltered ? <Button onClick={() => change({})}>Clear filters</Button> : undefined}
              >
                {isFiltered
                  ? (unread ?? 'Change the filters, or wait: new events appear here as they happen.')
                  : 'New events appear here as they happen.'}
              </StateMessage>
            ) : (
              <>
                <EventList events={shown} newIds={newIds} />
                <NextPage query={feed} text="Load older events" end="No older events." />
              </>
            )
          }
        </QueryView>
      </Card>
      {feed.isFetched && hasNames && <FeedLinks path="events" query={writeFilter(filter)} />}
    </>
  )
}
