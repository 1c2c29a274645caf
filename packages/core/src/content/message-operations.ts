import { EmmaError, fieldError, invalid } from '@emma/contract/errors.ts'
import type { Patch, Row } from '@emma/contract/resource-schemas.ts'
import { message } from '@emma/contract/resources/message.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { likePattern } from '@emma/db/list-rows.ts'
import type { LinkRow } from '@emma/mail/links/link-table.ts'
import type { Compilation } from '@emma/mail/template/compilation.ts'
import { sql } from 'kysely'
import { campaignReferences, variantTemplates } from '../campaigns/campaign-references.ts'
import { type Actor, ownClient, type TenantScope } from '../resource/actor.ts'
import { difference, logChange } from '../resource/log-change.ts'
import type { Operations, WriteOptions } from '../resource/operations.ts'
import { resourceOperations } from '../resource/resource-operations.ts'
import { completeAttachments } from './attachments.ts'
import {
  type Compiler,
  compileMessage,
  languagesOf,
  type MessageContent,
  templateFindings,
} from './compile-message.ts'
import { findPictures } from './mail-pictures.ts'
import { keepVersion } from './message-versions.ts'
import { repeatIfChanged } from './repeat-if-changed.ts'
import { type PictureSubject, requestPicture } from './request-pictures.ts'

type Message = Row<typeof message>
type Stored = Omit<Message, 'urls' | 'warnings' | 'screenshot'>

/** Fields that determine the content of the mail; a change of one recompiles it. */
const contentFields = [
  'subject',
  'preheader',
  'body_long',
  'body_mjml',
  'body_text',
  'is_tracked',
  'urls',
  'lang',
  'charset',
  'languages',
  'attachments',
]

const standard = resourceOperations(message, {
  table: 'message',
  added: ['urls', 'warnings', 'screenshot'],
  json: ['attachments', 'bee_json', 'languages'],
  special: {
    doi_link: values =>
      sql`(coalesce(r.body_long, '') || coalesce(r.body_mjml, '') || coalesce(r.body_text, '') || r.languages::text) like '%link.doi%' = ${values[0]}`,
    text: values => {
      const pattern = likePattern(String(values[0]))
      return sql`concat_ws(' ', r.name, r.subject, r.preheader, r.body_mjml, r.body_long, r.body_text, r.languages) ilike ${pattern}`
    },
  },
  references: [...campaignReferences('message_id'), ...variantTemplates],
})

/**
 * Reads a message with its links, as stored: the findings of its content take a compilation.
 * @throws EmmaError `not_found`
 */
export async function findStoredMessage(
  db: Db,
  actor: Actor,
  scope: TenantScope,
  id: number,
): Promise<Stored & { urls: Link[] }> {
  const record = await standard.find(db, actor, scope, id)
  return { ...record, urls: await findLinks(db, record.client_id, id) }
}

export interface MessageOperations extends Operations<typeof message> {
  /**
   * Compiles what a patch saves, and returns the write, to be run in a transaction. The write throws `faulty_revision` if
   * the message was changed meanwhile.
   */
  preparePatch(
    db: Db,
    actor: Actor,
    scope: TenantScope,
    id: number,
    input: Patch<typeof message>,
    options: WriteOptions,
  ): Promise<(tx: Db) => Promise<Message>>
}

/**
 * CRUD operations of messages. Content that does not compile is rejected (Liquid and MJML errors name part, line and
 * column). The link table follows the content; links that remain keep their names and switches. Every change is kept
 * as a version (message-versions.ts), from the state before the first one. No transaction is open while a message is
 * compiled.
 */
