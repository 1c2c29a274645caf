import { fault, type FaultCode, type FaultValues, reasonOf } from '@emma/contract/faults.ts'
import { type EmmaError, type FieldError, invalid } from '@emma/contract/errors.ts'
import { languageVersions } from '@emma/contract/message-languages.ts'
import type { Db } from '@emma/db/connection.ts'
import { type Compilation, compilationOf } from '@emma/mail/template/compilation.ts'
import {
  compileLanguages,
  LanguageError,
  type LanguageSource,
} from '@emma/mail/template/compile-languages.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import { dataNames } from '@emma/mail/template/module-data.ts'
import { ContentError, type Part, type TemplateError } from '@emma/mail/template/template-error.ts'
import { sql } from 'kysely'
import { attachedSizes } from './attachments.ts'
import { imageSizes } from './image-sizes.ts'
import { findBrand } from './find-brand.ts'
import { findModules } from './find-modules.ts'

/** The fields of a message that determine its mail, saved or edited; absent ones are empty. */
export interface MessageContent {
  subject?: string | null | undefined
  preheader?: string | null | undefined
  body_long?: string | null | undefined
  body_mjml?: string | null | undefined
  body_text?: string | null | undefined
  charset?: string | null | undefined
  lang?: string | null | undefined
  is_tracked?: boolean | undefined
  urls?: readonly { name: string; url: string; is_active: boolean }[] | undefined
  attachments?: unknown
  languages?: unknown
}

/** Datasource whose columns a mail may show; null: the columns of all datasources of the client. */
type MemberTable = number | null

/** Columns of every datasource that a mail may show. */
const fixedColumns = ['member_id', 'email', 'datejoin', 'source']

/**
 * Compiles a client's content in all its languages; where this is done is up to the caller of the operations.
 * @throws ContentError if it cannot be compiled
 * @throws EmmaError `busy` if it would wait too long, `too_large` if it takes more time or memory than a template may
 */
export type CompileSource = (
  clientId: number,
  source: ContentSource,
  languages: readonly LanguageSource[],
) => Promise<Compilation>

/** Compiles on the calling thread: for background jobs, the command line and tests. */
export const compileHere: CompileSource = async (_clientId, source, languages) =>
  compilationOf(await compileLanguages(source, languages))

export interface Compiler {
  compile: CompileSource
  trackingBase: string
}

/**
 * Compiles a message record in all its languages, with the client's modules, the columns of its datasource and its link
 * switches.
 * @throws EmmaError `invalid` with errors of the fields (`subject`, `body_long` …) that name line and column; `busy` and
 * `too_large` of the compiler
 */
export async function compileMessage(
  db: Db,
  clientId: number,
  message: MessageContent,
  { compile, trackingBase }: Compiler,
  memberTableId: MemberTable = null,
): Promise<Compilation> {
  const source = await readContent(db, clientId, message, trackingBase, memberTableId)
  return withFieldErrors(source, () => compile(clientId, source, languagesOf(message.languages)))
}

/** Further languages of a message, as stored. */
export function languagesOf(value: unknown): LanguageSource[] {
  const { data = [] } = languageVersions.safeParse(value)
  return data.map(({ lang, subject, preheader, body_long, body_mjml, body_text }) => ({
    language: lang,
    subject,
    preheader: preheader ?? '',
    html: body_long ?? '',
    mjml: body_mjml ?? '',
    text: body_text ?? '',
  }))
}

/** The content of a message record, with the client's modules and columns. */
export async function readContent(
  db: Db,
  clientId: number,
  message: MessageContent,
  trackingBase: string,
  memberTableId: MemberTable = null,
): Promise<ContentSource> {
  const { subject, preheader, body_long, body_mjml, body_text, is_tracked = true, urls = [] } = message
  const { charset, lang } = message
  const attachments = await attachedSizes(db, clientId, message.attachments)
  const texts = [subject, preheader, body_long, body_mjml, body_text].map(text => text ?? '')
  const modules = await findModules(db, clientId, texts)
  const data = dataNames(modules)
  return {
    subject: subject ?? '',
    preheader: preheader ?? '',
    html: body_long ?? '',
    ...(body_mjml ? { mjml: body_mjml } : {}),
    text: body_text ?? '',
    modules,
    brand: await findBrand(db, clientId),
    known: {
      member: await findColumns(db, clientId, memberTableId),
      campaign: ['id', 'name'],
      client: ['name', 'imprint', 'address'],
      ...(data && { data }),
    },
    trackingBase,
    isTracked: is_tracked,
    links: urls,
    ...(attachments && { attachments }),
    images: await imageSizes(db, clientId, [
      ...[body_mjml, body_long].map(source => source ?? ''),
      ...languagesOf(message.languages).flatMap(({ mjml, html }) => [mjml ?? '', html]),
    ]),
    charset: charset || 'utf-8',
    language: lang || 'en',
    timeZone: await findTimeZone(db, clientId),
  }
}

/** Runs the compiler; converts its `ContentError` to errors of the message's fields. */
export async function withFieldErrors<T>(
  source: Pick<ContentSource, 'mjml'>,
  compile: () => Promise<T>,
): Promise<T> {
  try {
    return await compile()
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    const isOther = error instanceof LanguageError
    throw invalid(
      error.errors.map(one => ({
        ...fieldError(one, source.mjml !== undefined),
        ...(isOther && { field: 'languages' }),
      })),
    )
  }
}

async function findColumns(db: Db, clientId: number, memberTableId: MemberTable): Promise<string[]> {
  const rows = await sql<{ column_name: string }>`
    select distinct c.column_name
    from member_table_column c join member_table t using (client_id, member_table_id)
    where c.client_id = ${clientId} and t.deleted_at is null
      and t.member_table_id = coalesce(${memberTableId}::bigint, t.member_table_id)`.execute(db)
  return [...new Set([...fixedColumns, ...rows.rows.map(row => row.column_name)])]
}

async function findTimeZone(db: Db, clientId: number): Promise<string> {
  const client = await db
    .selectFrom('client')
    .select('timezone')
    .where('client_id', '=', clientId)
    .executeTakeFirst()
  return client?.timezone ?? 'UTC'
}

const fieldOfPart: Record<Part, string> = {
  subject: 'subject',
  preheader: 'preheader',
  html: 'body_long',
  text: 'body_text',
}

function fieldError({ part, line, column, fault: inner }: TemplateError, isMjml: boolean): FieldError {
  const field = isMjml && part === 'html' ? 'body_mjml' : fieldOfPart[part]
  return { field, ...fault('field.place', { part, line, column, fault: inner }) }
}

/**
 * Errors of a message's compilation as findings, listed beside its warnings.
 * @throws the error if it is not about the message
 */
export function templateFindings(error: EmmaError): {
  code: 'template'
  message: string
  reason: FaultCode
  values: FaultValues
}[] {
  const { code, fault: whole, fields } = error
  if (code === 'too_large' && whole) return [{ code: 'template', values: {}, ...reasonOf(whole) }]
  if (code !== 'invalid') throw error
  return fields.map(({ field, message, values }) => ({
    code: 'template',
    message: `${field}, ${message}`,
    reason: 'campaign.content',
    values: values ?? {},
  }))
}
