import type { DkimKey } from '@emma/mail/dkim/dkim-key.ts'
import { type CompiledMail, compileMime } from '@emma/mail/mime/compile-mime.ts'
import {
  campaignFields,
  type CampaignSnapshot,
  compileSnapshot,
  isTransactional,
} from '../model/campaign-snapshot.ts'
import { type CountedSections, hasContent } from '@emma/mail/template/counted-sections.ts'
import { RenderError } from '@emma/mail/template/template-error.ts'
import { feedbackId } from './feedback-id.ts'

/** A campaign ready to be rendered; shared by all its recipients. */
export interface CompiledCampaign {
  snapshot: CampaignSnapshot
  mail: CompiledMail
  keys: readonly DkimKey[]
  /** Null if every member gets the message. */
  counted: CountedSections | null
  /** Required member columns; null: all. */
  memberNames: readonly string[] | null
  /** Fields that templates may use. */
  fields: { campaign: Record<string, unknown>; client: Record<string, unknown> }
}

/**
 * Compiles a campaign once: content to constants and slots, constants to bytes.
 * @throws ContentError, HeaderError with a text for marketers
 */
export async function compileCampaign(
  snapshot: CampaignSnapshot,
  keys: readonly DkimKey[],
): Promise<CompiledCampaign> {
  const content = await compileSnapshot(snapshot)
  const { campaign, client, domain, mailclass, sender } = snapshot
  const isBulk = !isTransactional(snapshot)
  const mail = compileMime({
    subject: content.subject,
    html: content.html.length > 0 ? content.html : null,
    text: content.text,
    headers: {
      from: { address: sender.address, name: sender.name },
      ...(sender.replyTo ? { replyTo: { address: sender.replyTo } } : {}),
      listId: { id: `${listName(snapshot)}.${domain.name}`, name: oneLine(client.name) },
      feedbackId: feedbackId({
        campaignId: campaign.id,
        clientId: client.client_id,
        mailclass: mailclass.name,
        domain: domain.name,
      }),
      cfblAddress: `fbl@${domain.returnPathHost}`,
      ...(isBulk ? { precedence: 'bulk' } : { autoSubmitted: 'auto-generated' }),
    },
  })
  // Names that are not columns render as empty text.
  const memberNames = content.memberNames?.filter(name => snapshot.columns.includes(name)) ?? null
  return {
    snapshot,
    mail,
    keys,
    counted: content.counted,
    memberNames,
    fields: { campaign: campaignFields(snapshot), client: { ...client } },
  }
}

/** Whether a member is shown no counted section. A fault of its data is one of the mail, which is rejected for it. */
export function lacksContent(
  { counted, fields }: Pick<CompiledCampaign, 'counted' | 'fields'>,
  member: Record<string, unknown>,
): boolean {
  try {
    return counted !== null && !hasContent(counted, { ...fields, member, token: '', pageToken: '' })
  } catch (error) {
    if (error instanceof RenderError) return false
    throw error
  }
}

function listName({ client, mailclass }: CampaignSnapshot): string {
  const name = (mailclass.listId ?? '').replaceAll(/[^A-Za-z0-9_-]/g, '')
  return name === '' ? `list-${client.client_id}` : name
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim()
}
