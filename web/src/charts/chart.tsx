/** An SVG chart that fills its container, with a summary for screen readers and its data as a table. */
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { DataTable } from '../components/data-table.tsx'
import styles from './chart.module.css'

type ChartProps = {
  readonly title: string
  /** One sentence for screen readers. */
  readonly summary: string
  readonly height?: number
  readonly head: readonly string[]
  readonly rows: readonly (readonly ReactNode[])[]
  /** Below the chart: what its marks mean. */
  readonly legend?: ReactNode
  readonly children: (width: number, height: number) => ReactNode
}

export function Chart({ title, summary, height = 240, head, rows, legend, children }: ChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <figure className={styles.chart}>
      <div ref={frame} style={{ height }}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            viewBox={`0 0 ${width} ${height}`}
            role="img"
            aria-labelledby={`${id}-title ${id}-summary`}
          >
            <title id={`${id}-title`}>{title}</title>
            <desc id={`${id}-summary`}>{summary}</desc>
            {children(width, height)}
          </svg>
        )}
      </div>
      {legend !== undefined && <figcaption className={styles.legend}>{legend}</figcaption>}
      <details className={styles.figures} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Show as table</summary>
        {isOpen && (
          <DataTable<readonly ReactNode[]>
            caption={title}
            columns={head.map((name, column) => ({ title: name, cell: (row) => row[column] }))}
            rows={rows}
            keyOf={(row) => rows.indexOf(row)}
          />
        )}
      </details>
    </figure>
  )
}

/** An entry of a legend. `mark` is the class with the color of the marks. */
export function LegendEntry({ mark, text }: { readonly mark: string | undefined; readonly text: string }) {
  return (
    <span className={styles.key}>
      <span className={mark} aria-hidden="true" />
      {text}
    </span>
  )
}

/** The current width of an element. */
function useWidth<Target extends Element>(): readonly [RefObject<Target | null>, number] {
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
