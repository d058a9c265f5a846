/** Holds new events back while the visitor has scrolled down, so that they do not move the text. */
import { useCallback, useEffect, useState } from 'react'
import type { ControlEvent } from '../../api/service.ts'

/** Within this distance from the top, new events appear at once. */
const TOP_PX = 160

type HeldEvents = {
  readonly shown: readonly ControlEvent[]
  readonly heldCount: number
  readonly showAll: () => void
}

/** `list` identifies the list: for another list, nothing is held back at first. */
export function useHeldEvents(events: readonly ControlEvent[], list: string): HeldEvents {
  const [held, setHeld] = useState<{ readonly list: string; readonly newest: ControlEvent } | undefined>(undefined)
  const newest = events[0]
  useEffect(() => {
    const onScroll = () => {
      if (window.scrollY <= TOP_PX) setHeld(undefined)
      else if (newest !== undefined) setHeld((before) => (before?.list === list ? before : { list, newest }))
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [newest, list])
  const showAll = useCallback(() => {
    setHeld(undefined)
    window.scrollTo({ top: 0 })
  }, [])
  if (held === undefined || held.list !== list) return { shown: events, heldCount: 0, showAll }
  const isOlder = ({ blockTime, id }: ControlEvent) =>
    blockTime < held.newest.blockTime || (blockTime === held.newest.blockTime && id <= held.newest.id)
  const shown = events.filter(isOlder)
  return { shown, heldCount: events.length - shown.length, showAll }
}
