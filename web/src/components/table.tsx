import type { ReactNode } from 'react'
import styles from './table.module.css'

type TableProps = {
  /** What it lists, for those who hear the page. */
  readonly label: string
  readonly head: readonly ReactNode[]
  readonly rows: readonly (readonly ReactNode[])[]
  /** Columns of figures, by their place; they are set to the right. */
  readonly figures?: readonly number[]
}

/** Rows of data. What does not fit is scrolled inside, never with the page. */
export function Table({ label, head, rows, figures = [] }: TableProps) {
  const align = (column: number) => (figures.includes(column) ? styles.figure : undefined)
  return (
    // A region that scrolls must be reachable without a mouse.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.frame} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head.map((text, column) => (
              <th key={column} scope="col" className={align(column)}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column} className={align(column)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
