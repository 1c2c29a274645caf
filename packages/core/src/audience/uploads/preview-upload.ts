import { join } from 'node:path'
import type { PreviewOutcome, UploadPreview, UploadPreviewQuestion } from '@emma/contract/actions/audience.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { TenantScope } from '../../resource/actor.ts'
import { analyseFile } from './analyse-file.ts'
import { decodeText } from './charset.ts'
import { type ImportTarget, type Rejection, rejectionFaults, type UploadMode } from './import-target.ts'
import { readPieces } from './read-pieces.ts'
import { readUpload, targetOf } from './read-upload.ts'
import { createRowReader, type FilledColumn, filledColumns, readCell, readStagedRows } from './row-reader.ts'
import { readSetting } from './run-upload.ts'
import { splitRows } from './split-rows.ts'
import { assertStartable, asInvalid } from './upload-operations.ts'
import type { Upload } from './upload.ts'
import type { Fault } from '@emma/contract/faults.ts'

/** Most rows in a preview. */
const PREVIEW_ROWS = 20

/** Most characters of a cell in a preview. */
const SHOWN_CHARACTERS = 500

/**
 * Shows the first rows of an upload as the import would store them, using the import's row reader and rejections.
 * Writes nothing. Settings that `question` omits are those of the upload.
 *
 * @throws EmmaError `not_found`, `wrong_state` (running or imported), `invalid` when the mapping does not fit the file
 */
export async function previewUpload(
  db: Db,
  scope: TenantScope,
  folder: string,
  id: number,
  question: UploadPreviewQuestion,
): Promise<UploadPreview> {
  const kept = await readUpload(db, scope, id)
  assertStartable(kept)
  const upload = {
    ...kept,
    mapping: question.mapping ?? kept.mapping,
    empty_bad_cells: question.empty_bad_cells ?? kept.empty_bad_cells,
  }
  try {
    const target = await targetOf(db, upload)
    const { filled, rows } = await readFirstRows(join(folder, upload.file), target, upload)
    const stored = await storedValues(db, upload, target, filled, rows)
    return {
      columns: filled.map(({ index, column_name, label }) => ({ index, column_name, label })),
      rows: rows.map(row => presentRow(row, filled, stored.get(row.row), upload.mode)),
    }
  } catch (error) {
    throw asInvalid(error, 'mapping')
  }
}

/** A row of the file with the row reader's result. */
interface FirstRow {
  row: number
  cells: readonly string[]
  /** Values in COPY's column order; null when the row is rejected. */
  staged: (string | null)[] | null
  /** Why the row is rejected. */
  fault: { reason: Fault; column: string } | null
}

async function readFirstRows(
  path: string,
  target: ImportTarget,
  upload: Upload,
): Promise<{ filled: FilledColumn[]; rows: FirstRow[] }> {
  const { header, sample, charset, delimiter, preamble, formats } = await analyseFile(
    path,
    target.isKey,
    upload,
  )
  const width = header.length || (sample[0]?.length ?? 0)
  const filled = filledColumns(target, upload.mapping, {
    width,
    formats,
    emptyBadCells: upload.empty_bad_cells,
  })
  const faults = new Map<number, FirstRow['fault']>()
  const file = { width, preamble, hasHeader: header.length > 0 }
  const reader = createRowReader(filled, target, file, {
    add: (row, reason, column) => faults.set(row, { reason, column }),
  })
  const read: { row: number; cells: string[] }[] = []
  const splitter = splitRows(delimiter, (cells, row) => {
    if (reader.counts.read === PREVIEW_ROWS) return
    reader.onRow(cells, row)
    if (reader.counts.read > read.length) read.push({ row, cells })
  })
  for await (const text of decodeText(readPieces(path), charset)) {
    splitter.push(text)
    if (reader.counts.read === PREVIEW_ROWS) break
  }
  if (reader.counts.read < PREVIEW_ROWS) splitter.end()
  const staged = new Map(readStagedRows(reader.take()).map(({ row, values }) => [row, values]))
  return {
    filled,
    rows: read.map(({ row, cells }) => {
      const values = staged.get(row) ?? null
      return { row, cells, staged: values, fault: values === null ? (faults.get(row) ?? null) : null }
    }),
  }
}

interface StoredRow {
  row_no: number
  reason: Rejection | null
  is_known: boolean
  /** Values as PostgreSQL formats them. */
  stored: (string | null)[]
}

/** The staged rows as the database would store them, with their result against existing data. */
async function storedValues(
  db: Db,
  upload: Upload,
  target: ImportTarget,
  filled: readonly FilledColumn[],
  rows: readonly FirstRow[],
): Promise<Map<number, StoredRow>> {
  const staged = rows.flatMap(({ row, staged: values }) => (values === null ? [] : [{ row, values }]))
  const { timezone } = await readSetting(db, upload)
  const rejections = await target.rejections(db)
  const names = filled.map(column => sql.id(column.column_name))
  const texts = filled.map((_, at) => sql`${staged.map(({ values }) => values[at] ?? null)}::text[]`)
  const typed = filled.map((column, at) => sql`r.${names[at]}::${sql.raw(column.type)} as ${names[at]}`)
  // Same name as the import's staging table, so that the target's statements can read it.
  const query = sql<StoredRow>`
    with upload_row as materialized (
      select r.row_no, ${sql.join(typed)}
      from unnest(${staged.map(({ row }) => row)}::int[], ${sql.join(texts)}) as r (row_no, ${sql.join(names)})
    )
    select u.row_no, rejected.reason::text as reason, ${target.isKnown} as is_known,
      array[${sql.join(names.map(name => sql`u.${name}::text`))}] as stored
    from upload_row as u
    left join (${rejections ?? sql`select null::int as row_no, null::text as reason where false`}) as rejected
      on rejected.row_no = u.row_no`
  const found = await transaction(db, async tx => {
    await sql`select set_config('timezone', ${timezone}, true)`.execute(tx)
    return query.execute(tx)
  })
  return new Map(found.rows.map(row => [row.row_no, row]))
}

function presentRow(
  { row, cells, fault }: FirstRow,
  filled: readonly FilledColumn[],
  stored: StoredRow | undefined,
  mode: UploadMode,
): UploadPreview['rows'][number] {
  const rejected = stored?.reason ? rejectionFaults[stored.reason] : null
  const reason = fault?.reason ?? rejected
  return {
    row,
    outcome: stored && rejected === null ? outcomeOf(mode, stored.is_known) : 'skipped',
    reason: reason?.message ?? null,
    ...(reason && codeOf(reason)),
    column: fault?.column || null,
    cells: filled.map((column, at) => {
      const cell = cells[column.index] ?? ''
      const read = readCell(column, cell)
      const value = stored ? (stored.stored[at] ?? null) : cell
      return {
        value: value === null ? null : value.slice(0, SHOWN_CHARACTERS),
        fault: typeof read === 'string' ? null : read.reason.message,
        ...(typeof read !== 'string' && codeOf(read.reason)),
      }
    }),
  }
}

/** Code and values of the message. */
function codeOf({ code, values }: Fault): Pick<Fault, 'code' | 'values'> {
  return { code, ...(values && { values }) }
}

function outcomeOf(mode: UploadMode, isKnown: boolean): PreviewOutcome {
  if (mode === 'unsubscribe' || mode === 'delete') return mode
  return isKnown ? 'update' : 'new'
}
