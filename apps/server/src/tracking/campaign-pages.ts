import { readContactLanguage } from '@emma/core/audience/preferences/contact-language.ts'
import { readMemberRow } from '@emma/core/audience/members/read-member-row.ts'
import { findTestLink } from '@emma/core/campaigns/test-mails.ts'
import { readVariant } from '@emma/core/campaigns/split/read-variant.ts'
import { type MailValues, readMailValues } from '@emma/core/transactional/read-mail-values.ts'
import type { Db } from '@emma/db/connection.ts'
import {
  type CampaignSnapshot,
  campaignFields,
  compileVariants,
  variantSnapshots,
} from '@emma/delivery/model/campaign-snapshot.ts'
import { readSnapshot } from '@emma/delivery/engine/running-campaigns.ts'
import { isWrittenHost, LinkError, resolveLink } from '@emma/mail/links/resolve-link.ts'
import { type MergeData, renderSegments } from '@emma/mail/segments.ts'
import type { CompiledLanguages } from '@emma/mail/template/compile-languages.ts'
import { moduleData } from '@emma/mail/template/module-data.ts'
import type { Token } from '@emma/mail/token.ts'
import { escapeHtml } from './escape-html.ts'
import { createBoundedMap } from '../bounded-map.ts'

export interface LinkTarget {
  url: string
  /**
   * Sender's name if the host comes from recipient data and is not below the sending domain: a page shows the host
   * before the redirect. Otherwise a member's field could turn our host into an open redirect.
   */
  askAs: string | null
}

/** The message's tokens as text, for the links of its browser view. */
type TokenTexts = Record<'tracking' | 'page', string>

/** Campaign data for the public pages: link targets and browser views. */
export interface CampaignPages {
  /** Null for a campaign that never started, and for tokens of other messages. */
  find(token: Token): Promise<CampaignSnapshot | null>
  /** Target of a click; null if there is no such link, or it has no target for this recipient. */
  linkTarget(token: Token, index: number): Promise<LinkTarget | null>
  /** The same without the database; undefined if it is not cached or differs by recipient. */
  knownTarget(token: Token, index: number): string | undefined
  /** Browser view of the message; null if there is none. */
  browserView(token: Token, texts: TokenTexts): Promise<string | null>
}

/** Snapshots are immutable and cached: a few hundred campaigns get tracking events at a time, a few are viewed. */
export function createCampaignPages(db: Db): CampaignPages {
  const snapshots = createBoundedMap<CampaignSnapshot>(300)
  const compiled = createBoundedMap<Awaited<ReturnType<typeof compileVariants>>>(20)

  const targets = new Map<string, string>()

  return {
    find,
    linkTarget,
    knownTarget: (token, index) =>
      isOfCampaign(token) ? targets.get(`${nameOf(token)}/${index}`) : undefined,
    browserView,
  }

  async function find(token: Token): Promise<CampaignSnapshot | null> {
    if (!isOfCampaign(token)) return null
    return snapshots.get(nameOf(token), () => readSnapshot(db, token))
  }

  async function linkTarget(token: Token, index: number): Promise<LinkTarget | null> {
    if (token.kind === 'test_mail') return targetOfTest(token, index)
    const snapshot = await find(token)
    const link = snapshot?.links.find(each => each.index === index)
    if (!snapshot || !link) return null
    try {
      const isPersonal = link.url.includes('{')
      if (isPersonal) {
        const url = resolveLink(link.url, await dataFor(snapshot, token))
        const isKnown = isWrittenHost(link.url, url) || isBelow(new URL(url).hostname, snapshot.domain.name)
        return { url, askAs: isKnown ? null : snapshot.client.name }
      }
      const target = resolveLink(link.url, NOBODY)
      if (targets.size >= MOST_TARGETS) targets.clear()
      targets.set(`${nameOf(token)}/${index}`, target)
      return { url: target, askAs: null }
    } catch (error) {
      if (error instanceof LinkError) return null
      throw error
    }
  }

  /** Tests have few clicks, which are not cached. */
  async function targetOfTest({ clientId, campaignId: testId, memberId: mailId }: Token, index: number) {
    const url = await findTestLink(db, { clientId, testId, mailId }, index)
    return url === null ? null : { url: resolveLink(url, NOBODY), askAs: null }
  }

  async function browserView(token: Token, texts: TokenTexts): Promise<string | null> {
    const snapshot = await find(token)
    if (!snapshot) return null
    const variants = await compiled.get(nameOf(token), () => compileVariants(snapshot))
    if (!variants) return null
    const variant = snapshot.variants ? await readVariant(db, token) : 0
    const languages = variants[variant] ?? variants[0]
    const data = await dataFor(variantSnapshots(snapshot)[variant] ?? snapshot, token, texts)
    const content = await inLanguageOf(token, data, languages)
    if (content.html.length > 0) return renderSegments(content.html, data)
    return `<!doctype html><meta charset="utf-8"><pre style="white-space:pre-wrap">${escapeHtml(renderSegments(content.text, data))}</pre>`
  }

  /** The language that the address has chosen, if the message has it. */
  async function inLanguageOf(
    { clientId }: Token,
    { member }: MergeData,
    { content, others }: CompiledLanguages,
  ) {
    const email = member['email']
    if (others.size === 0 || typeof email !== 'string') return content
    const language = await readContactLanguage(db, clientId, email)
    return (language && others.get(language)) || content
  }

  async function dataFor(snapshot: CampaignSnapshot, token: Token, texts?: TokenTexts): Promise<MergeData> {
    const mail = await mailOf(snapshot, token)
    return {
      member: mail ? mail.member : await memberOf(snapshot, token),
      campaign: campaignFields(snapshot),
      client: { ...snapshot.client },
      data: { ...moduleData(snapshot.modules), ...mail?.data },
      token: texts?.tracking ?? '',
      pageToken: texts?.page ?? '',
    }
  }

  /** Of a transactional email: the values of its call. */
  async function mailOf(
    { campaign, memberTableId }: CampaignSnapshot,
    { kind, clientId, memberId }: Token,
  ): Promise<MailValues | null> {
    if (!campaign.transactional || kind !== 'campaign') return null
    return (await readMailValues(db, clientId, memberTableId, [memberId])).get(memberId) ?? null
  }

  /** A test token contains no member id. */
  async function memberOf({ memberTableId }: CampaignSnapshot, { kind, clientId, memberId }: Token) {
    if (memberTableId === null || kind !== 'campaign') return {}
    return (await readMemberRow(db, clientId, memberTableId, memberId)) ?? {}
  }
}

function isOfCampaign({ kind }: Token): boolean {
  return kind === 'campaign' || kind === 'test'
}

/** Links of some hundred campaigns. */
const MOST_TARGETS = 20_000

const NOBODY: MergeData = { member: {}, campaign: {}, client: {}, token: '', pageToken: '' }

function isBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

function nameOf({ clientId, campaignId }: Token): string {
  return `${clientId}/${campaignId}`
}
