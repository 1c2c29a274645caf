import { randomBytes } from 'node:crypto'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { mostMailboxes } from '@emma/contract/placements.ts'
import type { Db } from '@emma/db/connection.ts'
import { sql } from 'kysely'

/**
 * Adds the placement check of a campaign that starts, if it wants one and there are active test mailboxes. It is sent
 * once the content of the campaign is fixed. One that was held and starts again, while its check is still open, gets no
 * second one. A campaign over a sending service alone has none.
 */
export async function checkStartedCampaign(
  tx: Db,
  { clientId, campaignId }: { clientId: number; campaignId: number },
): Promise<void> {
  await sql`
    with mailbox as (
      select l.client_id, l.login_id, l.email, s.provider
      from imap_login as l
      join imap_setting as s on s.client_id = l.client_id and s.setting_id = l.setting_id
      where l.client_id = ${clientId} and l.active and l.deleted_at is null
      order by l.login_id limit ${mostMailboxes}
    ), made as (
      insert into ipci (client_id, name, campagne_id, message_id, domain_id, mailclass_id, login_ids, token)
      select c.client_id, c.name, c.campagne_id, c.message_id, c.domain_id, c.mailclass_id,
        (select array_agg(m.login_id) from mailbox as m where m.client_id = c.client_id), ${randomBytes(16).toString('hex')}
      from campaign as c
      where c.client_id = ${clientId} and c.campagne_id = ${campaignId} and c.check_placement
        and c.message_id is not null and c.domain_id is not null and c.mailclass_id is not null
        and exists (select 1 from mailbox as m where m.client_id = c.client_id)
        and not exists (
          select 1 from ipci as i
          where i.client_id = c.client_id and i.campagne_id = c.campagne_id and i.deleted_at is null
            and i.valid in (${campaignState.scheduled}, ${campaignState.running}))
      returning client_id, ipci_id
    )
    insert into ipci_result (client_id, ipci_id, login_id, provider, email)
    select made.client_id, made.ipci_id, m.login_id, m.provider, m.email
    from made join mailbox as m on m.client_id = made.client_id`.execute(tx)
}
