/** The width an element has, and has after every change. */
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'

export function useWidth<Target extends Element>(): readonly [RefObject<Target | null>, number] {
  const target = useRef<Target>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = target.current
    if (element === null) return undefined
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [target, width]
}
