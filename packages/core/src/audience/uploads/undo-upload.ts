import type { UploadUndo } from '@emma/contract/actions/audience.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { uploadState } from '@emma/contract/resources/dataupload.ts'
import { addNotification, type NewNotification } from '@emma/db/add-notification.ts'
import { type Pool, type Db, transaction } from '@emma/db/connection.ts'
import { publish } from '@emma/db/notify.ts'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, systemActor, type TenantScope } from '../../resource/actor.ts'
import { addJob } from '../../resource/add-job.ts'
import { logChange } from '../../resource/log-change.ts'
import { type Datasource, membersTable, readDatasource } from '../datasources/datasource.ts'
import { markChanged, refreshMemberTableStats } from '../datasources/datasource-stats.ts'
import { postgresTypes } from '../members/member-columns.ts'
import { keepOptOuts } from '../blacklists/opt-out.ts'
import { isWriting } from './import-target.ts'
import { UNDO_DAYS, undoStateOf } from './undo-end.ts'
import { readUpload } from './read-upload.ts'
import { holdUpload } from './run-upload.ts'
import { lockTarget } from './running-uploads.ts'
import type { Upload } from './upload.ts'
import { fault } from '@emma/contract/faults.ts'

/** Most members that one statement restores; progress is reported after each. */
const BATCH = 20_000

export interface UndoFigures {
  /** Members added by the import, which are deleted. */
  removed: number
  /** Members that get back their values from before the import. */
  restored: number
  /** Members that were mailed or changed since and stay unchanged. */
  kept: number
}

/** A finished import with the data needed to undo it. */
interface UndoableUpload extends Upload {
  first_member_id: number
  last_member_id: number
  finished_at: Date
  /** User who started the undo, while it runs. */
  updated_by: number | null
  changed_rows: number
  undo_state: string | null
  source: Datasource
}

/**
 * Counts what an undo of the import would do now.
 *
 * @throws EmmaError `not_found`, `wrong_state` (not finished, already undone, too old, or a mode that cannot be undone)
 */
export async function countUndo(db: Db, scope: TenantScope, id: number): Promise<UploadUndo> {
  const upload = await readUndoable(db, scope, id)
  assertUndoable(upload)
  const { source } = upload
  const { rows } = await sql<UndoFigures>`
    with added as (
      select ${isUntouched(source)} as is_untouched
      from ${membersTable(source.member_table_id)} as m where ${isAdded(upload)}
    ), changed as (
      select m.revision = c.revision as is_untouched
      from upload_change as c
      join ${membersTable(source.member_table_id)} as m on m.client_id = c.client_id and m.member_id = c.member_id
      where c.client_id = ${upload.client_id} and c.upload_id = ${upload.id}
    )
    select
      (select count(*) from added where is_untouched) as removed,
      (select count(*) from changed where is_untouched) as restored,
      (select count(*) from added where not is_untouched)
        + (select count(*) from changed where not is_untouched) as kept`.execute(db)
  const [figures] = rows
  return {
    removed: Number(figures?.removed ?? 0),
    restored: Number(figures?.restored ?? 0),
    kept: Number(figures?.kept ?? 0),
  }
}

/**
 * Queues the undo of an import as a job.
 *
 * @throws EmmaError as countUndo
 */
export async function startUndo(db: Db, actor: Actor, scope: TenantScope, id: number): Promise<void> {
  const upload = await readUndoable(db, scope, id)
  assertUndoable(upload)
  await transaction(db, async tx => {
    const moved = await tx
      .updateTable('data_upload')
      .set(eb => ({
        undo: JSON.stringify({ state: 'running', removed: 0, restored: 0, kept: 0 }),
        updated_by: actor.userId,
        updated_at: new Date(),
        revision: eb('revision', '+', 1),
      }))
      .where('client_id', '=', upload.client_id)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`(undo is null or undo ->> 'state' = 'failed')`)
      .executeTakeFirst()
    if (moved.numUpdatedRows === 0n) throw undone()
    await lockTarget(tx, upload)
    await addUndoJob(tx, upload)
    const entry = { clientId: upload.client_id, object: 'dataupload', id, action: 'undo' }
    await logChange(tx, actor, { ...entry, changes: { undo: [null, 'running'] } })
  })
}

