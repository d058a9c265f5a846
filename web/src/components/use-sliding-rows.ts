/**
 * Lets the rows of a list slide to their new places when rows above them appear or disappear, instead of jumping.
 *
 * A transform that undoes the move and then fades out is no layout shift, and the eye can follow the row.
 */
import { type RefObject, useLayoutEffect, useRef } from 'react'

const SLIDE: KeyframeAnimationOptions = { duration: 300, easing: 'ease-out' }

export const prefersReducedMotion = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches

export function useSlidingRows(list: RefObject<HTMLOListElement | null>): void {
  const offsets = useRef<ReadonlyMap<Element, number>>(new Map())
  useLayoutEffect(() => {
    const rows = [...(list.current?.children ?? [])] as HTMLElement[]
    const before = offsets.current
    const after = new Map(rows.map((row) => [row, row.offsetTop]))
    offsets.current = after
    if (prefersReducedMotion()) return
    for (const [row, offset] of after) {
      const moved = (before.get(row) ?? offset) - offset
      const { top } = row.getBoundingClientRect()
      const isSeen = Math.min(top, top + moved) < window.innerHeight
      if (moved !== 0 && isSeen) row.animate([{ transform: `translateY(${moved}px)` }, { transform: 'none' }], SLIDE)
    }
  })
}
