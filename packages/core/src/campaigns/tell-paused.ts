import { addNotification } from '@emma/db/add-notification.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { Actor } from '../resource/actor.ts'
import type { Fields } from '../resource/operations.ts'

/** Tells the client's people that somebody paused a campaign; to that person it is no news. */
export async function tellPaused(db: Db, actor: Actor, campaign: Fields): Promise<void> {
  const clientId = Number(campaign.client_id)
  const name = String(campaign.name)
  const found = await sql<{ person: string }>`
    select concat_ws(' ', firstname, lastname) as person from app_user where id = ${actor.userId}`.execute(db)
  const person = found.rows[0]?.person ?? 'EMMA'
  await addNotification(db, {
    clientId,
    permission: 'EmmaCampaign:get',
    kind: 'warning',
    code: 'campaign_paused',
    details: { name, person },
    text: `${person} has paused the campaign “${name}”.`,
    path: `/campaigns/start/${String(campaign.campagne_id)}`,
    createdBy: actor.userId,
    knownTo: actor.userId,
  })
}
