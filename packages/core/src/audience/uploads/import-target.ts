import { type Fault, fault } from '@emma/contract/faults.ts'
import type { uploadModes } from '@emma/contract/resources/dataupload.ts'
import type { Db } from '@emma/db/connection.ts'
import type { RawBuilder } from 'kysely'
import type { CellFormat, ReadValue } from '../members/read-value.ts'

export type UploadMode = (typeof uploadModes)[number]

/** Whether the mode writes data of the rows besides the address. */
export function isWriting(mode: UploadMode): boolean {
  return mode === 'insert' || mode === 'update' || mode === 'upsert'
}

/** A column that an upload can fill. */
export interface TargetColumn {
  column_name: string
  label: string
  /** PostgreSQL type. */
  type: string
  /** Creates a reader for cells in a format of the file. */
  reader: (format: CellFormat) => ReadValue
  /** Added to the datasource when the import starts; a test of the import reads its cells but writes none. */
  isNew?: boolean
  /** Whether a row without a value is incomplete. */
  isRequired: boolean
  /** Whether values may contain backslashes, tabs or line ends, which COPY needs escaped. */
  isFreeText: boolean
  /** Replacement for an invalid cell, with a warning in the error file; without it the row is rejected. */
  repair?: (cell: string) => string
}

/** Why a valid row is not imported, known only from existing data. */
export type Rejection = 'blacklist_internal' | 'blacklist_client' | 'existing' | 'unknown'

/**
 * Target of an upload: members of a datasource, or entries of a suppression list. Both build statements over the staged
 * rows, the temporary table `upload_row` (row_no and the mapped columns); rows of `rejections` are deleted before
 * `merge` runs.
 */
export interface ImportTarget {
  /** Name of the datasource or list, for messages. */
  name: string
  columns: readonly TargetColumn[]
  /** Column that identifies a row. */
  key: string
  /** Whether a cell is a value of the key, which a header never is. */
  isKey: (cell: string) => boolean
  /**
   * Whether only the key of a row is read, so that invalid other cells do not prevent, for example, an unsubscription.
   */
  needsKeyOnly: boolean
  /** Whether rows may have different numbers of cells. */
  takesUnevenRows: boolean
  /** Whether a record with the key of a staged row (alias u) exists. */
  isKnown: RawBuilder<unknown>
  /** SELECT of row_no and reason for staged rows not to merge; null when there can be none. */
  rejections(db: Db): Promise<RawBuilder<unknown> | null>
  /** Statements to fill an empty table without its key index, which is built afterwards. */
  fresh?: { probe: RawBuilder<unknown>; unindex: RawBuilder<unknown>; index: RawBuilder<unknown> }
  /** Statements that merge the mapped columns and store overwritten values for an undo. `isFresh`: the table is empty. */
  merge(mapped: readonly string[], options: { isFresh: boolean; uploadId: number }): MergeStep[]
  /** Updates derived figures after the commit. */
  finish(db: Db): Promise<void>
}

export interface MergeStep {
  statement: RawBuilder<unknown>
  /** Runs instead after a unique violation by a concurrent insert. */
  otherwise?: RawBuilder<unknown>
  /** Figure that the number of affected rows is added to. */
  figure: 'inserted' | 'updated' | null
}

/** Text of each rejection in the error file. */
export const rejectionFaults: Readonly<Record<Rejection, Fault>> = {
  blacklist_internal: fault('cell.suppressed_platform'),
  blacklist_client: fault('cell.suppressed_client'),
  existing: fault('cell.existing'),
  unknown: fault('cell.unknown'),
}
