import { campaignState, transactionalTypes } from '@emma/contract/campaign-states.ts'
import { transition } from '@emma/core/campaigns/transition.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import type { CampaignKey } from '../model/campaign-key.ts'
import { type CampaignSnapshot, withLinks } from '../model/campaign-snapshot.ts'

/** Creates the campaign of a compiled content. Recipients are added one by one; it runs while there are any to send to. */
export async function createOpenCampaign(
  tx: Db,
  clientId: number,
  draft: CampaignSnapshot,
  memberTableId: number | null,
): Promise<number> {
  const { campagne_id: campaignId } = await tx
    .insertInto('campaign')
    .values({
      client_id: clientId,
      ctype: draft.campaign.type,
      valid: campaignState.finished,
      name: draft.campaign.name,
      member_table_id: memberTableId,
      message_id: draft.message.id === 0 ? null : draft.message.id,
      domain_id: draft.domain.id,
      mailclass_id: draft.mailclass.id,
      fromadr: draft.sender.address,
      fromname: draft.sender.name,
      reply_to: draft.sender.replyTo,
      subject: draft.message.subject,
      expanded_at: sql`now()`,
      started_at: sql`now()`,
    })
    .returning('campagne_id')
    .executeTakeFirstOrThrow()
  const snapshot = await withLinks({ ...draft, campaign: { ...draft.campaign, id: campaignId } })
  await sql`
    update campaign set snapshot = ${JSON.stringify(snapshot)}::jsonb
    where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(tx)
  return campaignId
}

/** Lets an open campaign send mails that were added to its ledger; its sender has just been found to be usable. */
export async function runOpenCampaign(tx: Db, key: CampaignKey, mails: number): Promise<void> {
  await sql`
    update campaign set estimated_volume = estimated_volume + ${mails}, combined_volume = combined_volume + ${mails}
    where client_id = ${key.clientId} and campagne_id = ${key.campaignId}`.execute(tx)
  await transition(tx, key, {
    from: [campaignState.finished, campaignState.held],
    to: campaignState.running,
    set: { finished_at: sql`null` },
  })
}

/**
 * Lets held open campaigns run again, as nobody resumes them: after ten minutes, in which the cause may have been fixed.
 */
export function resumeOpenCampaigns(db: Db): Promise<void> {
  return transaction(db, async tx => {
    const held = await tx
      .selectFrom('campaign')
      .select(['client_id', 'campagne_id'])
      .where('ctype', 'in', [...transactionalTypes])
      .where('valid', '=', campaignState.held)
      .where('updated_at', '<', sql<string>`now() - interval '10 minutes'`)
      .limit(1000)
      .execute()
    for (const { client_id: clientId, campagne_id: campaignId } of held)
      await transition(
        tx,
        { clientId, campaignId },
        { from: [campaignState.held], to: campaignState.running },
      )
  })
}
