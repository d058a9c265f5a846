/** The events of a protocol: the latest with the page, older ones on request, to the first. */
import { useState } from 'react'
import type { ControlEvent } from '../../api/service.ts'
import { useProtocolEvents } from '../../api/use-protocols.ts'
import { Card } from '../../components/card.tsx'
import { EventList } from '../../components/event-list.tsx'
import { NextPage } from '../../components/next-page.tsx'
import { StateMessage } from '../../components/state-message.tsx'

/** The number of events that the page of a protocol has. With fewer there are no older ones. */
const RECENT_EVENTS = 50

type ProtocolEventsProps = { readonly slug: string; readonly recent: readonly ControlEvent[] }

export function ProtocolEvents({ slug, recent }: ProtocolEventsProps) {
  const [withOlder, setWithOlder] = useState(false)
  const { data, hasNextPage, isFetching, fetchNextPage } = useProtocolEvents(slug, withOlder)
  const events = data?.pages.flatMap((page) => page.data) ?? recent
  const isMore = data === undefined ? recent.length >= RECENT_EVENTS : hasNextPage
  return (
    <Card title="Events" flush>
      {events.length === 0 ? <StateMessage title="No events yet" icon="timelock" /> : <EventList events={events} />}
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
