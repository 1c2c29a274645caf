import { setTimeout as sleep } from 'node:timers/promises'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dataupload } from '@emma/contract/resources/dataupload.ts'
import { type TextLanguage, textLanguages } from '@emma/contract/resources/translation.ts'
import { type Pool, type PoolClient, type Db, transaction } from '@emma/db/connection.ts'
import { addNotification, type NewNotification } from '@emma/db/add-notification.ts'
import { publish } from '@emma/db/notify.ts'
import { sql } from 'kysely'
import { systemActor } from '../../resource/actor.ts'
import { changeEntry } from '../../resource/log-change.ts'
import { analyseFile } from './analyse-file.ts'
import { type ImportCounts, type ImportWatch, importFile } from './import-file.ts'
import { warnOfQuota } from './quota.ts'
import { readUpload, targetOf } from './read-upload.ts'
import { UploadError } from './upload-error.ts'
import { createRowReservation, type RowReservation } from './upload-reservation.ts'
import type { Upload } from './upload.ts'
import { type Fault, fault } from '@emma/contract/faults.ts'

export interface UploadWork {
  db: Db
  pool: Pool
  /** Folder of uploaded files. */
  folder: string
  /** Aborts the import when the process stops. The upload stays "running" and is restarted at the next start. */
  signal?: AbortSignal
}

/** Aborts an import at a user's request. */
class Cancelled extends Error {
  override name = 'Cancelled'
}

/** Milliseconds between two progress messages. */
const BEAT = 250

/**
 * Imports an upload in state "running", and ends it as finished, failed (with the reason) or cancelled. Data and
 * figures are written in one transaction: a crash, a lost connection or a cancellation changes nothing; a test (`test:
 * true`) is rolled back. Only one process works on an upload at a time; others return after waiting a few seconds for
 * it.
 */
export async function runUpload(work: UploadWork, clientId: number, id: number): Promise<void> {
  await holdUpload(work.pool, id, async client => {
    const upload = await readUpload(work.db, { clientIds: [clientId] }, id)
    return upload.status !== 2 || importUpload(work, client, upload)
  })
}

/**
 * Runs `work` with the connection that holds the upload's lock; returns after a few seconds when another process holds
 * it. `work` returns whether the connection can be reused: a cancel request may still be on its way and must not hit
 * the next user of the connection.
 */
export async function holdUpload(
  pool: Pool,
  id: number,
  work: (client: PoolClient) => Promise<boolean>,
): Promise<void> {
  const client = await pool.connect()
  let isClean = false
  try {
    isClean = !(await takeUpload(client, id)) || (await work(client))
  } finally {
    await client.query('select pg_advisory_unlock_all()').catch(() => {})
    client.release(!isClean)
  }
}

/** Milliseconds to wait for the lock, as an import that has just failed may still hold it when a user restarts it. */
const HANDOVER_MS = 5_000

/** Session lock, which is released when the process that holds it ends in any way. */
async function takeUpload(client: PoolClient, id: number): Promise<boolean> {
  const end = performance.now() + HANDOVER_MS
  for (;;) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [7253_000_000_000 + id])
    if (rows[0]?.taken === true) return true
    if (performance.now() >= end) return false
    await sleep(100)
  }
}

/** Returns whether the import completed; after a failure or cancellation the connection must not be reused. */
async function importUpload(work: UploadWork, client: PoolClient, upload: Upload): Promise<boolean> {
  const errorPath = join(work.folder, `${upload.file}.errors.csv`)
  const rows = await createRowReservation(work.db, upload)
  const beat = startBeat(work, client, upload, rows)
  let counts: ImportCounts
  try {
    counts = await importInTransaction(work, client, upload, errorPath, beat)
    await beat.stop()
  } catch (error) {
    await beat.stop()
    await client.query('rollback').catch(() => {})
    await rm(errorPath, { force: true })
    if (work.signal?.aborted) return false
    const isCancelled = error instanceof Cancelled || beat.signal.reason instanceof Cancelled
    await endUpload(work.db, upload, isCancelled ? null : faultOf(error))
    if (!isCancelled && !(error instanceof UploadError)) throw error
    return false
  } finally {
    await rows.end(upload.test)
  }
  await settle(work, upload, counts)
  return true
}

