import type { ReactNode } from 'react'
import classes from './small-table.module.css'

export interface SmallColumn<Row> {
  id: string
  header: ReactNode
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
  /** In px; columns without one share the rest. */
  width?: number
}

export interface SmallTableProps<Row> {
  /** What the rows are, for screen readers. */
  label: string
  columns: readonly SmallColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** In px: narrower, the table scrolls sideways. */
  minWidth?: number
}

/** A few rows of figures inside a card. Lists of records are ListScreens. The first cell names its row. */
export function SmallTable<Row>(props: SmallTableProps<Row>): ReactNode {
  const { label, columns, rows, rowKey, minWidth = 480 } = props
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
    <div className={classes.scroll} role="group" aria-label={label} tabIndex={0}>
      <table className={classes.table} style={{ minWidth }}>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.id} scope="col" data-align={column.align} style={{ width: column.width }}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.id} scope="row" data-align={column.align}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.id} data-align={column.align}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
