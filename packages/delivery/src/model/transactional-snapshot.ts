import { campaignType } from '@emma/contract/campaign-states.ts'
import { fault } from '@emma/contract/faults.ts'
import type { DataField } from '@emma/contract/transactional/data-fields.ts'
import { findSendingFaults } from '@emma/core/campaigns/sending-faults.ts'
import type { Db } from '@emma/db/connection.ts'
import {
  CampaignFault,
  type CampaignSnapshot,
  draftMessage,
  type TrackingBaseOf,
} from './campaign-snapshot.ts'

/** Shows the content that an email has of its own; its subject replaces this one. */
const OWN_CONTENT = {
  subject: '–',
  preheader: '',
  html: '{{ data.html | raw }}',
  mjml: '',
  text: '{{ data.text }}',
  language: 'en',
}

/** Fields of the recipient that every call passes. */
const CALL_FIELDS = ['email', 'name']

/**
 * Takes the snapshot of a transactional email, for a campaign that does not exist yet (id 0); its links are not numbered.
 * @param isFree for emails with content of their own, in place of the template's
 * @param mustSend throws CampaignFault while it is inactive, or its sender may not send
 * @throws CampaignFault if something that it needs is missing
 */
export async function draftTransactional(
  db: Db,
  { clientId, id, isFree = false }: { clientId: number; id: number; isFree?: boolean },
  trackingBaseOf: TrackingBaseOf,
  mustSend = true,
): Promise<CampaignSnapshot> {
  const found = await db
    .selectFrom('transactional')
    .select(['name', 'domain_id', 'mailclass_id', 'message_id', 'member_table_id', 'fromadr', 'fromname'])
    .select(['reply_to', 'is_tracked', 'data_fields', 'active'])
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw new CampaignFault(fault('campaign.campaign_gone'))
  if (mustSend) {
    if (!found.active) throw new CampaignFault(fault('campaign.transactional_off'))
    const { domain_id: domainId, mailclass_id: mailclassId, fromadr, reply_to: replyTo } = found
    const [faults = []] = await findSendingFaults(db, [
      { clientId, domainId, mailclassId, espId: null, fromadr, replyTo },
    ])
    if (faults[0]) throw new CampaignFault(faults[0].fault)
  }
  // Written by its schema alone.
  const fields = found.data_fields as unknown as DataField[]
  const draft = await draftMessage(
    db,
    clientId,
    {
      id: 0,
      name: found.name,
      type: campaignType.transactional,
      transactional: {
        id,
        ...(!isFree && fields.length > 0 && { dataNames: fields.map(({ name }) => name) }),
      },
    },
    found.message_id,
    {
      domainId: found.domain_id,
      mailclassId: found.mailclass_id,
      espId: null,
      memberTableId: found.member_table_id,
      sender: { address: found.fromadr, name: found.fromname ?? '', replyTo: found.reply_to },
      subject: null,
    },
    trackingBaseOf,
  )
  return {
    ...draft,
    columns: [...new Set([...draft.columns, ...CALL_FIELDS])],
    ...(isFree && { links: [], modules: [] }),
    message: isFree
      ? { ...OWN_CONTENT, id: draft.message.id, isTracked: found.is_tracked }
      : { ...draft.message, isTracked: draft.message.isTracked && found.is_tracked },
  }
}
