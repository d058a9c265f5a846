import { useSyncExternalStore } from 'react'

const query = () => window.matchMedia('(min-width: 56rem)')

const subscribe = (notify: () => void): (() => void) => {
  const watched = query()
  watched.addEventListener('change', notify)
  return () => watched.removeEventListener('change', notify)
}

/** Whether there is room for a drawing from left to right. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => query().matches)
