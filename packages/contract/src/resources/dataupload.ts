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

/** Which column of the file (by its place, from 0) fills which column of the datasource; null leaves it out. */
const columnMapping = z.object({ index: z.int().nonnegative(), column: z.string().max(63).nullable() })

/** An upload of members or of suppressed addresses. Made by POST /v2/dataupload/ (multipart); PATCH sets mapping and mode. */
export const dataupload = defineResource({
  name: 'dataupload',
  area: 'audience',
  entity: 'DataUpload',
  key: 'id',
  paths: ['/dataupload/'],
  tenant: true,
  fields: {
    id,
    member_table_id: id.nullable(),
    blacklist_id: id.nullable(),
    filename: line(),
    size: z.int(),
    status: z.int().min(0).max(5),
    mode: z.enum(uploadModes),
    delimiter: z.enum([',', ';', '\t', '|']).nullable(),
    charset: z
      .enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-1', 'iso-8859-15'])
      .nullable(),
    header: z.array(z.string()),
    sample: z.array(z.array(z.string())),
    mapping: z.array(columnMapping).max(500),
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
    has_error_file: z.boolean(),
    error: z.string().nullable(),
    test: z.boolean(),
    started_at: instant.nullable(),
    finished_at: instant.nullable(),
  },
  readOnly: [
    'filename',
    'size',
    'status',
    'header',
    'sample',
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
    'has_error_file',
    'error',
    'test',
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
