import { sql } from 'kysely'
import { countedMark } from '@emma/mail/template/counted-mark.ts'
import { countedSections, hasContent } from '@emma/mail/template/counted-sections.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countSegment } from '../audience/segments/count-segment.ts'
import { type Datasource, membersTable, readDatasource } from '../audience/datasources/datasource.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../test/audience.ts'
import { contentTests } from '@emma/mail/template/content-tests.ts'
import { setContactLanguage } from '../audience/preferences/contact-language.ts'
import { lacksContent } from './content-test.ts'

let audience: TestAudience
let source: Datasource

beforeAll(async () => {
  audience = await createTestAudience()
  const types = { city: 'string', age: 'int', score: 'decimal', vip: 'bool', born: 'date' } as const
  const id = await createTestDatasource(
    audience,
    Object.entries(types).map(([column_name, data_type]) => ({ column_name, data_type })),
  )
  source = await readDatasource(audience.database.db, audience.scope, id)
  await sql`insert into ${membersTable(id)} (client_id, email, city, age, score, vip, born)
    select ${audience.clientId}, 'p' || row_number() over () || '@example.com', city, age, age * 1.5, vip, born
    from unnest(${['Berlin', 'berlin', '', ' \u00a0\n', "O'Hara {{ x }}", '5', null]}::text[]) as city,
      unnest(${[null, 0, 5, -3]}::int[]) as age, unnest(${[null, true, false]}::boolean[]) as vip,
      unnest(${[null, '2026-01-02']}::date[]) as born`.execute(audience.database.db)
})
afterAll(() => audience.database.drop())

const values = ['"Berlin"', '""', '"5"', '5', '0', '-3', '7.5', 'true', 'false', 'nil', 'empty', 'blank']
const columns = ['city', 'age', 'score', 'vip', 'born']
const conditions = [
  ...columns.flatMap(column =>
    values.flatMap(value =>
      ['==', '!=', '<', '>=', 'contains'].map(operator => `member.${column} ${operator} ${value}`),
    ),
  ),
  ...columns.map(column => `member.${column}`),
  'member.city == "O\'Hara {{ x }}" or member.vip and member.age > 1',
  'member.vip and member.age > 1 or member.city == blank',
  'true and member.vip',
]

test('SQL decides the counted sections as the delivery does', async () => {
  const members = await sql<Record<string, unknown>>`
    select * from ${membersTable(source.member_table_id)} order by member_id`.execute(audience.database.db)
  let decided = 0
  for (const condition of conditions) {
    const branches = `{% if ${condition} %}${countedMark}{% elsif member.age == 5 %}x{% elsif member.vip %}${countedMark}{% endif %}`
    const counted = countedSections(branches, { language: 'en', timeZone: 'UTC' }, undefined)
    const without = lacksContent(contentTests(counted), audience.clientId, source.columns)
    if (!counted || !without) continue
    decided++
    const { rows } = await sql<{ without: boolean }>`
      select ${without} as without from ${membersTable(source.member_table_id)} as m order by member_id`.execute(
      audience.database.db,
    )
    const expected = members.rows.map(
      member => !hasContent(counted, { member, campaign: {}, client: {}, token: '', pageToken: '' }),
    )
    expect([condition, rows.map(row => row.without)]).toEqual([condition, expected])
  }
  expect(decided).toBe(129)
})

test('what SQL cannot decide is left to the delivery', () => {
  const decides = (column: string, value: string) =>
    lacksContent({ main: { column, is: '==', value }, others: {} }, audience.clientId, source.columns) !==
    null
  expect(decides('city', 'Berlin')).toBe(true)
  expect(decides('removed', 'Berlin')).toBe(false)
  expect(decides('born', '2026-01-02')).toBe(false)
  expect(decides('city', '\0')).toBe(false)
  expect(decides('city', '\ud800')).toBe(false)
  expect(lacksContent(null, audience.clientId, source.columns)).toBeNull()
})

test('the count of an audience tells who is shown no counted section, of own templates only', async () => {
  const { db } = audience.database
  const addMessage = async (client_id: number, body_long: string) => {
    const { message_id } = await db
      .insertInto('message')
      .values({ client_id, name: 'Offers', subject: 'Offers', body_long })
      .returning('message_id')
      .executeTakeFirstOrThrow()
    return message_id
  }
  const body = `{% if member.vip %}<table>${countedMark}<tr><td>Offer</td></tr></table>{% endif %}`
  const count = async (message_id: number) => {
    const question = { member_table_id: source.member_table_id, query: null, message_id }
    const { preblocked, estimated_volume } = await countSegment(db, audience.scope, question)
    return { ...preblocked, volume: estimated_volume }
  }
  expect(await count(await addMessage(audience.clientId, body))).toEqual({ no_content: 112, volume: 56 })
  expect(await count(await addMessage(audience.clientId, body.replace(countedMark, '')))).toEqual({
    volume: 168,
  })
  expect(await count(await addMessage(audience.foreign.clientId, body))).toEqual({ volume: 168 })
  expect(await count(await addMessage(audience.clientId, `${body}{% if %}`))).toEqual({ volume: 168 })
})

test('in each language its own counted sections decide', async () => {
  const { db } = audience.database
  const { clientId } = audience
  const section = (condition: string) => `{% if ${condition} %}<p>${countedMark}Offer</p>{% endif %}`
  const { message_id } = await db
    .insertInto('message')
    .values({
      client_id: clientId,
      name: 'Offers',
      subject: 'Offers',
      body_long: section('member.vip'),
      languages: JSON.stringify([
        { lang: 'de', subject: 'Angebote', body_long: section("member.city == 'Berlin'") },
        { lang: 'es', subject: 'Ofertas', body_long: '<p>Para todos</p>' },
      ]),
    })
    .returning('message_id')
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ email: string; city: string | null; vip: boolean | null }>`
    select email, city, vip from ${membersTable(source.member_table_id)} order by member_id`.execute(db)
  const languages = [null, 'de', 'es', 'en'] as const
  let skipped = 0
  for (const [at, { email, city, vip }] of rows.entries()) {
    const lang = languages[at % languages.length] ?? null
    if (lang) await setContactLanguage(db, clientId, email, lang)
    if (lang === 'de' ? city !== 'Berlin' : lang !== 'es' && vip !== true) skipped++
  }
  const question = { member_table_id: source.member_table_id, query: null, message_id }
  const counted = await countSegment(db, audience.scope, question)
  expect(counted.preblocked).toEqual({ no_content: skipped })
  expect(counted.estimated_volume).toBe(rows.length - skipped)
})
