/** The live feed. Its filters live in the address bar, so that what is seen can be sent to someone. */
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type EventFilter, readFilter, writeFilter } from '../../api/event-filter.ts'
import { useNoContracts } from '../../api/use-about.ts'
import { useFeed } from '../../api/use-feed.ts'
import { useFeedStream, withNews } from '../../api/use-feed-stream.ts'
import { useNames } from '../../api/use-names.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { EventList } from '../../components/event-list.tsx'
import { LiveMark } from '../../components/live-mark.tsx'
import { NoContracts } from '../../components/no-contracts.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural } from '../../text/numbers.ts'
import { FeedFilters } from './feed-filters.tsx'
import styles from './feed-page.module.css'
import { Overview } from './overview.tsx'
import { useSettled } from './use-settled.ts'

export function FeedPage() {
  const search = useSearch()
  const [, navigate] = useLocation()
  const filter = useMemo(() => readFilter(search), [search])
  const feed = useFeed(filter)
  const news = useFeedStream(filter)
  const fetched = feed.data?.pages.flatMap(({ data }) => data) ?? []
  const { shown, waiting, showAll } = useSettled(withNews(fetched, news), search)
  const fresh = new Set(news.published.map(({ id }) => id))
  const change = (next: EventFilter) => {
    const words = writeFilter(next)
    navigate(words === '' ? '/' : `/?${words}`, { replace: true })
  }
  const why = useNoContracts()
  useNames() // asked for with the events: names that come later move the text
  const isFiltered = writeFilter(filter) !== ''
  return (
    <>
      <PageHeader
        title="Control changes"
        lead="Who can change what a contract does, as it changes: upgrades, owners, roles, signers, delays."
        aside={<LiveMark line={news.line} />}
      />
      <Overview />
      <FeedFilters filter={filter} onChange={change} />
      <div className={styles.news}>
        {waiting > 0 && (
          <Button kind="primary" onClick={showAll}>
            {plural(waiting, 'new event')}
          </Button>
        )}
      </div>
      <Card flush>
        <QueryView query={feed} loading={<SkeletonRows count={10} />}>
          {() =>
            shown.length === 0 && !isFiltered && why !== undefined ? (
              <NoContracts why={why} />
            ) : shown.length === 0 ? (
              <StateMessage
                title={isFiltered ? 'No event matches these filters' : 'No control change has been seen yet'}
                icon={isFiltered ? 'search' : 'timelock'}
                action={isFiltered ? <Button onClick={() => change({})}>Clear filters</Button> : undefined}
              >
                {isFiltered ? 'Widen them, or wait: new events appear here by themselves.' : 'This page stays live.'}
              </StateMessage>
            ) : (
              <>
                <EventList events={shown} fresh={fresh} />
                <div className={styles.more}>
                  {feed.hasNextPage ? (
                    <Button onClick={() => void feed.fetchNextPage()} disabled={feed.isFetchingNextPage}>
                      {feed.isFetchingNextPage ? 'Loading …' : 'Load older events'}
                    </Button>
                  ) : (
                    'This is where history begins.'
                  )}
                </div>
              </>
            )
          }
        </QueryView>
      </Card>
    </>
  )
}
