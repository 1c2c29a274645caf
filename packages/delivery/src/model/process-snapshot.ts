import { campaignType } from '@emma/contract/campaign-states.ts'
import type { ProcessMailContent } from '@emma/contract/process-mails/shipped-process-mail.ts'
import { messageOfProcess } from '@emma/core/content/check-process-mail.ts'
import { findProcessSender } from '@emma/core/content/process-sender.ts'
import type { MailProcess } from '@emma/core/content/queue-process-mail.ts'
import type { Db } from '@emma/db/connection.ts'
import {
  CampaignFault,
  type CampaignSnapshot,
  draftSnapshot,
  type TrackingBaseOf,
} from './campaign-snapshot.ts'

/** A process mail of a client for a datasource. */
export interface ProcessMailUse {
  clientId: number
  memberTableId: number | null
  process: MailProcess
  name: string
  content: ProcessMailContent & { domain_id: number | null }
}

/**
 * Takes the snapshot of a process mail, with the sender of the client's process mails, for a campaign that does not
 * exist yet (id 0).
 * @throws CampaignFault if the client has no sender for it
 */
export async function draftProcessMail(
  db: Db,
  { clientId, memberTableId, process, name, content }: ProcessMailUse,
  trackingBaseOf: TrackingBaseOf,
): Promise<CampaignSnapshot> {
  const found = await findProcessSender(db, clientId, content.domain_id)
  if (!found.sender) throw new CampaignFault(found.fault)
  const { subject, body_long, body_text, lang, is_tracked } = messageOfProcess(content)
  return draftSnapshot(
    db,
    clientId,
    { id: 0, name, type: campaignType.process, process },
    {
      message: {
        id: 0,
        subject: subject ?? '',
        preheader: '',
        html: body_long,
        mjml: '',
        text: body_text ?? '',
        language: lang,
        isTracked: is_tracked,
      },
      links: [],
    },
    { ...found.sender, espId: null, memberTableId, subject: null },
    trackingBaseOf,
  )
}
