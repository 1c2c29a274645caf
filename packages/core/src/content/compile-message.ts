import { fault, type FaultCode, type FaultValues } from '@emma/contract/faults.ts'
import { type EmmaError, type FieldError, invalid } from '@emma/contract/errors.ts'
import type { Db } from '@emma/db/connection.ts'
import { type CompiledContent, compileContent } from '@emma/mail/template/compile-content.ts'
import type { ContentSource } from '@emma/mail/template/content-source.ts'
import { ContentError, type Part, type TemplateError } from '@emma/mail/template/template-error.ts'
import { sql } from 'kysely'
import type { Fields } from '../resource/operations.ts'
import { findBrand } from './find-brand.ts'
import { findModules } from './find-modules.ts'

/** Datasource whose columns a mail may show; null: the columns of all datasources of the client. */
type MemberTable = number | null

/** Columns of every datasource that a mail may show. */
const fixedColumns = ['member_id', 'email', 'datejoin', 'source']

/**
 * Compiles a message record with the client's modules, the columns of its datasource and its link switches.
 * @throws EmmaError `invalid` with errors of the fields (`subject`, `body_long` …) that name line and column
 */
export async function compileMessage(
  db: Db,
  clientId: number,
  message: Fields,
  trackingBase: string,
  memberTableId: MemberTable = null,
): Promise<CompiledContent> {
  const source = await readContent(db, clientId, message, trackingBase, memberTableId)
  return withFieldErrors(source, () => compileContent(source))
}

/** The content of a message record, with the client's modules and columns. */
export async function readContent(
  db: Db,
  clientId: number,
  message: Fields,
  trackingBase: string,
  memberTableId: MemberTable = null,
): Promise<ContentSource> {
  const mjml = textOf(message.body_mjml)
  return {
    subject: textOf(message.subject),
    preheader: textOf(message.preheader),
    html: textOf(message.body_long),
    ...(mjml === '' ? {} : { mjml }),
    text: textOf(message.body_text),
    modules: await findModules(db, clientId),
    brand: await findBrand(db, clientId),
    known: {
      member: await findColumns(db, clientId, memberTableId),
      campaign: ['id', 'name'],
      client: ['name', 'imprint', 'address'],
    },
    trackingBase,
    isTracked: message.is_tracked !== false,
    links: linksOf(message.urls),
    language: textOf(message.lang) || 'en',
  }
}

/** Runs the compiler; converts its `ContentError` to errors of the message's fields. */
export async function withFieldErrors<T>(source: ContentSource, compile: () => Promise<T>): Promise<T> {
  try {
    return await compile()
  } catch (error) {
    if (!(error instanceof ContentError)) throw error
    throw invalid(error.errors.map(one => fieldError(one, source.mjml !== undefined)))
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

function linksOf(urls: unknown) {
  if (!Array.isArray(urls)) return []
  return urls.map((link: Fields) => ({
    name: textOf(link.name),
    url: textOf(link.url),
    is_active: link.is_active !== false,
  }))
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

/** Compile errors of a message as findings, listed beside its warnings. */
export function templateFindings({ fields }: EmmaError): {
  code: 'template'
  message: string
  reason: FaultCode
  values: FaultValues
}[] {
  return fields.map(({ field, message, values }) => ({
    code: 'template',
    message: `${field}, ${message}`,
    reason: 'campaign.content',
    values: values ?? {},
  }))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
