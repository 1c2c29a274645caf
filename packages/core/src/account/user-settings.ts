import type { listUserSettings, saveUserSettings } from '@emma/contract/actions/account.ts'
import type { Answer } from '@emma/contract/define-action.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Actor, canAccessClient } from '../resource/actor.ts'
import { difference, installation, logChange } from '../resource/log-change.ts'
import { tellCaches } from '../resource/tell-caches.ts'

type Settings = Answer<typeof listUserSettings>['data'][number]

/**
 * Settings rows of a user, the active client's first (R135). A user without any gets a default row for the first
 * accessible client.
 */
export async function listSettings(db: Db, actor: Actor, userId: number): Promise<Settings[]> {
  assertOwn(actor, userId)
  const found = await sql<Settings>`
    select s.client_id, s.custom, s.user_id from user_settings s join client c using (client_id)
    where s.user_id = ${userId} and c.deleted_at is null order by s.position, s.client_id`.execute(db)
  if (found.rows.length > 0) return found.rows
  const { clientIds } = actor
  const first = await sql<Settings>`
    select client_id, '{}'::jsonb as custom, ${userId}::bigint as user_id from client
    where deleted_at is null ${clientIds === 'all' ? sql`` : sql`and client_id = any(${clientIds}::bigint[])`}
    order by client_id limit 1`.execute(db)
  return first.rows
}

/** Saves the user's own settings for the active client: POST `{custom}` (R142). */
export async function saveSettings(
  db: Db,
  actor: Actor,
  userId: number,
  input: z.output<typeof saveUserSettings.body>,
): Promise<Settings[]> {
  assertOwn(actor, userId)
  return transaction(db, async tx => {
    const current = (await listSettings(tx, actor, userId))[0]
    const clientId = input.client_id ?? current?.client_id
    if (clientId === undefined || !canAccessClient(actor, clientId)) throw new EmmaError('not_found')
    await sql`
      insert into user_settings (user_id, client_id, position, custom)
      values (${userId}, ${clientId}, 0, ${JSON.stringify(input.custom ?? {})}::jsonb)
      on conflict (user_id, client_id) do update
      set custom = case when ${input.custom === undefined} then user_settings.custom else excluded.custom end`.execute(
      tx,
    )
    // Switching the client moves its row to the first position.
    if (input.client_id !== undefined)
      await sql`update user_settings set position = case when client_id = ${clientId} then 0 else 1 end
        where user_id = ${userId}`.execute(tx)
    await tellCaches(tx)
    const settings = await listSettings(tx, actor, userId)
    const changes = difference(current ?? {}, settings[0] ?? {}, ['client_id', 'custom'])
    const entry = { clientId: installation, object: 'user', id: userId, action: 'save_settings' }
    await logChange(tx, actor, { ...entry, changes })
    return settings
  })
}

function assertOwn(actor: Actor, userId: number): void {
  if (actor.userId !== userId && !actor.superadmin) throw new EmmaError('not_found')
}
