import type { ReactNode } from 'react'
import type { ConfirmOptions } from '../feedback/confirm.tsx'

/** A column of a list, in display order. */
export interface Column<Row> {
  id: string
  header: string
  cell(row: Row): ReactNode
  /** Plain value for the export; the row's field with the column's id by default. */
  text?(row: Row): string | number | boolean | null | undefined
  /** Sort field of the contract. Without it, the column is not sortable. */
  sort?: string
  /** In px; columns without a width share the rest. */
  width?: number
  align?: 'start' | 'end'
  /** Hidden by default. */
  hidden?: boolean
  /** Omitted from the cards on narrow screens. */
  wideOnly?: boolean
}

export interface FilterOption {
  value: string
  label: string
}

/** A filter of a list; `name` is a filter of the contract. */
export interface ListFilter {
  name: string
  label: string
  /**
   * `choice`: one or several of `options`. `flag`: yes or no. `text`: contains. `date`: a day (for `…After` and
   * `…Before` filters). `number`: an integer.
   */
  kind: 'choice' | 'flag' | 'text' | 'date' | 'number'
  options?: readonly FilterOption[]
  /** A choice that allows only one value. */
  single?: boolean
  /** Always visible, not only after "Add filter". */
  pinned?: boolean
}

/** An action on one row. */
export interface RowAction {
  id: string
  label: string
  icon?: ReactNode
  danger?: boolean
  /** Reason why the action is not possible; shown instead of running it. */
  disabled?: string | undefined
  /** Confirmation before the action. */
  confirm?: ConfirmOptions
  run: () => void | Promise<void>
  /** Success message, with an undo if the action can be reverted. */
  done?: { message: string; undo?: () => Promise<unknown> }
}

/** An action on all selected rows, with progress. */
export interface BulkAction<Row> {
  id: string
  label: string
  icon?: ReactNode
  danger?: boolean
  /** Rows for which the action is not possible are skipped and reported. */
  isPossible?: (row: Row) => boolean
  confirm?: (rows: readonly Row[]) => ConfirmOptions
  /** Asks for input, e.g. a reason, instead of `confirm`; false cancels. */
  prepare?: (rows: readonly Row[]) => Promise<boolean>
  run: (row: Row, signal: AbortSignal) => Promise<unknown>
  /** Reverts the action for one row; offered as undo afterwards. */
  undo?: (row: Row, signal: AbortSignal) => Promise<unknown>
  /** Whether a row's action can be undone; true by default. */
  isUndoable?: (row: Row) => boolean
}

/** Opens something with all selected rows together, e.g. their comparison. */
export interface BulkOpening<Row> {
  id: string
  label: string
  icon?: ReactNode
  open: (rows: readonly Row[]) => void
}

/** Number of rows above which the list is virtualized. */
export const virtualFrom = 100