export async function addUndoJob(db: Db, upload: { client_id: number; id: number }): Promise<void> {
  const payload = { client_id: upload.client_id, id: upload.id }
  await addJob(db, 'undo_upload', payload, `undo-upload-${upload.id}`)
}

/**
 * Runs the undo of an import in undo state "running", in one transaction: deletes the members it added and restores the
 * values it overwrote. Members that were mailed or changed since stay. Opt-outs and suppressions of the addresses stay
 * in force as after any deletion (keepOptOuts). Only one process works on an upload at a time; others return after a
 * few seconds.
 */
export async function runUndo(
  { db, pool, signal }: { db: Db; pool: Pool; signal?: AbortSignal },
  clientId: number,
  id: number,
): Promise<void> {
  await holdUpload(pool, id, async () => {
    const upload = await readUndoable(db, { clientIds: [clientId] }, id)
    if (upload.undo_state !== 'running') return true
    try {
      const figures = await undoInTransaction(db, upload, signal)
      await announce(db, upload, 'finished', figures.removed + figures.restored)
      await refreshMemberTableStats(db, clientId, upload.source.member_table_id)
      return true
    } catch (error) {
      // Restarted at the next start of the process.
      if (signal?.aborted) return true
      await setUndo(db, upload, { state: 'failed', removed: 0, restored: 0, kept: 0 })
      await notify(db, upload, {
        kind: 'danger',
        code: 'undo_failed',
        details: { name: upload.filename },
        text: `The undo of the import “${upload.filename}” failed. Nothing was changed; start it again.`,
      })
      await announce(db, upload, 'failed', 0)
      throw error
    }
  })
}

function undoInTransaction(
  db: Db,
  upload: UndoableUpload,
  signal: AbortSignal | undefined,
): Promise<UndoFigures> {
  const { source, client_id } = upload
  return transaction(db, async tx => {
    await sql`set local statement_timeout = '15min'`.execute(tx)
    const figures = { removed: 0, restored: 0, kept: 0 }
    for (let from = upload.first_member_id; from <= upload.last_member_id; from += BATCH) {
      signal?.throwIfAborted()
      figures.removed += await removeAdded(tx, upload, from, from + BATCH - 1)
      await announce(db, upload, 'running', figures.removed)
    }
    const restore = restoreChanged(upload)
    for (let after: number | null = 0; after !== null; ) {
      signal?.throwIfAborted()
      const last: number | null = await lastOfBatch(tx, upload, after)
      figures.restored += Number((await restore(after, last).execute(tx)).numAffectedRows ?? 0)
      await announce(db, upload, 'running', figures.removed + figures.restored)
      after = last
    }
    figures.kept = await countKept(tx, upload, figures.restored)
    await sql`delete from upload_change where client_id = ${client_id} and upload_id = ${upload.id}`.execute(
      tx,
    )
    await setUndo(tx, upload, { state: 'finished', ...figures })
    await markChanged(tx, source)
    const { removed, restored, kept } = figures
    await notify(tx, upload, {
      kind: 'success',
      code: 'undo_finished',
      details: { name: upload.filename, ...figures },
      text: `The undo of the import “${upload.filename}” is finished. Subscribers removed: ${removed}, restored: ${restored}, kept: ${kept}.`,
    })
    await logChange(
      tx,
      { ...systemActor(client_id), userId: upload.updated_by },
      {
        clientId: client_id,
        object: 'dataupload',
        id: upload.id,
        action: 'undo',
        changes: { removed: [null, removed], restored: [null, restored], kept: [null, kept] },
      },
    )
    return figures
  })
}

