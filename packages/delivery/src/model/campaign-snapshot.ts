import { fault, type Fault } from '@emma/contract/faults.ts'
import { transactionalTypes } from '@emma/contract/campaign-states.ts'
import { type Attachment, attachments as attachmentsSchema } from '@emma/contract/attachments.ts'
import { split } from '@emma/contract/split.ts'
import type { BrandValues } from '@emma/contract/client-brand.ts'
import { languagesOf } from '@emma/core/content/compile-message.ts'
import { findBrand } from '@emma/core/content/find-brand.ts'
import {
  chooseItems,
  type FeedContent,
  findFeeds,
  hasData,
  isPersonal,
  rememberItems,
} from '@emma/core/content/feeds.ts'
import { type VariantSettings, variantsOf } from '@emma/core/campaigns/split/variants.ts'
import { findModules } from '@emma/core/content/find-modules.ts'
import type { MailProcess } from '@emma/core/content/queue-process-mail.ts'
import type { Db } from '@emma/db/connection.ts'
import type { LinkRow } from '@emma/mail/links/link-table.ts'
import {
  type AssembledLanguages,
  type CompiledLanguages,
  compileLanguages,
  finishLanguages,
  type LanguageSource,
} from '@emma/mail/template/compile-languages.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import { type ContentTests, contentTests } from '@emma/mail/template/content-tests.ts'
import { dataNames } from '@emma/mail/template/module-data.ts'
import type { Module } from '@emma/mail/template/modules.ts'
import { sql } from 'kysely'
import { type PoolDomain, readDomainPool } from './domain-pool.ts'
import { type Replacer, replaceTokens } from './replace-tokens.ts'
import type { CampaignKey } from './campaign-key.ts'

/**
 * Everything the messages of a campaign are rendered from, frozen at its start; stored as JSON in campaign.snapshot,
 * so that later edits do not change what was sent. Contains no secrets: keys and passwords are read when used.
 */
export interface CampaignSnapshot {
  /** `process`: of process mails; `transactional`: of a transactional email. */
  campaign: {
    id: number
    name: string
    type: number
    process?: MailProcess
    /** `dataNames`: fields of the data of its calls; missing if they may have any. */
    transactional?: { id: number; dataNames?: string[] }
  }
  /** Used in templates and on public pages. */
  client: ClientFields & { client_id: number }
  /** Missing in snapshots of earlier versions. */
  brand?: BrandValues
  memberTableId: number | null
  /** Columns of the datasource that templates may use. */
  columns: string[]
  message: {
    id: number
    subject: string
    preheader: string
    html: string
    mjml: string
    text: string
    language: string
    isTracked: boolean
    /** Missing in snapshots of earlier versions, like the attachments. */
    charset?: string
    /** The message in further languages. */
    languages?: LanguageSource[]
    attachments?: Attachment[]
  }
  modules: Module[]
  /** As numbered by the compiler: the index is part of every tracked link. */
  links: LinkRow[]
  /** Conditions to be shown a counted section, if the expansion can decide them. */
  contentTests?: ContentTests
  sender: { address: string; name: string; replyTo: string | null }
  domain: { id: number; name: string; returnPathHost: string }
  mailclass: { id: number; name: string; listId: string | null; transport: string }
  /** Scheme and host of all public URLs. */
  trackingBase: string
  /** Further domains, each for its share of the recipients. */
  pool?: PoolDomain[]
  /** Data that is fetched for each recipient. */
  personalData?: PersonalSource[]
  /** Of an A/B test: what its further variants are sent with; the first is the campaign itself. */
  variants?: Pick<CampaignSnapshot, 'message' | 'sender'>[]
}

/** A data feed whose address differs by recipient. */
export interface PersonalSource {
  moduleId: number
  /** Token of the placeholder. */
  name: string
  /** With placeholders of the member. */
  url: string
  header: string | null
  /** Recipients without data get the mail without it, or none. */
  ifEmpty: 'send' | 'skip'
}

/** Client fields for templates. */
export interface ClientFields {
  name: string
  address: string
  contact_email: string
  imprint: string
  language: string
  timezone: string
}

