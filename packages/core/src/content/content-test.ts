import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { Db } from '@emma/db/connection.ts'
import { contentTestsOf } from '@emma/mail/template/compile-languages.ts'
import type { ContentTests } from '@emma/mail/template/content-tests.ts'
import type { ContentTest } from '@emma/mail/template/counted-sections.ts'
import { type RawBuilder, sql } from 'kysely'
import { addressKeyOf } from '../audience/address.ts'
import { languagesOf, readContent } from './compile-message.ts'

/**
 * The conditions on members to be shown a counted section of a message. A message without counted sections costs one
 * small query.
 * @returns null if there are none, or the delivery decides (see ADR 15)
 */
export async function readContentTests(
  db: Db,
  clientId: number,
  messageId: number,
): Promise<ContentTests | null> {
  const { rows } = await sql<{ message_id: number }>`
    select x.message_id from message as x
    where x.client_id = ${clientId}::bigint and x.message_id = ${messageId}::bigint and x.deleted_at is null
      and (concat(x.body_mjml, x.body_long, x.body_text, x.languages) ~ ${MARK} or exists (
        select from placeholder as p
        where p.client_id = x.client_id and p.deleted_at is null and p.body::text ~ ${MARK}))`.execute(db)
  if (rows.length === 0) return null
  const message = await db
    .selectFrom('message')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('message_id', '=', messageId)
    .executeTakeFirstOrThrow()
  const content = await readContent(db, clientId, message, 'https://tracking.invalid')
  return contentTestsOf(content, languagesOf(message.languages))
}

const MARK = '\\{%-?\\s*#\\s*counted'

/**
 * SQL condition: a member (alias m) is shown no counted section in the language of their address, as Liquid evaluates
 * the tests.
 * @returns null if there are no tests, or SQL does not decide one as Liquid does
 */
export function lacksContent(
  tests: ContentTests | null | undefined,
  clientId: number,
  columns: readonly MemberColumn[],
): RawBuilder<boolean> | null {
  if (!tests) return null
  const main = conditionOf(tests.main, columns)
  if (!main) return null
  const branches: RawBuilder<unknown>[] = []
  for (const [language, test] of Object.entries(tests.others)) {
    const condition = conditionOf(test, columns)
    if (!condition) return null
    branches.push(sql`when ${language} then ${condition}`)
  }
  if (branches.length === 0) return sql<boolean>`not ${main}`
  return sql<boolean>`not case (
    select chosen.lang from contact_language as chosen
    where chosen.client_id = ${clientId} and chosen.address = ${addressKeyOf(sql.ref('m.email'))}
  ) ${sql.join(branches, sql` `)} else ${main} end`
}

function conditionOf(test: ContentTest, columns: readonly MemberColumn[]): RawBuilder<boolean> | null {
  if ('not' in test) {
    const inner = conditionOf(test.not, columns)
    return inner && sql`(not ${inner})`
  }
  if ('column' in test) return columnCondition(test, columns)
  const isAll = 'all' in test
  const parts = (isAll ? test.all : test.any).map(part => conditionOf(part, columns))
  const known = parts.filter(part => part !== null)
  if (known.length < parts.length) return null
  return sql`(${sql.join([sql.lit(isAll), ...known], isAll ? sql` and ` : sql` or `)})`
}

type ColumnTest = Extract<ContentTest, { column: string }>

/** Never NULL. */
function columnCondition(test: ColumnTest, columns: readonly MemberColumn[]): RawBuilder<boolean> | null {
  const type = columns.find(({ column_name }) => column_name === test.column)?.data_type
  if (type === undefined) return null
  const kind = kinds[type]
  const column = sql.ref(`m.${test.column}`)
  if (!('value' in test)) return wordCondition(test.is, kind, column)
  const { is, value } = test
  if (kind === 'time') return null
  if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) return null
  if (is === 'contains') {
    if (kind !== 'text' || typeof value !== 'string') return null
    return sql`coalesce(strpos(${column}::text, ${value}::text) > 0, false)`
  }
  if (is === '==') {
    if (typeof value !== jsTypes[kind]) return sql`false`
    const cast = sql.raw(sqlTypes[kind])
    return sql`coalesce(${column}::${cast} = ${value}::${cast}, false)`
  }
  if (kind !== 'number' || typeof value !== 'number') return null
  // An empty value compares as 0.
  return sql`(coalesce(${column}::float8, 0) ${sql.raw(is)} ${value}::float8)`
}

const kinds = {
  string: 'text',
  text: 'text',
  email: 'text',
  enum: 'text',
  int: 'number',
  decimal: 'number',
  bool: 'truth',
  date: 'time',
  datetime: 'time',
} as const
type Kind = (typeof kinds)[keyof typeof kinds]

const jsTypes = { text: 'string', number: 'number', truth: 'boolean' } as const
const sqlTypes = { text: 'text', number: 'float8', truth: 'boolean' } as const

function wordCondition(
  is: 'truthy' | 'nil' | 'empty' | 'blank',
  kind: Kind,
  column: RawBuilder<unknown>,
): RawBuilder<boolean> {
  switch (is) {
    case 'truthy':
      return kind === 'truth' ? sql`coalesce(${column}, false)` : sql`(${column} is not null)`
    case 'nil':
      return sql`(${column} is null)`
    case 'empty':
      return kind === 'text' ? sql`coalesce(${column}::text = '', false)` : sql`false`
    case 'blank':
      if (kind === 'truth') return sql`(not coalesce(${column}, false))`
      if (kind === 'text') return sql`coalesce(btrim(${column}::text, ${WHITE_SPACE}) = '', true)`
      return sql`(${column} is null)`
  }
}

/** What `\s` matches in JavaScript. */
const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