/** Follow-ups of a committed import, or of a test, which keeps its file. */
async function settle({ db, folder }: UploadWork, upload: Upload, counts: ImportCounts): Promise<void> {
  await announce(db, upload, 'finished', counts.read, counts.read)
  const lost = counts.incomplete + counts.invalid + counts.duplicate + counts.suppressed
  const figures = `${counts.read.toLocaleString('en')} rows read, ${lost.toLocaleString('en')}`
  await notify(db, upload, {
    kind: lost > 0 ? 'warning' : 'success',
    code: finishedCode(upload, lost),
    details: { name: upload.filename, rows: counts.read, errors: lost },
    text: upload.test
      ? `The test of “${upload.filename}” is finished: ${figures} would not be imported. Nothing was written.`
      : `The import of “${upload.filename}” is finished: ${figures} not imported.`,
  })
  if (upload.test) return
  await warnOfQuota(db, upload.client_id)
  await rm(join(folder, upload.file), { force: true })
  const target = await targetOf(db, upload)
  await target.finish(db)
}

function finishedCode(upload: Upload, lost: number): NewNotification['code'] {
  if (upload.test) return 'import_tested'
  return lost > 0 ? 'import_finished_with_errors' : 'import_finished'
}

async function importInTransaction(
  work: UploadWork,
  client: PoolClient,
  upload: Upload,
  errorPath: string,
  beat: Beat,
): Promise<ImportCounts> {
  const path = join(work.folder, upload.file)
  const target = await targetOf(work.db, upload)
  const { sample, ...analysis } = await analyseFile(path, target.isKey, upload)
  const width = analysis.header.length || (sample[0]?.length ?? 0)
  const setting = await readSetting(work.db, upload)
  await client.query('begin')
  const firstMember = await nextMember(client)
  const counts = await importFile(
    work.db,
    client,
    target,
    {
      ...analysis,
      path,
      width,
      uploadId: upload.id,
      mapping: upload.mapping,
      emptyBadCells: upload.empty_bad_cells,
      ...setting,
    },
    errorPath,
    beat,
  )
  const lastMember = await nextMember(client)
  beat.signal.throwIfAborted()
  if (upload.test) await client.query('rollback')
  const ended = await client.query(
    `update data_upload set status = 3, finished_at = now(), updated_at = now(), revision = revision + 1,
       error = null, error_code = null, error_values = null,
       "rows" = $3, rows_read = $3, rows_ok = $4, rows_inserted = $5, rows_updated = $6, rows_unchanged = $7,
       rows_incomplete = $8, rows_invalid = $9, rows_duplicate = $10, rows_suppressed = $11, error_file = $12, rows_repaired = $13,
       first_member_id = $14, last_member_id = $15
     where client_id = $1 and id = $2 and status = 2 and not cancel_requested`,
    [
      upload.client_id,
      upload.id,
      counts.read,
      counts.inserted + counts.updated + counts.unchanged,
      counts.inserted,
      counts.updated,
      counts.unchanged,
      counts.incomplete,
      counts.invalid,
      counts.duplicate,
      counts.suppressed,
      counts.errorRows > 0 ? `${upload.file}.errors.csv` : null,
      counts.repaired,
      upload.test ? null : firstMember,
      upload.test ? null : lastMember,
    ],
  )
  if (ended.rowCount === 0) throw new Cancelled('cancelled')
  await client.query('select tell_webhooks_of_import($1, $2)', [upload.client_id, upload.id])
  if (!upload.test) {
    const entry = finishedEntry(work.db, upload, counts).compile()
    await client.query(entry.sql, [...entry.parameters])
    await client.query('commit')
  }
  if (counts.errorRows === 0) await rm(errorPath, { force: true })
  return counts
}

/** Adds one audit log entry for the whole upload; each member's activity shows its own change. */
function finishedEntry(db: Db, { client_id, id, created_by, mode }: Upload, counts: ImportCounts) {
  const figures = {
    mode,
    rows: counts.read,
    rows_inserted: counts.inserted,
    rows_updated: counts.updated,
    rows_unchanged: counts.unchanged,
  }
  return changeEntry(
    db,
    { ...systemActor(client_id), userId: created_by },
    {
      clientId: client_id,
      object: dataupload.name,
      id,
      action: 'finish',
      changes: Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, [null, figure]])),
    },
  )
}

/** Next member id: members added by this connection have ids between two calls. */
async function nextMember(client: PoolClient): Promise<number> {
  const { rows } = await client.query(`select nextval('member_id_seq') as id`)
  return Number(rows[0]?.id)
}

/** The client's time zone, and the language of the user who uploaded the file, else of the client. */
export async function readSetting(
  db: Db,
  upload: Upload,
): Promise<{ timezone: string; language: TextLanguage }> {
  const { rows } = await sql<{ timezone: string; language: string }>`
    select c.timezone, coalesce(
      (select s.custom ->> 'language' from user_settings s
        where s.user_id = ${upload.created_by} order by (s.client_id = c.client_id) desc, s.position limit 1),
      c.language) as language
    from client c where c.client_id = ${upload.client_id}`.execute(db)
  const language = textLanguages.find(known => known === rows[0]?.language) ?? 'en'
  return { timezone: rows[0]?.timezone ?? 'UTC', language }
}

