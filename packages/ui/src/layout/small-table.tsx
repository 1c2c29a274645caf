import type { CSSProperties, ReactNode } from 'react'
import classes from './small-table.module.css'

export interface SmallColumn<Row> {
  id: string
  header: string
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
  /** In px: narrower, the table scrolls sideways; on a phone, whose screen it is too wide for, its rows become cards. */
  minWidth?: number
  /** Rows that stand back. */
  isDimmed?: (row: Row) => boolean
}

/** In px: such a table fits on a phone. */
const PHONE_WIDTH = 340

/** A few rows of figures inside a card. Lists of records are ListScreens. The first cell names its row. */
export function SmallTable<Row>(props: SmallTableProps<Row>): ReactNode {
  const { label, columns, rows, rowKey, minWidth = 480, isDimmed } = props
  const style: CSSProperties & { '--min-width': string } = { '--min-width': `${minWidth}px` }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
    <div className={classes.scroll} role="group" aria-label={label} tabIndex={0}>
      {/* Roles said again: where rows are shown as cards, browsers take the elements for plain boxes. */}
      <table
        role="table"
        className={classes.table}
        style={style}
        data-cards={minWidth > PHONE_WIDTH || undefined}
      >
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(column => (
              <th
                key={column.id}
                role="columnheader"
                scope="col"
                data-align={column.align}
                style={{ width: column.width }}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(row => (
            <tr key={rowKey(row)} role="row" data-dimmed={isDimmed?.(row) || undefined}>
              {columns.map((column, index) => {
                const Cell = index === 0 ? 'th' : 'td'
                return (
                  <Cell
                    key={column.id}
                    role={index === 0 ? 'rowheader' : 'cell'}
                    {...(index === 0 ? { scope: 'row' } : {})}
                    data-align={column.align}
                    data-label={column.header}
                  >
                    <div>{column.cell(row)}</div>
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
