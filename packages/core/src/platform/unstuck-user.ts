import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { unlockAccount } from '../account/login-attempts.ts'
import { revokeSessions } from '../account/sessions.ts'
import type { Actor } from '../resource/actor.ts'
import { installation, logChange } from '../resource/log-change.ts'
import { assertMayManage } from './user-operations.ts'

/** Minutes without progress after which an import without a job is considered dead. */
const stuckMinutes = 10

/**
 * Removes what blocks a user (R227): the lockout, the sessions, and the running state of imports that no job processes
 * any more, so that they can be restarted. For the actor's own account it releases imports only. There are no edit
 * locks to remove: revisions guard records.
 * @throws EmmaError `not_found`, `forbidden` for users with more permissions
 */
export async function unstuckUser(
  db: Db,
  actor: Actor,
  id: number,
): Promise<{ sessions: number; jobs: number }> {
  await assertMayManage(db, actor, id)
  return transaction(db, async tx => {
    const isOwn = id === actor.userId
    if (!isOwn) await unlockAccount(tx, id)
    const sessions = isOwn ? 0 : await revokeSessions(tx, id)
    const jobs = await freeUploads(tx, id)
    await logChange(tx, actor, {
      clientId: installation,
      object: 'user',
      id,
      action: 'unstuck',
      changes: { sessions: [sessions, 0], jobs: [jobs, 0] },
    })
    return { sessions, jobs }
  })
}

async function freeUploads(db: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass('graphile_worker.jobs') is not null as exists`.execute(db)
  const isWorkedAt = rows[0]?.exists
    ? sql`exists (select from graphile_worker.jobs j where j.key = 'upload-' || d.id
          and (j.attempts < j.max_attempts or j.locked_at is not null))`
    : sql`false`
  const freed = await sql`
    update data_upload d set status = 1, started_at = null, updated_at = now()
    where d.created_by = ${userId} and d.status = 2 and d.deleted_at is null
      and d.updated_at < now() - make_interval(mins => ${stuckMinutes}) and not ${isWorkedAt}
    returning d.id`.execute(db)
  return freed.rows.length
}
