import { IconArrowDown, IconArrowUp, IconDots } from '@tabler/icons-react'
import { VisuallyHidden } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  memo,
  useEffect,
  useRef,
} from 'react'
import { useTranslate } from '../i18n.tsx'
import { columnWidth } from './column-width.ts'
import { type Column, virtualFrom } from './list-parts.ts'
import type { ListSort } from './list-state.ts'
import classes from './list-table.module.css'
import { rowsInView } from './rows-in-view.ts'

const estimatedRowHeight = 41
const flexibleColumnWidth = 180
const checkColumnWidth = 40
const menuColumnWidth = 48

export interface ListTableProps<Row> {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  rowLabel: (row: Row) => string
  /** Total number of rows on all pages, for screen readers. */
  total: number
  offset: number
  sort: ListSort | null
  onSort: (field: string) => void
  /** Keys of the selected rows; `null`: rows cannot be selected. */
  selected: ReadonlySet<string> | null
  onSelect: (keys: readonly string[], isSelected: boolean) => void
  activeKey: string | null
  onActivate: (key: string) => void
  onOpen?: ((row: Row, event: MouseEvent | KeyboardEvent) => void) | undefined
  href?: ((row: Row) => string) | undefined
  /** Opens the row's menu at the button; without it, rows have no menu. */
  onMenu?: ((row: Row, button: HTMLElement) => void) | undefined
  menuKey: string | null
  isUpdating: boolean
  scrollRef: RefObject<HTMLDivElement | null>
}

/**
 * The rows of a list. Plain HTML and delegated events for speed: 25 rows render in a few milliseconds, and 10,000
 * scroll smoothly.
 */
export function ListTable<Row>(props: ListTableProps<Row>): ReactNode {
  const { columns, rows, rowKey, selected, onMenu, scrollRef, activeKey } = props
  const isVirtual = rows.length > virtualFrom
  // oxlint-disable-next-line react/incompatible-library -- nothing here is compiled by React's compiler
  const virtualizer = useVirtualizer({
    count: isVirtual ? rows.length : 0,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => estimatedRowHeight,
    overscan: 12,
    rangeExtractor: rowsInView,
  })
  const shown = isVirtual
    ? virtualizer.getVirtualItems().map(item => item.index)
    : rows.map((_, index) => index)
  const before = isVirtual ? (virtualizer.getVirtualItems()[0]?.start ?? 0) : 0
  const after = isVirtual ? virtualizer.getTotalSize() - (virtualizer.getVirtualItems().at(-1)?.end ?? 0) : 0
  const events = useRowEvents(props)
  useFocusOfActiveRow(scrollRef, activeKey, () => {
    const index = rows.findIndex(row => rowKey(row) === activeKey)
    if (isVirtual && index >= 0) virtualizer.scrollToIndex(index)
  })
  const columnCount = columns.length + (selected ? 1 : 0) + (onMenu ? 1 : 0)
  // Without an active row, the first one is the tab stop.
  const tabKey = activeKey ?? (rows[0] === undefined ? null : rowKey(rows[0]))

  return (
    <table
      className={classes.table}
      style={{
        minWidth: minimumWidth(columns, (selected ? checkColumnWidth : 0) + (onMenu ? menuColumnWidth : 0)),
      }}
      role="table"
      aria-label={props.label}
      aria-rowcount={props.total + 1}
      aria-busy={props.isUpdating}
    >
      <Columns columns={columns} isSelectable={selected !== null} hasMenu={onMenu !== undefined} />
      <Head {...props} />
      <tbody role="rowgroup" data-updating={props.isUpdating || undefined} {...events}>
        {before > 0 && <Spacer height={before} columns={columnCount} />}
        {shown.map(index => {
          const row = rows[index]
          if (row === undefined) return null
          const key = rowKey(row)
          return (
            <BodyRow
              key={key}
              row={row}
              rowId={key}
              label={props.rowLabel(row)}
              index={index}
              rowIndex={props.offset + index + 2}
              columns={columns}
              isSelectable={selected !== null}
              isSelected={selected?.has(key) ?? false}
              isActive={key === activeKey}
              isTabStop={key === tabKey}
              {...(props.href ? { href: props.href } : {})}
              canOpen={props.onOpen !== undefined}
              hasMenu={onMenu !== undefined}
              isMenuOpen={key === props.menuKey}
              measure={isVirtual ? virtualizer.measureElement : undefined}
            />
          )
        })}
        {after > 0 && <Spacer height={after} columns={columnCount} />}
      </tbody>
    </table>
  )
}

