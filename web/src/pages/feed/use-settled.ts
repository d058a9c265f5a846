/** New events slide in at the top; for who has scrolled down to read, they wait instead of moving the text away. */
import { useCallback, useEffect, useState } from 'react'
import type { ControlEvent } from '../../api/service.ts'

/** Pixels from the top within which the list is not being read further down. */
const NEAR_TOP = 160

type Settled = {
  readonly shown: readonly ControlEvent[]
  readonly waiting: number
  readonly showAll: () => void
}

/** `of` names the list: another one begins anew. */
export function useSettled(events: readonly ControlEvent[], of: string): Settled {
  const [held, setHeld] = useState<{ readonly of: string; readonly newest: ControlEvent } | undefined>(undefined)
  const newest = events[0]
  useEffect(() => {
    const onScroll = () => {
      if (window.scrollY <= NEAR_TOP) setHeld(undefined)
      else if (newest !== undefined) setHeld((before) => (before?.of === of ? before : { of, newest }))
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [newest, of])
  const showAll = useCallback(() => {
    setHeld(undefined)
    window.scrollTo({ top: 0 })
  }, [])
  if (held === undefined || held.of !== of) return { shown: events, waiting: 0, showAll }
  const isOlder = ({ blockTime, id }: ControlEvent) =>
    blockTime < held.newest.blockTime || (blockTime === held.newest.blockTime && id <= held.newest.id)
  const shown = events.filter(isOlder)
  return { shown, waiting: events.length - shown.length, showAll }
}
