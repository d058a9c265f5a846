/** Reads the values of a chart with the pointer, by touch, or with the arrow keys. */
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { nearest, type Position } from './nearest.ts'
import styles from './pointer.module.css'

export type ChartPoint = Position & { readonly text: string }

type PointerProps = {
  readonly title: string
  readonly points: readonly ChartPoint[]
  /** How far from a point it is shown. Without it, the nearest one along the horizontal axis is shown. */
  readonly reach?: number | undefined
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }
/** Texts of points above this are shown below them. */
const ROOM_ABOVE = 64

export function ChartPointer({ title, points, reach }: PointerProps) {
  const [chosen, setChosen] = useState<number>()
  const at = chosen === undefined ? undefined : Math.min(chosen, points.length - 1)
  const shown = at === undefined ? undefined : points[at]
  const point = ({ currentTarget, clientX, clientY }: PointerEvent) => {
    const { left, top } = currentTarget.getBoundingClientRect()
    setChosen(nearest(points, clientX - left, clientY - top, reach))
  }
  const press = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const next =
      event.key === 'Home'
        ? 0
        : event.key === 'End'
          ? points.length - 1
          : step === undefined
            ? undefined
            : (at ?? 0) + step
    if (next === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(points.length - 1, next)))
  }
  return (
    <div
      className={styles.pointer}
      role="slider"
      tabIndex={0}
      aria-label={`Values: ${title}`}
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={(at ?? 0) + 1}
      aria-valuetext={points[at ?? 0]?.text}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={() => setChosen(undefined)}
      onFocus={() => setChosen((before) => before ?? 0)}
      onBlur={() => setChosen(undefined)}
      onKeyDown={press}
    >
      {shown !== undefined && (
        <>
          <span className={styles.mark} style={{ left: shown.x, top: shown.y }} />
          <span
            className={`${styles.text} ${shown.y < ROOM_ABOVE ? styles.below : ''}`}
            style={{ left: `clamp(6.5rem, ${shown.x}px, calc(100% - 6.5rem))`, top: shown.y }}
          >
            {shown.text}
          </span>
        </>
      )}
    </div>
  )
}
