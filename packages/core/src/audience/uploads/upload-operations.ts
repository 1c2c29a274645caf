import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { UploadData } from '@emma/contract/actions/audience.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import { dataupload } from '@emma/contract/resources/dataupload.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type Actor, ownClient, type TenantScope } from '../../resource/actor.ts'
import { addJob } from '../../resource/add-job.ts'
import { difference, logChange } from '../../resource/log-change.ts'
import type { Operations } from '../../resource/operations.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'
import { analyseFile, type FileWishes } from './analyse-file.ts'
import { guessMapping } from './guess-mapping.ts'
import type { ImportTarget } from './import-target.ts'
import { assertQuota } from './quota.ts'
import { createNewColumns } from './new-columns.ts'
import { assertNotRunning, lockTarget } from './running-uploads.ts'
import { readUpload, targetOf } from './read-upload.ts'
import { filledColumns } from './row-reader.ts'
import { endUpload } from './run-upload.ts'
import { storeWorkbook, workbookEnding } from './store-workbook.ts'
import { storeFile } from './store-file.ts'
import { undoEnd } from './undo-end.ts'
import { createUploadReservation } from './upload-reservation.ts'
import { UploadError, uploadError } from './upload-error.ts'
import type { Upload } from './upload.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'

type UploadRecord = Row<typeof dataupload>

const standard = resourceOperations(dataupload, {
  table: 'data_upload',
  computed: ['has_error_file', 'undo_until'],
  hidden: ['error_file', 'first_member_id'],
  json: ['mapping'],
  toRecord: ({ error_file, ...row }) => ({ has_error_file: error_file !== null, undo_until: undoEnd(row) }),
})

/**
 * CRUD operations of uploads, which takeUpload creates. Mapping, mode, delimiter and charset can be changed until the
 * start; another delimiter or charset gives another header and sample. `folder`: folder of uploaded files.
 */
export function datauploadOperations(folder: string): Operations<typeof dataupload> {
  return {
    ...standard,

    async create() {
      throw new EmmaError('bad_request', fault('refusal.upload_multipart'))
    },

    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const upload = await readUpload(tx, scope, id)
        if (isTested(upload)) await reopen(tx, upload)
        else if (!canStart(upload)) throw new EmmaError('wrong_state', fault('refusal.upload_fixed'))
        const record = await standard.patch(tx, actor, scope, id, input, options)
        if (input.delimiter === undefined && input.charset === undefined) return record
        await analyseAgain(tx, folder, await readUpload(tx, scope, id), input.mapping === undefined)
        return standard.find(tx, actor, scope, id)
      })
    },

    async remove(db, actor, scope, id, options) {
      const { file, error_file } = await transaction(db, async tx => {
        const upload = await readUpload(tx, scope, id)
        await assertNotRunning(tx, upload)
        await standard.remove(tx, actor, scope, id, options)
        return upload
      })
      for (const name of [file, error_file]) if (name) await rm(join(folder, name), { force: true })
    },
  }
}

async function analyseAgain(tx: Db, folder: string, upload: Upload, guess: boolean): Promise<void> {
  try {
    const target = await targetOf(tx, upload)
    const { header, sample, formats, names, ...found } = await lookAt(
      join(folder, upload.file),
      target,
      upload,
    )
    await tx
      .updateTable('data_upload')
      .set({
        ...found,
        header: JSON.stringify(header),
        sample: JSON.stringify(sample),
        formats: JSON.stringify(formats),
        ...(guess ? { mapping: JSON.stringify(guessMapping(names, target.columns)) } : {}),
      })
      .where('client_id', '=', upload.client_id)
      .where('id', '=', upload.id)
      .execute()
  } catch (error) {
    throw asInvalid(error, 'delimiter')
  }
}

/**
 * Analyses a file for its target. `names`: column names to guess the mapping from; `header`: column titles to display.
 */
async function lookAt(path: string, target: ImportTarget, wishes: FileWishes) {
  const { preamble: _, ...found } = await analyseFile(path, target.isKey, wishes)
  if (found.header.length > 0) return { ...found, names: found.header }
  if (target.key === 'email') throw uploadError('upload.no_header')
  const header = (found.sample[0] ?? []).map((_, at) => `Column ${at + 1}`)
  return { ...found, header, names: [target.key] }
}

/**
 * Receives an uploaded file: streams it to the folder, analyses it and guesses the mapping. Returns the analysed upload
 * (status 1). Nothing is stored after an error.
 *
 * @throws EmmaError `invalid` (file or target), `not_found` (foreign target), `too_large` (quota), `disk_full`
 */
