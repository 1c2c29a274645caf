import type { DkimKey } from '@emma/mail/dkim/dkim-key.ts'
import type { MailAttachment } from '@emma/mail/mime/attachment-part.ts'
import { type CompiledMail, compileMime } from '@emma/mail/mime/compile-mime.ts'
import {
  type AssembleMessage,
  campaignFields,
  type CampaignSnapshot,
  compileVariants,
  isTransactional,
  variantSnapshots,
} from '../model/campaign-snapshot.ts'
import type { MailHeaders } from '@emma/mail/mime/sender-fields.ts'
import type { CompiledContent } from '@emma/mail/template/compile-content.ts'
import { type CountedSections, hasContent } from '@emma/mail/template/counted-sections.ts'
import { moduleData } from '@emma/mail/template/module-data.ts'
import { addressColumns } from '@emma/mail/template/personal-address.ts'
import { RenderError } from '@emma/mail/template/template-error.ts'
import type { SealedSource } from '../model/personal-source.ts'
import { feedbackId } from './feedback-id.ts'

/** A campaign ready to be rendered; shared by all its recipients. */
export interface CompiledCampaign {
  snapshot: CampaignSnapshot
  /** Data to fetch for each recipient. */
  personalData: readonly SealedSource[]
  mail: CompiledMail
  keys: readonly DkimKey[]
  /** Null if every member gets the message. */
  counted: CountedSections | null
  /** The message in further languages. */
  languages: ReadonlyMap<string, CompiledCampaign>
  /** Of a campaign that rotates over domains: the campaign in each of them, its own first; null without keys. */
  domains: readonly (CompiledCampaign | null)[]
  /** Of an A/B test: each variant, the campaign's own first. */
  variants: readonly CompiledCampaign[]
  /** Member columns that all languages and variants require; null: all. */
  memberNames: readonly string[] | null
  /** Fields that templates may use. */
  fields: {
    campaign: Record<string, unknown>
    client: Record<string, unknown>
    data: Record<string, unknown>
  }
}

/** What a snapshot refers to, as read for it. */
interface CampaignParts {
  /** By variant. */
  attachments?: readonly (readonly MailAttachment[])[]
  personalData?: readonly SealedSource[]
  /** DKIM keys of the further domains of the snapshot's pool, in its order. */
  poolKeys?: readonly (readonly DkimKey[])[]
  /** Missing: the message is compiled on the calling thread. */
  assemble?: AssembleMessage | undefined
}

/**
 * Compiles a campaign once: content to constants and slots, constants to bytes.
 * @throws ContentError, HeaderError with a text for marketers
 */
export async function compileCampaign(
  snapshot: CampaignSnapshot,
  keys: readonly DkimKey[],
  parts: CampaignParts = {},
): Promise<CompiledCampaign> {
  const own = await compileInDomain(snapshot, keys, parts, snapshot.domain.name)
  const further: (CompiledCampaign | null)[] = []
  for (const [index, place] of (snapshot.pool ?? []).entries()) {
    const keysThere = parts.poolKeys?.[index] ?? []
    further.push(
      keysThere.length === 0
        ? null
        : await compileInDomain({ ...snapshot, ...place }, keysThere, parts, snapshot.domain.name),
    )
  }
  return further.length === 0 ? own : { ...own, domains: [own, ...further] }
}

