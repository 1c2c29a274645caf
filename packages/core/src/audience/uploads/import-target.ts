import type { uploadModes } from '@emma/contract/resources/dataupload.ts'
import type { Db } from '@emma/db/connection.ts'
import type { RawBuilder } from 'kysely'
import type { CellFormat, ReadValue } from '../members/read-value.ts'

export type UploadMode = (typeof uploadModes)[number]

/** Whether data of the rows is written, beside the address. */
export function isWriting(mode: UploadMode): boolean {
  return mode === 'insert' || mode === 'update' || mode === 'upsert'
}

/** A column an upload can fill. */
export interface TargetColumn {
  column_name: string
  label: string
  /** Its PostgreSQL type. */
  type: string
  /** How cells are read that are written in a format of the file. */
  reader: (format: CellFormat) => ReadValue
  /** Added to the datasource by the start; a test of the import reads its cells and writes none. */
  isNew?: boolean
  /** A row without it is incomplete. */
  isRequired: boolean
  /** Values may hold backslashes, tabs or line ends, which COPY wants escaped. */
  isFreeText: boolean
  /** What is taken instead of a cell that does not fit, with a warning in the error file; without it the row is not. */
  repair?: (cell: string) => string
}

/** Why a row that is right in itself is not taken, known only beside the data that is there. */
export type Rejection = 'blacklist_internal' | 'blacklist_client' | 'existing' | 'unknown'

/**
 * Where an upload goes: members of a datasource, or entries of a blacklist. Both build statements over the staged rows,
 * the temporary table `upload_row` (row_no, and the mapped columns); rows that `rejections` names are gone when `merge`
 * runs.
 */
export interface ImportTarget {
  /** For people: the datasource's or the list's name. */
  name: string
  columns: readonly TargetColumn[]
  /** The column by which rows are the same. */
  key: string
  /** Whether a cell is a value of the key: what a header never is. */
  isKey: (cell: string) => boolean
  /** Whether rows are read for their key alone: who is to be unsubscribed is, whatever the other cells hold. */
  needsKeyOnly: boolean
  /** Whether a row may have more or fewer cells than the others. */
  takesUnevenRows: boolean
  /** Whether there is a record with the key of a staged row (alias u). */
  isKnown: RawBuilder<unknown>
  /** SELECT row_no, reason of the staged rows that are not to be merged; null when there can be none. */
  rejections(db: Db): Promise<RawBuilder<unknown> | null>
  /** How a table that is still empty is filled without its index of keys, which is built when the rows are there. */
  fresh?: { probe: RawBuilder<unknown>; unindex: RawBuilder<unknown>; index: RawBuilder<unknown> }
  /** Statements that merge the mapped columns, and keep for an undo what they change. `isFresh`: nothing is there yet. */
  merge(mapped: readonly string[], options: { isFresh: boolean; uploadId: number }): MergeStep[]
  /** After the commit: figures that follow from the data. */
  finish(db: Db): Promise<void>
}

export interface MergeStep {
  statement: RawBuilder<unknown>
  /** Runs instead when somebody else has added one of the rows at the same moment. */
  otherwise?: RawBuilder<unknown>
  /** The figure to which the rows it touched are added. */
  figure: 'inserted' | 'updated' | null
}

/** What an error file says of each rejection. */
export const rejectionWords: Record<Rejection, string> = {
  blacklist_internal: 'is suppressed: on the blacklist of the platform',
  blacklist_client: 'is suppressed: on a blacklist of this client',
  existing: 'is there already',
  unknown: 'is not there',
}