export async function takeUpload(
  db: Db,
  actor: Actor,
  folder: string,
  data: UploadData,
  filename: string,
  stream: Readable,
): Promise<UploadRecord> {
  const upload = {
    client_id: await clientOf(db, actor, data),
    member_table_id: data.member_table_id ?? null,
    blacklist_id: data.blacklist_id ?? null,
    mode: data.mode ?? 'upsert',
    filename: basename(filename.replaceAll('\\', '/')).slice(0, 255) || 'upload.csv',
    mapping: [],
  }
  const name = `${upload.client_id}-${randomUUID()}`
  const sent = join(folder, `${name}.csv`)
  const table = join(folder, `${name}${workbookEnding}`)
  const reservation = createUploadReservation(db, upload.client_id, folder)
  try {
    const target = await targetOf(db, upload)
    await assertQuota(db, upload.client_id)
    const sentSize = await storeFile(stream, sent, bytes => reservation.reserve(bytes))
    const tableSize = await storeWorkbook(sent, table)
    if (tableSize !== null) await reservation.reserve(tableSize)
    const path = tableSize === null ? sent : table
    const { header, sample, formats, names, ...found } = await lookAt(path, target, data)
    const guessed = guessMapping(names, target.columns)
    const made = await db
      .insertInto('data_upload')
      .values({
        ...upload,
        file: basename(path),
        size: tableSize ?? sentSize,
        status: 1,
        ...found,
        header: JSON.stringify(header),
        sample: JSON.stringify(sample),
        formats: JSON.stringify(formats),
        mapping: JSON.stringify(data.mapping ?? guessed),
        test: data.test ?? false,
        created_by: actor.userId,
        updated_by: actor.userId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const record = await standard.find(db, actor, { clientIds: [upload.client_id] }, made.id)
    const entry = { clientId: upload.client_id, object: dataupload.name, id: made.id, action: 'create' }
    const loggedFields = ['filename', 'size', 'member_table_id', 'blacklist_id', 'mode']
    await logChange(db, actor, { ...entry, changes: difference({}, record, loggedFields) })
    return record
  } catch (error) {
    stream.resume()
    for (const path of [sent, table]) await rm(path, { force: true })
    throw asInvalid(error, 'file')
  } finally {
    await reservation.end()
  }
}

async function clientOf(db: Db, actor: Actor, data: UploadData): Promise<number> {
  if ((data.member_table_id ?? null) === null && (data.blacklist_id ?? null) === null)
    throw new EmmaError('invalid', fault('refusal.upload_target'))
  return ownClient(actor, data.client_id ?? (await ownerOf(db, actor, data)))
}

/** The target's client, used when the request names none. */
async function ownerOf(db: Db, actor: Actor, data: UploadData): Promise<number | null> {
  const owned = await sql<{ client_id: number }>`
    select client_id from member_table where member_table_id = ${data.member_table_id ?? null}::bigint
    union all
    select client_id from blacklist where blacklist_id = ${data.blacklist_id ?? null}::bigint
    limit 1`.execute(db)
  return owned.rows[0]?.client_id ?? actor.clientId
}

/**
 * Checks mapping and target again, adds the new columns of the mapping (not in a test), and queues the import.
 * @throws EmmaError `wrong_state`, `invalid`
 */
export async function startUpload(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  folder: string,
  id: number,
): Promise<UploadRecord> {
  const upload = await readUpload(db, scope, id)
  if (!canStart(upload)) throw new EmmaError('wrong_state', startFault(upload))
  await checkStart(db, folder, upload)
  return transaction(db, async tx => {
    const moved = await tx
      .updateTable('data_upload')
      .set(eb => ({
        status: 2,
        started_at: new Date(),
        finished_at: null,
        error: null,
        error_code: null,
        error_values: null,
        cancel_requested: false,
        updated_by: actor.userId,
        revision: eb('revision', '+', 1),
      }))
      .where('client_id', '=', upload.client_id)
      .where('id', '=', id)
      .where('status', 'in', startable)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (moved.numUpdatedRows === 0n) throw new EmmaError('wrong_state')
    await lockTarget(tx, upload)
    if (!upload.test) await createNewColumns(tx, actor, await readUpload(tx, scope, id))
    await addUploadJob(tx, upload)
    return standard.find(tx, actor, { clientIds: [upload.client_id] }, id)
  })
}

export async function addUploadJob(db: Db, upload: { client_id: number; id: number }): Promise<void> {
  await addJob(db, 'import_upload', { client_id: upload.client_id, id: upload.id }, `upload-${upload.id}`)
}

/** States in which an import can start, as nothing was changed yet: analysed, failed, cancelled. */
const startable = [1, 4, 5]

function canStart({ status }: Upload): boolean {
  return startable.includes(status)
}

/** Throws EmmaError `wrong_state` for an upload that is being imported or was imported. */
export function assertStartable(upload: Upload): void {
  if (!canStart(upload) && !isTested(upload)) throw new EmmaError('wrong_state', startFault(upload))
}

/** A finished test wrote nothing: after a change the upload can be started again. */
function isTested({ status, test }: Upload): boolean {
  return status === 3 && test
}

async function reopen(tx: Db, upload: Upload): Promise<void> {
  await tx
    .updateTable('data_upload')
    .set({ status: 1, finished_at: null })
    .where('client_id', '=', upload.client_id)
    .where('id', '=', upload.id)
    .where('status', '=', 3)
    .where('test', '=', true)
    .execute()
}

function startFault({ status }: Upload): Fault {
  return status === 2 ? fault('refusal.upload_started') : fault('refusal.upload_imported')
}

async function checkStart(db: Db, folder: string, upload: Upload): Promise<void> {
  try {
    const target = await targetOf(db, upload)
    const { header, sample, formats } = await analyseFile(join(folder, upload.file), target.isKey, upload)
    filledColumns(target, upload.mapping, {
      width: header.length || (sample[0]?.length ?? 0),
      formats,
      emptyBadCells: upload.empty_bad_cells,
    })
  } catch (error) {
    throw asInvalid(error, 'mapping')
  }
}

/** Cancels a waiting upload, or requests the cancellation of a running one, which rolls back within a second. */
export async function cancelUpload(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
): Promise<UploadRecord> {
  const upload = await readUpload(db, scope, id)
  if (upload.status === 1) await endUpload(db, upload, null)
  else if (upload.status === 2)
    await db
      .updateTable('data_upload')
      .set({ cancel_requested: true })
      .where('client_id', '=', upload.client_id)
      .where('id', '=', id)
      .execute()
  else throw new EmmaError('wrong_state', fault('refusal.upload_ended'))
  return standard.find(db, actor, { clientIds: [upload.client_id] }, id)
}

/** Converts a fault of the file to an error of the request. */
export function asInvalid(error: unknown, field: string): unknown {
  return error instanceof UploadError
    ? new EmmaError('invalid', error.fault, [{ field, ...error.fault }])
    : error
}