/** Returns scheme and host for the links of a domain. */
export type TrackingBaseOf = (domain: { trackingHost: string | null; transport: string }) => string

/** Thrown if something that a campaign needs is missing; the message uses the words of its form. */
export class CampaignFault extends Error {
  override name = 'CampaignFault'
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/** Thrown if nothing may be sent now: the campaign is held until somebody has fixed the cause and resumed it. */
export class SendingForbidden extends Error {
  override name = 'SendingForbidden'
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

/** Settings of a message sent without a campaign. */
export interface Sending {
  domainId: number
  /** May be null if there is a login. */
  mailclassId: number | null
  /** ESP login, which replaces the mail class's transport. */
  espId: number | null
  memberTableId: number | null
  sender: CampaignSnapshot['sender']
  /** Replaces the message's own subject if not empty. */
  subject: string | null
  /** Contents of feeds by placeholder; the others show their copies. */
  feeds?: ReadonlyMap<string, FeedContent>
}

/**
 * Takes the snapshot of a campaign: message, modules, links, domain, mail class, client.
 * @throws CampaignFault if one of them is missing; ContentError if the message cannot be compiled
 */
export async function snapshotCampaign(
  db: Db,
  { clientId, campaignId }: CampaignKey,
  trackingBaseOf: TrackingBaseOf,
): Promise<CampaignSnapshot> {
  const found = await db
    .selectFrom('campaign')
    .select(['name', 'ctype', 'member_table_id', 'message_id', 'domain_id', 'mailclass_id', 'esp_id'])
    .select(['fromadr', 'fromname', 'reply_to', 'subject', 'split', 'use_domain_pool'])
    .where('client_id', '=', clientId)
    .where('campagne_id', '=', campaignId)
    .executeTakeFirst()
  const campaign = present(found, fault('campaign.campaign_gone'))
  const { feeds, personal } = await takeFeeds(db, clientId, campaignId)
  const draftOf = (variant: VariantSettings) =>
    draftMessage(
      db,
      clientId,
      { id: campaignId, name: campaign.name, type: campaign.ctype },
      present(variant.message_id, fault('campaign.no_template')),
      {
        domainId: present(campaign.domain_id, fault('campaign.no_domain')),
        mailclassId: campaign.mailclass_id,
        espId: campaign.esp_id,
        memberTableId: campaign.member_table_id,
        sender: {
          address: present(variant.fromadr, fault('campaign.no_sender')),
          name: variant.fromname ?? '',
          replyTo: variant.reply_to,
        },
        subject: variant.subject,
        feeds,
      },
      trackingBaseOf,
    )
  const settings = variantsOf({ ...campaign, split: split.nullable().parse(campaign.split) })
  const snapshot = await withLinks(withVariants(await Promise.all(settings.map(draftOf))))
  // Sending services sign with domains of their own.
  const pool =
    campaign.use_domain_pool && campaign.esp_id === null
      ? await readDomainPool(db, clientId, snapshot, trackingBaseOf)
      : []
  return {
    ...snapshot,
    ...(pool.length > 0 && { pool }),
    ...(personal.length > 0 && { personalData: personal }),
  }
}

/** One draft of the drafts of all variants; each link keeps its name, whichever template it is from. */
function withVariants([first, ...others]: readonly CampaignSnapshot[]): CampaignSnapshot {
  if (!first) throw new Error('A campaign has at least one variant.')
  if (others.length === 0) return first
  const variants = others.map(({ message, sender }) => ({ message, sender }))
  const messages = new Map([first, ...others].map(({ message, links }) => [message.id, links]))
  return { ...first, variants, links: [...messages.values()].flat() }
}

/** Takes the contents of feeds for a campaign, from the copies fetched before. */
async function takeFeeds(db: Db, clientId: number, campaignId: number) {
  const taken = new Map<string, FeedContent>()
  const personal: PersonalSource[] = []
  for (const feed of await findFeeds(db, clientId, campaignId)) {
    const { token: placeholder } = feed
    if (isPersonal(feed)) {
      const { moduleId, token: name, url, header, ifEmpty } = feed
      personal.push({ moduleId, name, url, header, ifEmpty })
      continue
    }
    if (feed.type === 'data') {
      if (hasData(feed)) taken.set(placeholder, { data: feed.data })
      else if (feed.ifEmpty === 'skip')
        throw new CampaignFault(fault('campaign.data_missing_skip', { placeholder, fault: feed.fault ?? '' }))
      continue
    }
    if (feed.items === null)
      throw new CampaignFault(fault('campaign.feed_unreachable', { placeholder, fault: feed.fault ?? '' }))
    const items = await chooseItems(db, clientId, campaignId, feed)
    if (items.length === 0 && feed.ifEmpty === 'skip')
      throw new CampaignFault(fault('campaign.feed_empty_skip', { placeholder }))
    await rememberItems(db, clientId, campaignId, feed, items)
    taken.set(placeholder, { items })
  }
  return { feeds: taken, personal: personal.slice(0, maxPersonalSources) }
}

/** Requests for one mail at most. */
const maxPersonalSources = 3

/**
 * Takes the snapshot of a message for test sends of a template.
 * @throws like snapshotCampaign
 */
export async function snapshotMessage(
  db: Db,
  clientId: number,
  campaign: CampaignSnapshot['campaign'],
  messageId: number,
  sending: Sending,
  trackingBaseOf: TrackingBaseOf,
): Promise<CampaignSnapshot> {
  return withLinks(await draftMessage(db, clientId, campaign, messageId, sending, trackingBaseOf))
}

/**
 * The snapshot of a message that is not compiled yet.
 * @throws CampaignFault if something that it needs is missing
 */
export async function draftMessage(
  db: Db,
  clientId: number,
  campaign: CampaignSnapshot['campaign'],
  messageId: number,
  sending: Sending,
  trackingBaseOf: TrackingBaseOf,
): Promise<CampaignSnapshot> {
  const [message, links] = await Promise.all([
    readMessage(db, clientId, messageId),
    readLinks(db, clientId, messageId),
  ])
  return draftSnapshot(db, clientId, campaign, { message, links }, sending, trackingBaseOf)
}

/**
 * Compiles a draft, so that its links are numbered.
 * @throws ContentError if the message cannot be compiled
 */
export async function withLinks(
  draft: CampaignSnapshot,
  assemble?: AssembleMessage,
): Promise<CampaignSnapshot> {
  const [first, ...variants] = await compileVariants(draft, assemble)
  const links = (variants.at(-1) ?? first).links
  // Which variant a member gets is not known when the expansion decides.
  if (variants.length > 0) return { ...draft, links }
  const counted = [...first.others].map(([language, other]) => [language, other.counted] as const)
  const tests = contentTests(first.content.counted, new Map(counted))
  return { ...draft, links, ...(tests && { contentTests: tests }) }
}

/**
 * The snapshot of content that is not compiled yet.
 * @throws CampaignFault if something that it needs is missing
 */
export async function draftSnapshot(
  db: Db,
  clientId: number,
  campaign: CampaignSnapshot['campaign'],
  { message, links }: Pick<CampaignSnapshot, 'message' | 'links'>,
  sending: Sending,
  trackingBaseOf: TrackingBaseOf,
): Promise<CampaignSnapshot> {
  const [modules, domain, mailclass, client, columns, replacers, brand] = await Promise.all([
    findModules(db, clientId, sending.feeds ? [] : textsOf(message)),
    readDomain(db, clientId, sending.domainId),
    readMailclass(db, clientId, sending),
    readClient(db, clientId),
    sending.memberTableId === null ? [] : readColumns(db, sending.memberTableId),
    sending.espId === null ? [] : readReplacers(db, clientId, sending.espId),
    findBrand(db, clientId),
  ])
  const { track_clicks_opens: isTracked, ...mailclassFields } = mailclass
  return {
    campaign,
    client,
    brand,
    memberTableId: sending.memberTableId,
    columns,
    message: replaceTokens(
      {
        ...message,
        subject: sending.subject?.trim() ? sending.subject : message.subject,
        isTracked: message.isTracked && isTracked,
      },
      replacers,
    ),
    modules: modules.map(module => ({ ...module, ...sending.feeds?.get(module.name) })),
    links,
    sender: sending.sender,
    domain: { id: domain.id, name: domain.name, returnPathHost: domain.returnPathHost },
    mailclass: mailclassFields,
    trackingBase: trackingBaseOf({ trackingHost: domain.trackingHost, transport: mailclass.transport }),
  }
}

function textsOf({ subject, preheader, html, mjml, text }: CampaignSnapshot['message']): string[] {
  return [subject, preheader, html, mjml, text]
}

/** Compiles a message but for the last step, elsewhere than on the calling thread. Throws as `compileLanguages`. */
export type AssembleMessage = (
  clientId: number,
  source: ContentSource,
  languages: readonly LanguageSource[],
) => Promise<AssembledLanguages>

/**
 * Compiles the message of each variant of a snapshot; one without A/B test has one. Links are numbered over all
 * variants, so that the number of a click names one URL; compiling the same snapshot again gives the same numbers.
 * @throws ContentError with all faults of the content, of the first variant with a fault
 */
export async function compileVariants(
  snapshot: CampaignSnapshot,
  assemble?: AssembleMessage,
): Promise<[CompiledLanguages, ...CompiledLanguages[]]> {
  const compile = async (each: CampaignSnapshot, sharedLinks: LinkRow[]) => {
    const source = { ...contentSource(each), sharedLinks }
    const languages = each.message.languages ?? []
    if (!assemble) return compileLanguages(source, languages)
    const assembled = await assemble(each.client.client_id, source, languages)
    return finishLanguages(source, languages, assembled)
  }
  const [first, ...others] = variantSnapshots(snapshot)
  const compiled: [CompiledLanguages, ...CompiledLanguages[]] = [await compile(first, [])]
  for (const variant of others) compiled.push(await compile(variant, compiled.at(-1)?.links ?? []))
  return compiled
}

/** The snapshot as each variant is sent, the campaign's own first. */
export function variantSnapshots(snapshot: CampaignSnapshot): [CampaignSnapshot, ...CampaignSnapshot[]] {
  const { variants = [], ...own } = snapshot
  return [own, ...variants.map(variant => ({ ...own, ...variant }))]
}

/** What the message of a snapshot is compiled from, in its default language. */
export function contentSource(snapshot: CampaignSnapshot): ContentSource {
  const { message } = snapshot
  const data = knownData(snapshot)
  return {
    subject: message.subject,
    preheader: message.preheader,
    html: message.html,
    mjml: message.mjml,
    text: message.text,
    modules: snapshot.modules,
    ...(snapshot.brand && { brand: snapshot.brand }),
    known: {
      member: snapshot.columns,
      campaign: Object.keys(campaignFields(snapshot)),
      client: Object.keys(snapshot.client),
      ...(data && { data }),
    },
    trackingBase: snapshot.trackingBase,
    isTracked: message.isTracked,
    links: snapshot.links,
    language: message.language,
    timeZone: snapshot.client.timezone,
  }
}

/** Names below `data`; undefined if calls may have any. */
function knownData({ campaign, modules }: CampaignSnapshot): string[] | undefined {
  const ofModules = dataNames(modules)
  const { transactional } = campaign
  if (!transactional) return ofModules
  return transactional.dataNames && [...transactional.dataNames, ...(ofModules ?? [])]
}

/** Campaign fields for templates. */
export function campaignFields({ campaign, message }: CampaignSnapshot): Record<string, unknown> {
  return { id: campaign.id, name: campaign.name, subject: message.subject }
}

export function isTransactional({ campaign }: CampaignSnapshot): boolean {
  return transactionalTypes.includes(campaign.type)
}

async function readMessage(
  db: Db,
  clientId: number,
  messageId: number,
): Promise<CampaignSnapshot['message']> {
  const found = await db
    .selectFrom('message')
    .select(['subject', 'preheader', 'message_type', 'body_long', 'body_mjml', 'body_text', 'lang'])
    .select(['is_tracked', 'charset', 'attachments', 'languages'])
    .where('client_id', '=', clientId)
    .where('message_id', '=', messageId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const message = present(found, fault('campaign.template_gone'))
  const isText = message.message_type === 'text'
  return {
    id: messageId,
    subject: message.subject,
    preheader: message.preheader ?? '',
    html: isText ? '' : (message.body_long ?? ''),
    mjml: isText ? '' : (message.body_mjml ?? ''),
    text: message.body_text ?? '',
    language: message.lang,
    isTracked: message.is_tracked,
    charset: message.charset,
    languages: languagesOf(message.languages).map(each => (isText ? { ...each, html: '', mjml: '' } : each)),
    attachments: attachmentsSchema.parse(message.attachments),
  }
}

async function readLinks(db: Db, clientId: number, messageId: number): Promise<LinkRow[]> {
  const rows = await db
    .selectFrom('message_link')
    .select(['link_index', 'name', 'url', 'is_active'])
    .where('client_id', '=', clientId)
    .where('message_id', '=', messageId)
    .orderBy('link_index')
    .execute()
  return rows.map(({ link_index: index, ...row }) => ({ index, ...row }))
}

async function readDomain(db: Db, clientId: number, domainId: number) {
  const found = await db
    .selectFrom('domain')
    .select(['name', 'return_path_host', 'tracking_host', 'cname_ok'])
    .where('client_id', '=', clientId)
    .where('domain_id', '=', domainId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const domain = present(found, fault('campaign.domain_gone'))
  return {
    id: domainId,
    name: domain.name,
    returnPathHost: domain.return_path_host ?? `bounce.${domain.name}`,
    trackingHost: domain.cname_ok ? domain.tracking_host : null,
  }
}

async function readMailclass(db: Db, clientId: number, { mailclassId, espId }: Sending) {
  if (mailclassId === null && espId !== null)
    return { id: 0, name: '', listId: null, transport: 'esp', track_clicks_opens: true }
  const found = await db
    .selectFrom('mailclass')
    .select(['mailclass_id as id', 'name', 'listid as listId', 'transport', 'track_clicks_opens'])
    .where('client_id', '=', clientId)
    .where('mailclass_id', '=', present(mailclassId, fault('campaign.no_mailclass')))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const mailclass = present(found, fault('campaign.mailclass_gone'))
  return espId === null ? mailclass : { ...mailclass, transport: 'esp' }
}

async function readClient(db: Db, clientId: number): Promise<CampaignSnapshot['client']> {
  const found = await db
    .selectFrom('client')
    .select(['client_id', 'name', 'address', 'contact_email', 'imprint', 'language', 'timezone'])
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  const client = present(found, fault('campaign.client_gone'))
  return {
    ...client,
    address: client.address ?? '',
    contact_email: client.contact_email ?? '',
    imprint: client.imprint ?? '',
  }
}

/** Placeholders of a login's ESP that replace ours, in order. */
async function readReplacers(db: Db, clientId: number, espId: number): Promise<Replacer[]> {
  const { rows } = await sql<Replacer>`
    select r.search, coalesce(r.replace, '') as replace
    from esp_login l
    join esp_replacer r on r.client_id = l.client_id and r.esp = l.esp and r.deleted_at is null
    where l.client_id = ${clientId} and l.id = ${espId}
    order by r."order", r.id`.execute(db)
  return rows
}

/** Not for templates: tenant and internal counters. */
const HIDDEN = ['client_id', 'revision', 'doi_ip']

async function readColumns(db: Db, memberTableId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name
    from pg_attribute
    where attrelid = to_regclass(${`members.t${memberTableId}`})
      and attnum > 0 and not attisdropped and attname <> all(${HIDDEN}::text[])
    order by attnum`.execute(db)
  return rows.map(row => row.name)
}

function present<T>(value: T | null | undefined, lacking: Fault): T {
  if (value === null || value === undefined) throw new CampaignFault(lacking)
  return value
}
