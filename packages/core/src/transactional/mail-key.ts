import { createHash, randomBytes } from 'node:crypto'
import { mailKeyPrefix } from '@emma/contract/actions/transactional.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { transactionalcampaign } from '@emma/contract/resources/transactionalcampaign.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor, TenantScope } from '../resource/actor.ts'
import { logChange } from '../resource/log-change.ts'
import { tellCaches } from '../resource/tell-caches.ts'

/** What the key of a transactional email may do. */
export interface MailKeyHolder {
  transactionalId: number
  actor: Actor
}

const HINT_LENGTH = 4

/** Creates the API key of a transactional email, of 256 random bits; only its SHA-256 is stored. Throws `not_found`. */
export function rotateMailKey(
  db: Db,
  actor: Actor,
  { clientIds }: TenantScope,
  id: number,
): Promise<{ key: string; key_hint: string }> {
  const key = mailKeyPrefix + randomBytes(32).toString('base64url')
  const hint = key.slice(-HINT_LENGTH)
  return transaction(db, async tx => {
    const visible = clientIds === 'all' ? sql`true` : sql`client_id = any(${clientIds}::bigint[])`
    const { rows } = await sql<{ clientId: number; before: string | null }>`
      with before as (
        select client_id, key_hint from transactional
        where id = ${id} and deleted_at is null and ${visible} for update
      )
      update transactional as t set key_hash = ${digest(key)}, key_hint = ${hint}, key_created_at = now(),
        updated_at = now(), updated_by = ${actor.userId}, revision = revision + 1
      from before where t.client_id = before.client_id and t.id = ${id}
      returning t.client_id as "clientId", before.key_hint as before`.execute(tx)
    const [row] = rows
    if (!row) throw new EmmaError('not_found')
    const { clientId, before } = row
    const change = { clientId, object: transactionalcampaign.name, id, action: 'rotate_key' }
    await logChange(tx, actor, { ...change, changes: { key_hint: [before, hint] } })
    await tellCaches(tx)
    return { key, key_hint: hint }
  })
}

/**
 * Reads who may send with a key: the transactional email's client, for its emails alone. An inactive one has its key,
 * too: calls are told that it is inactive.
 * @throws EmmaError `token_invalid`
 */
export async function readMailKey(db: Db, key: string): Promise<MailKeyHolder> {
  const { rows } = await sql<{ id: number; clientId: number }>`
    select t.id, t.client_id as "clientId" from transactional as t
    where t.key_hash = ${digest(key)} and t.deleted_at is null`.execute(db)
  const [found] = rows
  if (!found) throw new EmmaError('token_invalid')
  return {
    transactionalId: found.id,
    actor: {
      userId: null,
      clientIds: [found.clientId],
      clientId: found.clientId,
      superadmin: false,
      administrator: false,
      permissions: new Set(['EmmaTransactional:post']),
    },
  }
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