export function messageOperations(compiler: Compiler): MessageOperations {
  const { trackingBase } = compiler

  /** A saved message can break later when a module it uses changes. It must still open, so that it can be fixed. */
  async function findWarnings(db: Db, record: Stored & { urls: Link[] }): Promise<Message['warnings']> {
    try {
      const { warnings } = await compileMessage(db, record.client_id, record, compiler)
      return warnings
    } catch (error) {
      if (!(error instanceof EmmaError)) throw error
      return templateFindings(error)
    }
  }

  /** Returns a function that gives each record its picture. */
  async function picturesOf(db: Db, records: readonly Stored[]) {
    const mails = records.map(({ client_id: clientId, message_id: id }) => ({
      clientId,
      subject: subjectOf(id),
    }))
    const pictures = await findPictures(db, trackingBase, mails)
    return ({ message_id: id }: Stored) => ({ screenshot: pictures.get(subjectOf(id)) ?? null })
  }

  /** Completes a saved record with what was compiled. */
  async function keepCompiled(db: Db, record: Stored, compiled: Compilation): Promise<Message> {
    const { client_id: clientId, message_id: id } = record
    const urls = await keepLinks(db, clientId, id, compiled.links)
    await requestPicture(db, clientId, subjectOf(id))
    return { ...record, urls, warnings: compiled.warnings, screenshot: null }
  }

  function compile(db: Db, clientId: number, content: MessageContent): Promise<Compilation> {
    assertLanguages(content)
    return compileMessage(db, clientId, content, compiler)
  }

  async function preparePatch(
    ...[db, actor, scope, id, { urls, ...input }, options]: Parameters<MessageOperations['preparePatch']>
  ): ReturnType<MessageOperations['preparePatch']> {
    const before = await findStoredMessage(db, actor, scope, id)
    const { client_id: clientId } = before
    if (options.revision !== null && options.revision !== before.revision)
      throw new EmmaError('faulty_revision')
    const isContent = options.whole || urls !== undefined || contentFields.some(field => field in input)
    const fields = input.attachments
      ? { ...input, attachments: await completeAttachments(db, clientId, input.attachments) }
      : input
    const content = options.whole ? fields : { ...before, ...fields }
    const links = urls && urls.length > 0 ? urls : before.urls
    const compiled = isContent ? await compile(db, clientId, { ...content, urls: links }) : null
    const revision = compiled ? before.revision : options.revision
    return async tx => {
      await keepVersion(tx, clientId, id)
      const record = await standard.patch(tx, actor, scope, id, fields, { ...options, revision })
      if (!compiled) {
        await keepVersion(tx, clientId, id)
        return {
          ...record,
          urls: await findLinks(tx, clientId, id),
          warnings: [],
          ...(await picturesOf(tx, [record]))(record),
        }
      }
      const saved = await keepCompiled(tx, record, compiled)
      const changes = difference({ urls: before.urls }, saved, ['urls'])
      if (changes.urls)
        await logChange(tx, actor, { clientId, object: message.name, id, action: 'update', changes })
      await keepVersion(tx, clientId, id)
      return saved
    }
  }

  return {
    ...standard,
    preparePatch,
    async list(db, actor, scope, query) {
      const page = await standard.list(db, actor, scope, query)
      const pictures = await picturesOf(db, page.data)
      return {
        ...page,
        data: page.data.map(record => ({
          ...record,
          urls: [],
          warnings: [],
          bee_json: null,
          ...pictures(record),
        })),
      }
    },
    async find(db, actor, scope, id) {
      const record = await findStoredMessage(db, actor, scope, id)
      const pictures = await picturesOf(db, [record])
      return { ...record, warnings: await findWarnings(db, record), ...pictures(record) }
    },
    async create(db, actor, clientId, { urls = [], ...input }) {
      const owner = ownClient(actor, clientId ?? input.client_id ?? null)
      const attachments = await completeAttachments(db, owner, input.attachments ?? [])
      const fields = { ...input, attachments }
      const compiled = await compile(db, owner, { ...fields, urls })
      return transaction(db, async tx => {
        const made = await standard.create(tx, actor, clientId, fields, { user_id: actor.userId })
        const created = await keepCompiled(tx, made, compiled)
        await keepVersion(tx, made.client_id, made.message_id)
        return created
      })
    },
    patch(db, actor, scope, id, input, options) {
      return repeatIfChanged(options.revision, async () =>
        transaction(db, await preparePatch(db, actor, scope, id, input, options)),
      )
    },
    restore(db, actor, scope, id) {
      return transaction(db, async tx => {
        await standard.restore(tx, actor, scope, id)
        const { client_id: clientId } = await standard.find(tx, actor, scope, id)
        await requestPicture(tx, clientId, subjectOf(id))
      })
    },
  }
}

function subjectOf(id: number): PictureSubject {
  return `message/${id}`
}

/** One version of each language. @throws EmmaError `invalid` */
function assertLanguages({ lang, languages }: MessageContent): void {
  const all = [lang || 'en', ...languagesOf(languages).map(({ language }) => language)]
  const twice = all.find((each, index) => all.indexOf(each) < index)
  if (twice) throw invalid([fieldError('languages', 'field.language_twice', { lang: twice })])
}

export interface Link {
  link_index: number
  name: string
  url: string
  is_active: boolean
}

export function findLinks(db: Db, clientId: number, messageId: number): Promise<Link[]> {
  return db
    .selectFrom('message_link')
    .select(['link_index', 'name', 'url', 'is_active'])
    .where('client_id', '=', clientId)
    .where('message_id', '=', messageId)
    .orderBy('link_index')
    .execute()
}

async function keepLinks(
  db: Db,
  clientId: number,
  messageId: number,
  links: readonly LinkRow[],
): Promise<Link[]> {
  const rows = links.map(({ index, name, url, is_active }) => ({ link_index: index, name, url, is_active }))
  await db
    .deleteFrom('message_link')
    .where('client_id', '=', clientId)
    .where('message_id', '=', messageId)
    .execute()
  if (rows.length > 0)
    await db
      .insertInto('message_link')
      .values(rows.map(row => ({ ...row, client_id: clientId, message_id: messageId })))
      .execute()
  return rows
}
