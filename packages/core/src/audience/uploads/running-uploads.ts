import { fault } from '@emma/contract/faults.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { dataupload, uploadState } from '@emma/contract/resources/dataupload.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Reference } from '../../resource/references.ts'

/** Whether an upload (columns of data_upload) is being imported or undone. */
const isRunning = sql<boolean>`(status = ${sql.lit(uploadState.running)} or undo ->> 'state' = 'running')`

/** Running uploads, as references that prevent the deletion of their datasource or suppression list. */
export function runningUploads(column: 'member_table_id' | 'blacklist_id'): Reference {
  return {
    resource: dataupload,
    table: 'data_upload',
    column,
    where: isRunning,
  }
}

/**
 * Locks an upload until the end of the transaction, so that it cannot start while it is being deleted.
 *
 * @throws EmmaError `wrong_state` while it is being imported or undone
 */
export async function assertNotRunning(tx: Db, upload: { client_id: number; id: number }): Promise<void> {
  const row = await tx
    .selectFrom('data_upload')
    .select(['status', isRunning.as('is_running')])
    .where('client_id', '=', upload.client_id)
    .where('id', '=', upload.id)
    .forUpdate()
    .executeTakeFirst()
  if (!row?.is_running) return
  throw new EmmaError(
    'wrong_state',
    row.status === uploadState.running
      ? fault('refusal.upload_running')
      : fault('refusal.upload_undo_running'),
  )
}

/**
 * Locks the target of a starting upload until the end of the transaction: a concurrent deletion waits and then finds
 * the upload running.
 *
 * @throws EmmaError `not_found` when the target has been deleted
 */
export async function lockTarget(
  tx: Db,
  upload: { client_id: number; member_table_id: number | null; blacklist_id: number | null },
): Promise<void> {
  const isMembers = upload.member_table_id !== null
  const [table, key] = isMembers
    ? (['member_table', 'member_table_id'] as const)
    : (['blacklist', 'blacklist_id'] as const)
  // Serializes concurrent starts, as both may add columns to the datasource.
  const { rows } = await sql`
    select from ${sql.table(table)}
    where client_id = ${upload.client_id} and ${sql.ref(key)} = ${upload[key]} and deleted_at is null
    for no key update`.execute(tx)
  if (rows.length === 0)
    throw new EmmaError('not_found', isMembers ? fault('campaign.datasource_gone') : undefined)
}
