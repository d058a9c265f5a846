/** The events of a contract: the latest with the page, older ones on request, to the first. */
import type { Schemas } from 'gatewatch-client'
import { useEffect, useState } from 'react'
import { type LiveEvents, mergeLiveEvents, useFeed } from '../../api/use-feed.ts'
import { Card } from '../../components/card.tsx'
import { ConnectionStatus } from '../../components/connection-status.tsx'
import { EventList } from '../../components/event-list.tsx'
import { NextPage } from '../../components/next-page.tsx'
import { StateMessage } from '../../components/state-message.tsx'
import { plural } from '../../text/amounts.ts'

type ContractEventsProps = { readonly view: Schemas['ContractView']; readonly live: LiveEvents }

export function ContractEvents({ view: { chain, address, counts, recentEvents }, live }: ContractEventsProps) {
  const [withOlder, setWithOlder] = useState(false)
  const { data, hasNextPage, isFetching, fetchNextPage } = useFeed({ chain: chain.slug, address }, withOlder)
  const pages = data?.pages ?? []
  // The first page has what the contract view has already.
  useEffect(() => {
    if (withOlder && pages.length === 1 && hasNextPage && !isFetching) void fetchNextPage()
  }, [withOlder, pages.length, hasNextPage, isFetching, fetchNextPage])
  const fetched = pages.length > 1 ? pages.flatMap((page) => page.data) : recentEvents
  const events = mergeLiveEvents(fetched, live)
  const total = counts.reduce((sum, { real }) => sum + real, 0)
  const isMore = withOlder && data !== undefined ? hasNextPage : total > recentEvents.length
  return (
    <Card
      title="Events"
      flush
      aside={live.connection === 'lost' ? <ConnectionStatus connection={live.connection} /> : plural(total, 'event')}
    >
      {events.length === 0 ? (
        <StateMessage title="No changes since it was set up" icon="timelock" />
      ) : (
        <EventList events={events} withContract={false} />
      )}
      <NextPage
        query={{
          hasNextPage: isMore,
          isFetchingNextPage: isFetching,
          fetchNextPage: async () => (withOlder ? await fetchNextPage() : setWithOlder(true)),
        }}
        text="Load older events"
      />
    </Card>
  )
}
