import type { ReactNode } from 'react'
import type { ConfirmOptions } from '../feedback/confirm.tsx'

/** A column of a list. Columns are written out by the screen, in the order in which they appear. */
export interface Column<Row> {
  id: string
  header: string
  cell(row: Row): ReactNode
  /** Plain value for the export; the row's field named like the column when left out. */
  text?(row: Row): string | number | boolean | null | undefined
  /** Sort key of the contract. Left out: the column does not sort. */
  sort?: string
  /** In px; columns without one share the rest. */
  width?: number
  align?: 'start' | 'end'
  /** Not shown until chosen. */
  hidden?: boolean
  /** Left out of the cards that narrow screens show. */
  wideOnly?: boolean
}

export interface FilterOption {
  value: string
  label: string
}

/** How a list may be narrowed; `name` is a filter of the contract. */
export interface ListFilter {
  name: string
  label: string
  /**
   * `choice`: one or several of `options`. `flag`: yes or no. `text`: contains. `date`: a day (use it for the
   * `…After` and `…Before` filters). `number`: a whole number.
   */
  kind: 'choice' | 'flag' | 'text' | 'date' | 'number'
  options?: readonly FilterOption[]
  /** A choice of which only one value can hold. */
  single?: boolean
  /** Always visible, not only after "Add filter". */
  pinned?: boolean
}

/** Something that can be done with one row. */
export interface RowAction {
  id: string
  label: string
  icon?: ReactNode
  danger?: boolean
  /** Why it cannot be done now: shown instead of doing it. */
  disabled?: string | undefined
  /** Asked first. */
  confirm?: ConfirmOptions
  run: () => void | Promise<void>
  /** Said when it is done, with Undo where that can be taken back. */
  done?: { message: string; undo?: () => Promise<unknown> }
}

/** Something that can be done with all selected rows, one after the other, with progress. */
export interface BulkAction<Row> {
  id: string
  label: string
  icon?: ReactNode
  danger?: boolean
  /** Rows for which it is impossible are left out, and said so. */
  isPossible?: (row: Row) => boolean
  confirm?: (rows: readonly Row[]) => ConfirmOptions
  /** Asks for what the action needs, e.g. a reason; false: it is not done. Instead of `confirm`. */
  prepare?: (rows: readonly Row[]) => Promise<boolean>
  run: (row: Row, signal: AbortSignal) => Promise<unknown>
  /** Takes it back for one row; offered as Undo once the action is done. */
  undo?: (row: Row, signal: AbortSignal) => Promise<unknown>
  /** Rows for which it cannot be taken back; all can where this is left out. */
  isUndoable?: (row: Row) => boolean
}

/** From this many rows on, only those in view are in the document. */
export const virtualFrom = 100