/** Its signal is aborted by a cancellation or when the process stops. */
interface Beat extends ImportWatch {
  stop(): Promise<void>
}

/** Reports progress and checks for a cancellation, four times a second at most. */
function startBeat(
  { db, signal: stopping }: UploadWork,
  client: PoolClient,
  upload: Upload,
  rows: RowReservation,
): Beat {
  const cancel = new AbortController()
  const signal = stopping ? AbortSignal.any([cancel.signal, stopping]) : cancel.signal
  let bytes = 0
  let read = 0
  let last: Promise<void> = Promise.resolve()
  let isBusy = false
  const backend = client.query('select pg_backend_pid() as pid').then(result => Number(result.rows[0]?.pid))
  // Also cancels the running statement: a merge of millions of rows could go on for a minute.
  const onAbort = () => void backend.then(pid => cancelBackend(db, pid))
  signal.addEventListener('abort', onAbort)
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    last = tell()
      // A missed report does no harm, as the next one follows.
      .catch(() => {})
      .finally(() => {
        isBusy = false
      })
  }, BEAT)

  async function tell(): Promise<void> {
    const found = await db
      .updateTable('data_upload')
      .set({ rows_read: read })
      .where('client_id', '=', upload.client_id)
      .where('id', '=', upload.id)
      .where('status', '=', 2)
      .returning('cancel_requested')
      .executeTakeFirst()
    if (found?.cancel_requested) cancel.abort(new Cancelled('cancelled'))
    const total = bytes === 0 ? null : Math.max(read, Math.round((read * upload.size) / bytes))
    await announce(db, upload, 'running', read, total)
  }

  return {
    signal,
    onProgress(now, counts) {
      bytes = now
      read = counts.read
    },
    reserveRows: count => rows.reserve(count),
    async stop() {
      clearInterval(timer)
      signal.removeEventListener('abort', onAbort)
      await last
    },
  }
}

/** Speeds up the end only: otherwise the abort is noticed when the statement ends. */
async function cancelBackend(db: Db, pid: number): Promise<void> {
  await db
    .selectNoFrom(eb => eb.fn('pg_cancel_backend', [eb.val(pid)]).as('cancelled'))
    .execute()
    .catch(() => {})
}

/** Ends an upload as failed with the fault, or as cancelled when it is null. */
export async function endUpload(db: Db, upload: Upload, reason: Fault | null): Promise<void> {
  await transaction(db, async tx => {
    const ended = await tx
      .updateTable('data_upload')
      .set(eb => ({
        status: reason === null ? 5 : 4,
        error: reason?.message ?? null,
        error_code: reason?.code ?? null,
        error_values: reason?.values ? JSON.stringify(reason.values) : null,
        cancel_requested: false,
        finished_at: new Date(),
        updated_at: new Date(),
        revision: eb('revision', '+', 1),
      }))
      .where('client_id', '=', upload.client_id)
      .where('id', '=', upload.id)
      .where('status', 'in', [1, 2])
      .executeTakeFirst()
    if (ended.numUpdatedRows > 0n)
      await sql`select tell_webhooks_of_import(${upload.client_id}, ${upload.id})`.execute(tx)
  })
  await announce(db, upload, reason === null ? 'cancelled' : 'failed', 0, null)
  if (reason !== null)
    await notify(db, upload, {
      kind: 'danger',
      code: 'import_failed',
      details: { name: upload.filename, reason: reason.message, fault: reason },
      text: `The import of “${upload.filename}” failed: ${reason.message}`,
    })
}

/** Notifies the user who uploaded the file, or all users with access to uploads when unknown. */
async function notify(
  db: Db,
  upload: Upload,
  news: Pick<NewNotification, 'kind' | 'code' | 'details' | 'text'>,
): Promise<void> {
  await addNotification(db, {
    ...news,
    clientId: upload.client_id,
    ...(upload.created_by === null ? { permission: 'DataUpload:get' } : { userId: upload.created_by }),
    path: `/subscribers/dataupload/edit/${upload.id}`,
  })
}

function announce(
  db: Db,
  upload: Upload,
  state: 'running' | 'finished' | 'failed' | 'cancelled',
  done: number,
  total: number | null,
): Promise<void> {
  return publish(db, {
    client_id: upload.client_id,
    type: 'JOB_PROGRESS',
    data: {
      id: `upload-${upload.id}`,
      name: upload.filename,
      state,
      done,
      total,
      path: `/subscribers/dataupload/edit/${upload.id}`,
    },
  })
}

function faultOf(error: unknown): Fault {
  return error instanceof UploadError ? error.fault : fault('upload.broke_off')
}
