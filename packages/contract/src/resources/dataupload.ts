import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, instant, line, queryId } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

export const uploadModes = ['insert', 'update', 'upsert', 'unsubscribe', 'delete'] as const
export const uploadState = {
  uploaded: 0,
  analysed: 1,
  running: 2,
  finished: 3,
  failed: 4,
  cancelled: 5,
} as const

export const dateOrders = ['dmy', 'mdy'] as const
export const decimalSigns = [',', '.'] as const

/** Types of columns that an upload can add to the datasource. */
export const newColumnTypes = ['string', 'text', 'int', 'decimal', 'bool', 'date', 'datetime'] as const

/** Maps a column of the file (by position, from 0) to a column of the datasource; null ignores it. */
const columnMapping = z.object({
  index: z.int().nonnegative(),
  column: z.string().max(63).nullable(),
  /**
   * `column` does not exist yet: the start of the import adds it to the datasource, which requires
   * EmmaMemberTable:patch.
   */
  new_column: z
    .object({ label: line(255).trim().min(1, checkFault('field.empty')), data_type: z.enum(newColumnTypes) })
    .nullish(),
  /** Format of the cells chosen by the user; default: that of `formats`. */
  date_order: z.enum(dateOrders).nullish(),
  decimal_sign: z.enum(decimalSigns).nullish(),
})

/** Format of the dates and numbers in a column of the file, detected from its cells; null where none are ambiguous. */
const columnFormat = z.object({
  /** Narrowest type that all its cells fit, for a new column of the datasource. */
  data_type: z.enum(newColumnTypes),
  date_order: z.enum([...dateOrders, 'unclear']).nullable(),
  decimal_sign: z.enum([...decimalSigns, 'unclear']).nullable(),
})

/**
 * An upload of members or of suppressed addresses. Created by POST /v2/dataupload/ (multipart); PATCH changes how it is
 * read and imported. A finished test (`test: true`, which writes nothing) can also be changed and started.
 */
export const dataupload = defineResource({
  name: 'dataupload',
  area: 'audience',
  entity: 'DataUpload',
  key: 'id',
  label: 'filename',
  paths: ['/dataupload/'],
  tenant: true,
  deletedForEver: true,
  fields: {
    id,
    member_table_id: id.nullable(),
    blacklist_id: id.nullable(),
    filename: line(),
    size: z.int(),
    status: z.int().min(0).max(5),
    mode: z.enum(uploadModes).default('upsert'),
    delimiter: z.enum([',', ';', '\t', '|']).nullable(),
    charset: z
      .enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1', 'iso-8859-15'])
      .nullable(),
    header: z.array(z.string()),
    sample: z.array(z.array(z.string())),
    /** One per column, by position. */
    formats: z.array(columnFormat),
    mapping: z.array(columnMapping).max(500),
    /** Imports an invalid optional cell as empty; otherwise its row is rejected. */
    empty_bad_cells: z.boolean().default(false),
    rows: z.int(),
    rows_read: z.int(),
    rows_ok: z.int(),
    rows_inserted: z.int(),
    rows_updated: z.int(),
    rows_unchanged: z.int(),
    rows_incomplete: z.int(),
    rows_invalid: z.int(),
    rows_duplicate: z.int(),
    rows_suppressed: z.int(),
    /** Rows of rows_ok with a cell that was replaced to fit. */
    rows_repaired: z.int(),
    has_error_file: z.boolean(),
    /** English reason of a failure; `error_code` and `error_values` contain it as data. */
    error: z.string().nullable(),
    error_code: z.string().nullable(),
    error_values: z.record(z.string(), z.unknown()).nullable(),
    /** State of the undo of the import, and its figures; null without one. */
    undo: z
      .object({
        state: z.enum(['running', 'finished', 'failed']),
        removed: z.int(),
        restored: z.int(),
        kept: z.int(),
      })
      .nullable(),
    /** Until when the import can be undone; null when it cannot. */
    undo_until: instant.nullable(),
    /** Writes nothing, only produces figures and an error file. */
    test: z.boolean().default(false),
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
  },
  readOnly: [
    'filename',
    'size',
    'status',
    'header',
    'sample',
    'formats',
    'rows',
    'rows_read',
    'rows_ok',
    'rows_inserted',
    'rows_updated',
    'rows_unchanged',
    'rows_incomplete',
    'rows_invalid',
    'rows_duplicate',
    'rows_suppressed',
    'rows_repaired',
    'has_error_file',
    'undo',
    'undo_until',
    'error',
    'error_code',
    'error_values',
    'started_at',
    'finished_at',
  ],
  required: { create: [] },
  filters: {
    member_table_id: { operator: 'eq', value: queryId },
    table: { operator: 'eq', column: 'member_table_id', value: queryId },
    blacklist_id: { operator: 'eq', value: queryId },
    status: { operator: 'eq', value: z.coerce.number().int().min(0).max(5) },
    test: { operator: 'flag', value: flag },
  },
  search: ['filename'],
  sort: ['filename', 'status', 'started_at', 'finished_at'],
  included: { membertable: { resource: 'membertable', via: 'member_table_id' } },
})
