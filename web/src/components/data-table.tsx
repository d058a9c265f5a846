/** A table. On a narrow screen it scrolls sideways inside its card, or shows each row as a list of titled values. */
import type { Key, ReactNode } from 'react'
import styles from './data-table.module.css'

export type Column<Row> = {
  /** Empty for the column of row actions. */
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** Left out on a narrow screen. */
  readonly isExtra?: boolean
}

type DataTableProps<Row> = {
  /** For screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => Key
  /** A click anywhere on a row opens the link in its first cell. */
  readonly isLinked?: boolean
  /** On a narrow screen, shows each row as a list: for rows of many columns that are read one by one. */
  readonly isStacked?: boolean
}

export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  isLinked = false,
  isStacked = false,
}: DataTableProps<Row>) {
  const classes = [styles.table, ...(isLinked ? [styles.linked] : []), ...(isStacked ? [styles.stacked] : [])]
  return (
    // Focusable, so that a keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles.scroll} tabIndex={0} aria-label={caption}>
      <table className={classes.join(' ')}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) =>
              column.title === '' ? (
                <td key={column.title} />
              ) : (
                <th key={column.title} scope="col" className={classesOf(column)}>
                  {column.title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.title} scope="row">
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} data-title={column.title} className={classesOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function classesOf<Row>({ title, isNumber = false, isExtra = false }: Column<Row>): string {
  return [...(isNumber || title === '' ? [styles.number] : []), ...(isExtra ? [styles.extra] : [])].join(' ')
}
