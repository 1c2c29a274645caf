import { z } from 'zod'
import { defineResource } from '../define-resource.ts'
import { flag, id, instant, line, queryId } from '../fields.ts'

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

/** Which column of the file (by its place, from 0) fills which column of the datasource; null leaves it out. */
const columnMapping = z.object({
  index: z.int().nonnegative(),
  column: z.string().max(63).nullable(),
  /** `column` is not there yet: the start adds it to the datasource, which needs EmmaMemberTable:patch. */
  new_column: z
    .object({ label: line(255).trim().min(1, 'must not be empty'), data_type: z.enum(newColumnTypes) })
    .nullish(),
  /** How the cells are written, where a person says so; else as in `formats`. */
  date_order: z.enum(dateOrders).nullish(),
  decimal_sign: z.enum(decimalSigns).nullish(),
})

/** How the dates and numbers of a column of the file are written, by its cells; null where nothing has to be told. */
const columnFormat = z.object({
  /** The type that all its cells fit: what a new column of the datasource would have. */
  data_type: z.enum(newColumnTypes),
  date_order: z.enum([...dateOrders, 'unclear']).nullable(),
  decimal_sign: z.enum([...decimalSigns, 'unclear']).nullable(),
})

/** An upload of members or of suppressed addresses. Made by POST /v2/dataupload/ (multipart); PATCH sets how it is read and imported; a finished
 * test (`test: true`, nothing is written) can be changed and started, too. */
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
    /** One a column, by its place. */
    formats: z.array(columnFormat),
    mapping: z.array(columnMapping).max(500),
    /** An optional cell that does not fit is left empty; otherwise its row is not imported. */
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
    /** Of rows_ok: imported without a cell that did not fit. */
    rows_repaired: z.int(),
    has_error_file: z.boolean(),
    error: z.string().nullable(),
    /** How far the undo of the import is, and what it did to members; null without one. */
    undo: z
      .object({
        state: z.enum(['running', 'finished', 'failed']),
        removed: z.int(),
        restored: z.int(),
        kept: z.int(),
      })
      .nullable(),
    /** Until when the import can be undone; null where it cannot. */
    undo_until: instant.nullable(),
    /** Imports nothing: figures and error file alone. */
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