async function removeAdded(tx: Db, upload: UndoableUpload, from: number, to: number): Promise<number> {
  const { source } = upload
  const chosen = sql`m.member_id between ${from} and ${to} and ${isAdded(upload)} and ${isUntouched(source)}`
  await keepOptOuts(source, chosen).execute(tx)
  const gone = await sql`
    delete from ${membersTable(source.member_table_id)} as m
    where m.client_id = ${source.client_id} and ${chosen}`.execute(tx)
  return Number(gone.numAffectedRows ?? 0)
}

/** Members added by the import (alias m): their ids are in its range, and they were created in its transaction. */
function isAdded({ client_id, id, first_member_id, last_member_id }: UndoableUpload): RawBuilder<unknown> {
  return sql`m.client_id = ${client_id} and m.member_id between ${first_member_id} and ${last_member_id}
    and m.created_at = (select finished_at from data_upload where client_id = ${client_id} and id = ${id})`
}

/** Whether an added member (alias m) is unchanged: not edited, not mailed, no opt-out, complaint or bounce since. */
function isUntouched({ client_id, member_table_id }: Datasource): RawBuilder<unknown> {
  return sql`(
    m.revision = 1 and m.softbounce_count = 0
    and coalesce(m.last_sent_at, m.last_opened_at, m.last_clicked_at) is null
    and coalesce(greatest(m.dateunjoin, m.complained_at, m.hardbounced_at) < m.created_at, true)
    and not exists (
      select from delivery as d
      where d.client_id = m.client_id and d.member_id = m.member_id and d.state not in ('skipped', 'cancelled'))
    and not exists (
      select from member_pending_state as p
      where p.client_id = ${client_id} and p.member_table_id = ${member_table_id} and p.member_id = m.member_id))`
}

/** Builds the UPDATE for the members after one id and up to another (null: to the end). */
function restoreChanged(upload: UndoableUpload) {
  const { source, client_id, id, mapping } = upload
  const mapped = new Set(mapping.map(({ column }) => column))
  const columns = source.columns.filter(({ column_name: name }) => name !== 'email' && mapped.has(name))
  const assignments = columns.map(({ column_name: name, data_type }) => {
    const text = sql`(c.before ->> ${name}::text)`
    const type = postgresTypes[data_type]
    const value = sql`${text}::${sql.raw(type)}`
    const current = sql.ref(`m.${name}`)
    // The column's type may have changed.
    const former =
      type === 'text'
        ? value
        : sql`case when ${text} is null then null
      when converts_to(${text}, ${type}::text) then ${value} else ${current} end`
    // Only the subscriber can confirm a pending double opt-in.
    const isFree = name === 'doi_state' ? sql`m.doi_state <> 'pending'` : sql`true`
    return sql`${sql.id(name)} = case when c.before ? ${name}::text and ${isFree} then ${former} else ${current} end`
  })
  return (after: number, last: number | null): RawBuilder<unknown> => {
    if (columns.length === 0) return sql`select where false`
    return sql`
      update ${membersTable(source.member_table_id)} as m
      set ${sql.join(assignments)}, updated_at = now(), revision = m.revision + 1
      from upload_change as c
      where c.client_id = ${client_id} and c.upload_id = ${id} and c.member_id > ${after}
        and (${last}::bigint is null or c.member_id <= ${last}::bigint)
        and m.client_id = c.client_id and m.member_id = c.member_id and m.revision = c.revision`
  }
}

async function lastOfBatch(tx: Db, { client_id, id }: UndoableUpload, after: number): Promise<number | null> {
  const { rows } = await sql<{ member_id: number }>`
    select member_id from upload_change
    where client_id = ${client_id} and upload_id = ${id} and member_id > ${after}
    order by member_id offset ${BATCH - 1} limit 1`.execute(tx)
  return rows[0]?.member_id ?? null
}

