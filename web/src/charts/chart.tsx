/** An SVG chart that fills its container, with a summary for screen readers and its data as a table. */
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { DataTable } from '../components/data-table.tsx'
import styles from './chart.module.css'
import { type ChartPoint, ChartPointer } from './pointer.tsx'

type ChartProps = {
  readonly title: string
  /** One sentence for screen readers. */
  readonly summary: string
  readonly height?: number
  readonly head: readonly string[]
  readonly rows: readonly (readonly ReactNode[])[]
  /** The columns of texts, besides the first. All others are numbers. */
  readonly textColumns?: readonly string[]
  /** Rows shown without opening the table. */
  readonly shownRows?: number
  /** Below the chart: what its marks mean. */
  readonly legend?: ReactNode
  /** The values that the pointer and the arrow keys show. */
  readonly pointsOf?: (width: number, height: number) => readonly ChartPoint[]
  /** How near the pointer must be to a value, for charts with several values above each other. */
  readonly reach?: number
  readonly children: (width: number, height: number) => ReactNode
}

const NONE: readonly string[] = []

export function Chart({
  title,
  summary,
  height = 240,
  head,
  rows,
  textColumns = NONE,
  shownRows = 0,
  legend,
  pointsOf,
  reach,
  children,
}: ChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <figure className={styles.chart}>
      <div ref={frame} className={styles.frame} style={{ height }}>
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
        {width > 0 && pointsOf !== undefined && (
          <ChartPointer title={title} points={pointsOf(width, height)} reach={reach} />
        )}
      </div>
      {legend !== undefined && <figcaption className={styles.legend}>{legend}</figcaption>}
      {shownRows > 0 && (
        <div className={styles.figures}>
          <ChartTable title={title} head={head} textColumns={textColumns} rows={rows.slice(0, shownRows)} />
        </div>
      )}
      {rows.length > shownRows && (
        <details className={styles.figures} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{shownRows === 0 ? 'Show as table' : `Show ${rows.length - shownRows} more`}</summary>
          {isOpen && <ChartTable title={title} head={head} textColumns={textColumns} rows={rows.slice(shownRows)} />}
        </details>
      )}
    </figure>
  )
}

type ChartTableProps = Pick<ChartProps, 'title' | 'head' | 'rows'> & { readonly textColumns: readonly string[] }

const ChartTable = ({ title, head, textColumns, rows }: ChartTableProps) => (
  <DataTable<readonly ReactNode[]>
    caption={`${title}, as a table`}
    columns={head.map((name, column) => ({
      title: name,
      cell: (row) => row[column],
      isNumber: column > 0 && !textColumns.includes(name),
    }))}
    rows={rows}
    keyOf={(row) => rows.indexOf(row)}
  />
)

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