function Columns<Row>(props: {
  columns: readonly Column<Row>[]
  isSelectable: boolean
  hasMenu: boolean
}): ReactNode {
  return (
    <colgroup>
      {props.isSelectable && <col style={{ width: checkColumnWidth }} />}
      {props.columns.map(column => (
        <col key={column.id} style={{ width: columnWidth(column) }} />
      ))}
      {props.hasMenu && <col style={{ width: menuColumnWidth }} />}
    </colgroup>
  )
}

function Head<Row>(props: ListTableProps<Row>): ReactNode {
  const { columns, rows, rowKey, selected, onSelect, sort, onSort } = props
  const t = useTranslate()
  const keys = rows.map(rowKey)
  const selectedHere = keys.filter(key => selected?.has(key)).length
  return (
    <thead role="rowgroup">
      <tr role="row" aria-rowindex={1}>
        {selected && (
          <th role="columnheader" className={classes.check} scope="col">
            <input
              type="checkbox"
              aria-label={t('list.select_all')}
              checked={keys.length > 0 && selectedHere === keys.length}
              ref={box => {
                if (box) box.indeterminate = selectedHere > 0 && selectedHere < keys.length
              }}
              onChange={event => onSelect(keys, event.currentTarget.checked)}
            />
          </th>
        )}
        {columns.map(column => {
          const isSorted = column.sort !== undefined && sort?.field === column.sort
          const direction = sort?.descending ? 'descending' : 'ascending'
          return (
            <th
              key={column.id}
              role="columnheader"
              scope="col"
              data-align={column.align}
              aria-sort={isSorted ? direction : undefined}
            >
              {column.sort === undefined ? (
                <span className={classes.headText}>{column.header}</span>
              ) : (
                <SortButton column={column} direction={isSorted ? direction : null} onSort={onSort} />
              )}
            </th>
          )
        })}
        {props.onMenu && (
          <th role="columnheader" scope="col" className={classes.menu}>
            <VisuallyHidden>{t('action.more')}</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
  )
}

function SortButton<Row>(props: {
  column: Column<Row>
  direction: 'ascending' | 'descending' | null
  onSort: (field: string) => void
}): ReactNode {
  const { column, direction, onSort } = props
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <button type="button" className={classes.sort} onClick={() => onSort(column.sort ?? column.id)}>
      <span className={classes.headText}>{column.header}</span>
      <Arrow className={classes.arrow} data-on={direction !== null || undefined} size={14} aria-hidden />
    </button>
  )
}

interface BodyRowProps<Row> {
  row: Row
  rowId: string
  label: string
  index: number
  rowIndex: number
  columns: readonly Column<Row>[]
  isSelectable: boolean
  isSelected: boolean
  isActive: boolean
  isTabStop: boolean
  // Method syntax, so that `memo` (without type parameters) accepts rows of any type.
  href?(row: Row): string
  canOpen: boolean
  hasMenu: boolean
  isMenuOpen: boolean
  measure?: ((element: Element | null) => void) | undefined
}

function BodyRowPlain<Row>(props: BodyRowProps<Row>): ReactNode {
  const { row, rowId, rowIndex, index, columns, label, measure } = props
  const { isSelectable, isSelected, isActive, isTabStop, canOpen, hasMenu, isMenuOpen } = props
  const hrefOfRow = props.href?.(row)
  const t = useTranslate()
  return (
    <tr
      ref={measure}
      role="row"
      className={classes.row}
      data-key={rowId}
      data-index={index}
      data-active={isActive || undefined}
      data-selected={isSelected || undefined}
      data-opens={canOpen || undefined}
      aria-rowindex={rowIndex}
      tabIndex={isTabStop ? 0 : -1}
    >
      {isSelectable && (
        <td role="cell" className={classes.check}>
          <input
            type="checkbox"
            data-part="select"
            aria-label={t('list.select_row', { name: label })}
            checked={isSelected}
            readOnly
          />
        </td>
      )}
      {columns.map((column, position) => (
        <td
          key={column.id}
          role="cell"
          data-label={column.header}
          data-align={column.align}
          data-wide={column.wideOnly || undefined}
        >
          {position === 0 && hrefOfRow !== undefined ? (
            <a className={classes.link} href={hrefOfRow} data-part="open">
              {column.cell(row)}
            </a>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {hasMenu && (
        <td role="cell" className={classes.menu}>
          <button
            type="button"
            className={classes.menuButton}
            data-part="menu"
            aria-haspopup="menu"
            aria-expanded={isMenuOpen}
            aria-label={t('list.row_actions', { name: label })}
          >
            <IconDots size={16} aria-hidden />
          </button>
        </td>
      )}
    </tr>
  )
}

/** Memoized: renders only when its own row changes. */
const BodyRow: <Row>(props: BodyRowProps<Row>) => ReactNode = memo(BodyRowPlain)

function Spacer({ height, columns }: { height: number; columns: number }): ReactNode {
  return (
    <tr aria-hidden style={{ height }}>
      <td colSpan={columns} className={classes.spacer} />
    </tr>
  )
}

/** Delegated events of all rows: clicks select, open or show the menu; arrow keys and Enter move and open. */
function useRowEvents<Row>(props: ListTableProps<Row>) {
  const lastSelected = useRef<string | null>(null)
  const { rows, rowKey, selected, onSelect, onActivate, onOpen, onMenu } = props

  function rowOf(target: EventTarget): Row | undefined {
    const key = target instanceof Element ? target.closest('tr')?.dataset.key : undefined
    return key === undefined ? undefined : rows.find(row => rowKey(row) === key)
  }

  function select(row: Row, isRange: boolean): void {
    const key = rowKey(row)
    const isSelected = !selected?.has(key)
    const keys = rows.map(rowKey)
    const from = isRange && lastSelected.current !== null ? keys.indexOf(lastSelected.current) : -1
    const to = keys.indexOf(key)
    lastSelected.current = key
    onSelect(from < 0 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1), isSelected)
  }

  function onClick(event: MouseEvent<HTMLElement>): void {
    const row = rowOf(event.target)
    if (row === undefined || !(event.target instanceof Element)) return
    const control = event.target.closest<HTMLElement>('a, button, input, label, select, textarea')
    const part = control?.dataset.part
    onActivate(rowKey(row))
    if (part === 'select') return select(row, event.shiftKey)
    if (part === 'menu' && control) return onMenu?.(row, control)
    const wantsNewTab = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0
    if (part === 'open' && !wantsNewTab) {
      event.preventDefault()
      return onOpen?.(row, event)
    }
    if (control || wantsNewTab || String(getSelection()) !== '') return
    onOpen?.(row, event)
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const row = rowOf(event.target)
    if (row === undefined || !(event.target instanceof HTMLTableRowElement)) return
    if (event.key === 'Enter') {
      event.preventDefault()
      return onOpen?.(row, event)
    }
    if (event.key === ' ' && selected) {
      event.preventDefault()
      return select(row, event.shiftKey)
    }
    const index = rows.indexOf(row)
    const target = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key]
    const next = target === undefined ? undefined : rows[target]
    if (next === undefined) return
    event.preventDefault()
    onActivate(rowKey(next))
  }

  return { onClick, onKeyDown }
}

/** Focuses the active row after a change by keyboard, if the focus is inside the list or nowhere. */
function useFocusOfActiveRow(
  scrollRef: RefObject<HTMLDivElement | null>,
  activeKey: string | null,
  bringIntoView: () => void,
): void {
  useEffect(() => {
    const scroller = scrollRef.current
    if (activeKey === null || !scroller) return undefined
    const focused = document.activeElement
    const isElsewhere = focused !== null && !focused.contains(scroller) && !scroller.contains(focused)
    const isOnControl =
      focused !== scroller && focused?.closest('a, button, input, select, textarea') !== null
    if (isElsewhere || isOnControl) return undefined
    const find = () => scroller.querySelector<HTMLElement>(`tr[data-key="${CSS.escape(activeKey)}"]`)
    if (!find()) bringIntoView()
    const frame = requestAnimationFrame(() => {
      find()?.focus({ preventScroll: true })
      find()?.scrollIntoView({ block: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new current row moves the focus
  }, [activeKey])
}

function minimumWidth<Row>(columns: readonly Column<Row>[], others: number): CSSProperties['minWidth'] {
  return columns.reduce((sum, column) => sum + (columnWidth(column) ?? flexibleColumnWidth), others)
}

/** Placeholder of rows while they load. */
export function ListTableSkeleton(props: { columns: number; rows: number }): ReactNode {
  const t = useTranslate()
  return (
    <div className={classes.skeleton} role="status" aria-label={t('loading')}>
      {Array.from({ length: props.rows }, (_, row) => (
        <div key={row} className={classes.skeletonRow}>
          {Array.from({ length: props.columns }, (_cell, cell) => (
            <span key={cell} className={classes.skeletonCell} data-first={cell === 0 || undefined} />
          ))}
        </div>
      ))}
    </div>
  )
}