/** Remaining members of the import, without those that were restored. */
async function countKept(tx: Db, upload: UndoableUpload, restored: number): Promise<number> {
  const table = membersTable(upload.source.member_table_id)
  const { rows } = await sql<{ present: number }>`
    select (select count(*) from ${table} as m where ${isAdded(upload)})
      + (select count(*) from upload_change as c
          join ${table} as m on m.client_id = c.client_id and m.member_id = c.member_id
          where c.client_id = ${upload.client_id} and c.upload_id = ${upload.id}) as present`.execute(tx)
  return Number(rows[0]?.present ?? 0) - restored
}

async function setUndo(
  db: Db,
  { client_id, id }: UndoableUpload,
  undo: UndoFigures & { state: 'finished' | 'failed' },
): Promise<void> {
  await db
    .updateTable('data_upload')
    .set(eb => ({
      undo: JSON.stringify(undo),
      updated_at: new Date(),
      revision: eb('revision', '+', 1),
    }))
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .execute()
}

async function readUndoable(db: Db, scope: TenantScope, id: number): Promise<UndoableUpload> {
  const upload = await readUpload(db, scope, id)
  const row = await db
    .selectFrom('data_upload')
    .select(['first_member_id', 'last_member_id', 'finished_at', 'updated_by', 'undo'])
    .select(['rows_inserted', 'rows_updated'])
    .where('client_id', '=', upload.client_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  if (upload.member_table_id === null || !isWriting(upload.mode))
    throw new EmmaError('wrong_state', fault('refusal.undo_mode'))
  const { first_member_id, last_member_id, finished_at } = row
  if (upload.status !== uploadState.finished || upload.test || finished_at === null)
    throw new EmmaError('wrong_state', fault('refusal.undo_not_imported'))
  if (first_member_id === null || last_member_id === null)
    throw new EmmaError('wrong_state', fault('refusal.undo_old'))
  return {
    ...upload,
    first_member_id: Number(first_member_id),
    last_member_id: Number(last_member_id),
    finished_at: new Date(finished_at),
    updated_by: row.updated_by,
    changed_rows: Number(row.rows_inserted) + Number(row.rows_updated),
    undo_state: undoStateOf(row.undo),
    source: await readDatasource(db, { clientIds: [upload.client_id] }, upload.member_table_id),
  }
}

function assertUndoable({ undo_state, finished_at }: UndoableUpload): void {
  if (undo_state !== null && undo_state !== 'failed') throw undone()
  if (finished_at.getTime() + UNDO_DAYS * 86_400_000 < Date.now())
    throw new EmmaError('wrong_state', fault('refusal.undo_days', { days: UNDO_DAYS }))
}

function undone(): EmmaError {
  return new EmmaError('wrong_state', fault('refusal.undo_done'))
}

/** Deletes the undo data of imports that are deleted or too old to be undone. */
export async function cleanUndoRecords(db: Db): Promise<void> {
  await sql`
    delete from upload_change as c where not exists (
      select from data_upload as u
      where u.client_id = c.client_id and u.id = c.upload_id and u.deleted_at is null
        and u.finished_at > now() - make_interval(days => ${UNDO_DAYS}))`.execute(db)
}

/** Notifies the user who started the undo, or all users with access to uploads when unknown. */
async function notify(
  db: Db,
  upload: UndoableUpload,
  news: Pick<NewNotification, 'kind' | 'code' | 'details' | 'text'>,
): Promise<void> {
  await addNotification(db, {
    ...news,
    clientId: upload.client_id,
    ...(upload.updated_by === null ? { permission: 'DataUpload:get' } : { userId: upload.updated_by }),
    path: `/subscribers/dataupload/edit/${upload.id}`,
  })
}

function announce(
  db: Db,
  upload: UndoableUpload,
  state: 'running' | 'finished' | 'failed',
  done: number,
): Promise<void> {
  return publish(db, {
    client_id: upload.client_id,
    type: 'JOB_PROGRESS',
    data: {
      id: `undo-upload-${upload.id}`,
      name: upload.filename,
      state,
      done,
      total: upload.changed_rows,
      path: `/subscribers/dataupload/edit/${upload.id}`,
    },
  })
}