/** @param listDomain of the List-Id, which is the same in all domains */
async function compileInDomain(
  snapshot: CampaignSnapshot,
  keys: readonly DkimKey[],
  { attachments = [], personalData = [], assemble }: CampaignParts,
  listDomain: string,
): Promise<CompiledCampaign> {
  const compiled = await compileVariants(snapshot, assemble)
  const names = compiled
    .flatMap(({ content, others }) => [content, ...others.values()])
    .map(each => each.memberNames)
  // Names that are not columns render as empty text.
  const ofAddresses = (snapshot.personalData ?? []).flatMap(({ url }) => addressColumns(url) ?? [])
  const memberNames = names.every(each => each !== null)
    ? [...new Set([...names.flat(), ...ofAddresses])].filter(name => snapshot.columns.includes(name))
    : null
  const compile = (of: CampaignSnapshot, each: CompiledContent, files: readonly MailAttachment[]) => ({
    snapshot: of,
    personalData,
    mail: compileMime({
      subject: each.subject,
      html: each.html.length > 0 ? each.html : null,
      text: each.text,
      attachments: files,
      charset: of.message.charset ?? 'utf-8',
      headers: headersOf(of, listDomain),
    }),
    keys,
    counted: each.counted,
    languages: new Map<string, CompiledCampaign>(),
    domains: [],
    variants: [],
    memberNames,
    fields: {
      campaign: campaignFields(of),
      client: { ...of.client },
      data: moduleData(of.modules),
    },
  })
  const [first, ...others] = variantSnapshots(snapshot).map((of, index): CompiledCampaign => {
    const { content, others: inOthers } = compiled[index] ?? compiled[0]
    const files = attachments[index] ?? []
    const languages = new Map([...inOthers].map(([language, each]) => [language, compile(of, each, files)]))
    return { ...compile(of, content, files), languages }
  })
  if (!first) throw new Error('A campaign has at least one variant.')
  return { ...first, variants: others.length === 0 ? [] : [first, ...others] }
}

/**
 * The campaign in the domain of a recipient: always the same one, whatever is sent again. While it is not usable, the
 * recipient has another one, again always the same; recipients of other domains keep theirs.
 * @param usable names of the further domains that may be used now
 */
export function inDomain(
  campaign: CompiledCampaign,
  memberId: number,
  usable: readonly string[],
): CompiledCampaign {
  const { domains } = campaign
  if (domains.length === 0) return campaign
  const turn = Math.abs(memberId)
  const place = turn % domains.length
  const others = domains.toSpliced(place, 1)
  const first = Math.floor(turn / domains.length) % others.length
  const inOrder = [domains[place], ...others.slice(first), ...others.slice(0, first)]
  const isUsable = (each: CompiledCampaign | null | undefined) =>
    each === domains[0] || (each && usable.includes(each.snapshot.domain.name))
  return inOrder.find(isUsable) ?? campaign
}

/** The campaign as a recipient of that variant gets it. */
export function inVariant(campaign: CompiledCampaign, variant: number | null | undefined): CompiledCampaign {
  return campaign.variants[variant ?? 0] ?? campaign
}

/** The campaign in the language that a recipient has chosen, otherwise in its default language. */
export function inLanguage(
  campaign: CompiledCampaign,
  language: string | null | undefined,
): CompiledCampaign {
  return (language && campaign.languages.get(language)) || campaign
}

function headersOf(snapshot: CampaignSnapshot, listDomain: string): MailHeaders {
  const { campaign, client, domain, mailclass, sender } = snapshot
  return {
    from: { address: sender.address, name: sender.name },
    ...(sender.replyTo ? { replyTo: { address: sender.replyTo } } : {}),
    listId: { id: `${listName(snapshot)}.${listDomain}`, name: oneLine(client.name) },
    feedbackId: feedbackId({
      campaignId: campaign.id,
      clientId: client.client_id,
      mailclass: mailclass.name,
      domain: domain.name,
    }),
    cfblAddress: `fbl@${domain.returnPathHost}`,
    ...(isTransactional(snapshot) ? { autoSubmitted: 'auto-generated' } : { precedence: 'bulk' }),
  }
}

/** Whether a member is shown no counted section. A fault of its data is one of the mail, which is rejected for it. */
export function lacksContent(
  { counted, fields }: Pick<CompiledCampaign, 'counted' | 'fields'>,
  member: Record<string, unknown>,
  personal: Record<string, unknown> = {},
): boolean {
  try {
    return (
      counted !== null &&
      !hasContent(counted, {
        ...fields,
        data: { ...fields.data, ...personal },
        member,
        token: '',
        pageToken: '',
      })
    )
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
