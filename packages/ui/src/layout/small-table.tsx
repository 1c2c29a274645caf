import type { CSSProperties, ReactNode } from 'react'
import classes from './small-table.module.css'

export interface SmallColumn<Row> {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end'
  /** In px; columns without a width share the rest. */
  width?: number
}

export interface SmallTableProps<Row> {
  /** Accessible name of the table. */
  label: string
  columns: readonly SmallColumn<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** In px: below this width the table scrolls horizontally; on phones its rows become cards if it does not fit. */
  minWidth?: number
  /** Rows with dimmed text. */
  isDimmed?: (row: Row) => boolean
}

/** In px: tables up to this width fit on a phone. */
const PHONE_WIDTH = 340

/** Small table inside a card. For lists of records use ListScreen. The first cell is the row's header. */
export function SmallTable<Row>(props: SmallTableProps<Row>): ReactNode {
  const { label, columns, rows, rowKey, minWidth = 480, isDimmed } = props
  const style: CSSProperties & { '--min-width': string } = { '--min-width': `${minWidth}px` }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard
    <div className={classes.scroll} role="group" aria-label={label} tabIndex={0}>
      {/* Explicit roles: with `display: block`, browsers drop the implicit table roles. */}
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
