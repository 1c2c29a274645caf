import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type Actor, scopeOf } from '../resource/actor.ts'
import type { MessageOperations } from './message-operations.ts'
import { keepVersion, readVersion, type VersionKey } from './message-versions.ts'
import { repeatIfChanged } from './repeat-if-changed.ts'

/**
 * Restores a version: saves its content as a new version. The state before is always kept as a version of its own, even if
 * the same user changed it within the last ten minutes.
 */
export function restoreVersion(
  db: Db,
  messages: Pick<MessageOperations, 'preparePatch'>,
  actor: Actor,
  key: VersionKey,
): Promise<{ message_id: number; revision: number }> {
  const { clientId, messageId, versionId } = key
  return repeatIfChanged(null, async () => {
    const { content } = await readVersion(db, key)
    const save = await messages.preparePatch(db, actor, scopeOf(actor, clientId), messageId, content, {
      revision: null,
    })
    return transaction(db, async tx => {
      await keepVersion(tx, clientId, messageId)
      const replaced = await closeLastVersion(tx, key, null)
      const saved = await save(tx)
      await closeLastVersion(tx, key, { restoredFrom: versionId, after: replaced })
      return { message_id: messageId, revision: saved.revision }
    })
  })
}

/** Lets the next change begin a new version, and notes what was restored in a version `after` the replaced one. */
async function closeLastVersion(
  db: Db,
  { clientId, messageId }: VersionKey,
  restored: { restoredFrom: number; after: number } | null,
): Promise<number> {
  const { rows } = await sql<{ version_id: number }>`
    update message_version set is_closed = true,
      restored_from = case when version_id > ${restored?.after ?? null} then ${restored?.restoredFrom ?? null}::bigint
        else restored_from end
    where client_id = ${clientId} and message_id = ${messageId} and version_id = (
      select max(version_id) from message_version where client_id = ${clientId} and message_id = ${messageId})
    returning version_id`.execute(db)
  return rows[0]?.version_id ?? 0
}
