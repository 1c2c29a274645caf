import type { PreviewContent } from '@emma/core/content/render-message.ts'
import type { MailValues } from '@emma/core/transactional/read-mail-values.ts'
import type { Db } from '@emma/db/connection.ts'
import {
  campaignFields,
  type CampaignSnapshot,
  contentSource,
} from '@emma/delivery/model/campaign-snapshot.ts'
import { readSnapshot } from '@emma/delivery/engine/running-campaigns.ts'
import { draftTransactional } from '@emma/delivery/model/transactional-snapshot.ts'
import { moduleData } from '@emma/mail/template/module-data.ts'
import type { Config } from '../config.ts'
import { trackingBaseOf } from '../tracking-base.ts'

/** The content of an email: that of its campaign, else the current one of the transactional email. */
interface MailContent {
  clientId: number
  transactionalId: number
  campaignId: number | null
  /** The email has content of its own. */
  isFree?: boolean
}

interface RenderedContent {
  subject: string
  html: string
  text: string
}

/**
 * Renders an email of a transactional email. Its links lead nowhere, and nothing is tracked.
 * @throws ContentError if the template cannot be compiled, CampaignFault if something that it needs is missing
 */
export async function renderTransactional(
  db: Db,
  config: Config,
  preview: PreviewContent,
  { clientId, transactionalId, campaignId, isFree = false }: MailContent,
  values: Pick<MailValues, 'member' | 'data' | 'lang' | 'subject'>,
): Promise<RenderedContent> {
  const sent = campaignId === null ? null : await readSnapshot(db, { clientId, campaignId })
  const snapshot =
    sent ??
    (await draftTransactional(db, { clientId, id: transactionalId, isFree }, trackingBaseOf(config), false))
  const source = { ...contentSource(inLanguage(snapshot, values.lang)), isTracked: false }
  const { subject, html, text } = await preview(clientId, source, {
    member: values.member,
    campaign: campaignFields(snapshot),
    client: { ...snapshot.client },
    data: { ...moduleData(snapshot.modules), ...values.data },
    token: 'preview',
    pageToken: 'preview',
  })
  return { subject: values.subject ?? subject, html, text }
}

function inLanguage(snapshot: CampaignSnapshot, lang: string | null): CampaignSnapshot {
  const chosen = snapshot.message.languages?.find(each => each.language === lang)
  return chosen
    ? { ...snapshot, message: { ...snapshot.message, ...chosen, mjml: chosen.mjml ?? '' } }
    : snapshot
}
