/**
 * A drawing as wide as its place, said in words for those who hear the page, and as a table for those who want figures.
 */
import { type ReactNode, useId, useState } from 'react'
import { DataTable } from '../components/data-table.tsx'
import styles from './chart.module.css'
import { useWidth } from './use-width.ts'

type ChartProps = {
  readonly title: string
  /** What a glance at it tells. */
  readonly summary: string
  readonly height?: number
  readonly head: readonly string[]
  readonly rows: readonly (readonly ReactNode[])[]
  /** Below the drawing: what its marks mean. */
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
        <summary>Show as a table</summary>
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
