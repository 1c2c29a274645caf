import { writeCondition } from '@emma/contract/conditions/write-condition.ts'
import { EmmaError } from '@emma/contract/errors.ts'
import {
  behaviourFields,
  type Operator,
  operatorsOf,
  type Rule,
  type RuleGroup,
  ruleQuery,
} from '@emma/contract/rules.ts'
import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  integer,
  letrec,
  oneof,
  option,
  record,
} from 'fast-check'
import { renderSegments } from '@emma/mail/segments.ts'
import { compileContent } from '@emma/mail/template/compile-content.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { membersTable, readDatasource, type Datasource } from '../datasources/datasource.ts'
import { createTestAudience, createTestDatasource, type TestAudience } from '../../test/audience.ts'
import { compileSegment } from './compile-segment.ts'
import { type Happened, type Person, satisfies, type Value } from './naive-evaluator.ts'
import { fromSegment, segmentMembers } from './segment-members.ts'

const columns = {
  city: 'string',
  note: 'text',
  age: 'int',
  score: 'decimal',
  vip: 'bool',
  born: 'date',
  seen: 'datetime',
  tier: 'enum',
} as const

/** Sample times differ from rule bounds by half a day, so that the duration of a test run does not matter. */
const now = new Date()
const daysAgo = (days: number) => new Date(now.getTime() - (days + 0.5) * 86_400_000).toISOString()
const dayOf = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10)

/** Values of members and rules. */
const samples: Record<keyof typeof columns, Value[]> = {
  city: [
    'Berlin',
    'Köln',
    'berlin',
    "O'Hara",
    '100%',
    'a_b',
    'back\\slash',
    'x"y',
    '{{ member.age }}%}',
    '<b>&quot;\u00a0“',
  ],
  note: ['lange Notiz', 'kurz', 'Berlin'],
  age: [0, 17, 18, 42, -5],
  score: [0, 1.5, 99.99, -3],
  vip: [true, false],
  born: [dayOf(0), dayOf(-3), dayOf(5), dayOf(365), '1980-02-28'],
  seen: [daysAgo(0), daysAgo(3), daysAgo(40), daysAgo(-3)],
  tier: ['gold', 'silver'],
}

let audience: TestAudience
let source: Datasource
const people = new Map<number, Person>()

beforeAll(async () => {
  audience = await createTestAudience()
  const id = await createTestDatasource(
    audience,
    Object.entries(columns).map(([column_name, data_type]) => ({
      column_name,
      data_type,
      options: data_type === 'enum' ? ['gold', 'silver', 'bronze'] : [],
    })),
  )
  source = await readDatasource(audience.database.db, audience.scope, id)
  await fill(id)
})
afterAll(() => audience.database.drop())

const verdicts = ['human', 'machine', 'apple_mpp'] as const
const devices = ['desktop', 'mobile']
const urls = ['https://example.com/a', 'https://example.com/b']
const eventTypes = {
  opened: 'open',
  clicked: 'click',
  bounced: 'bounce',
  unsubscribed: 'unsubscribe',
  complained: 'complaint',
} as const

/** Pseudo-random numbers with a fixed seed. */
function generator(): (below: number) => number {
  let seed = 42
  return below => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
}

async function fill(id: number): Promise<void> {
  const { db } = audience.database
  const client_id = audience.clientId
  const random = generator()
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const message = await db
    .insertInto('message')
    .values({ client_id, name: 'M' })
    .returning('message_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('message_link')
    .values(
      urls.map((url, link_index) => ({
        client_id,
        message_id: message.message_id,
        link_index,
        name: url,
        url,
      })),
    )
    .execute()
  const campaigns = await db
    .insertInto('campaign')
    .values(
      [1, 2, 3].map(n => ({ client_id, name: `C${n}`, campagne_id: n, message_id: message.message_id })),
    )
    .returning('campagne_id')
    .execute()
  const names = Object.keys(columns) as (keyof typeof columns)[]
  for (let n = 0; n < 60; n++) {
    const values = Object.fromEntries(names.map(name => [name, random(4) === 0 ? null : pick(samples[name])]))
    const made = await sql<{ member_id: number }>`
      insert into ${membersTable(id)} (client_id, email, ${sql.join(names.map(name => sql.id(name)))})
      values (${client_id}, ${`m${n}@example.com`}, ${sql.join(names.map(name => values[name]))})
      returning member_id`.execute(db)
    const member_id = made.rows[0]?.member_id ?? 0
    const happened: Happened[] = []
    for (const { campagne_id } of campaigns) {
      if (random(2) === 0) continue
      const ts = daysAgo(random(60))
      await db
        .insertInto('delivery')
        .values({ client_id, campagne_id, member_id, email: 'x', state: 'sent', recorded_at: ts })
        .execute()
      happened.push({ field: 'sent', ts, campagne_id })
    }
    for (let e = random(6); e > 0; e--) {
      const field = pick(Object.keys(eventTypes) as (keyof typeof eventTypes)[])
      const link_index = field === 'clicked' ? random(2) : null
      const event = {
        ts: daysAgo(random(60)),
        campagne_id: pick(campaigns).campagne_id,
        link_index,
        device: random(3) === 0 ? null : pick(devices),
        verdict: pick(verdicts),
      }
      await db
        .insertInto('event')
        .values({ client_id, member_id, type: eventTypes[field], ...event })
        .execute()
      happened.push({ field, ...event, url: link_index === null ? null : (urls[link_index] ?? null) })
    }
    people.set(member_id, { values, happened })
  }
}

async function matching(query: RuleGroup): Promise<number[]> {
  const found = await sql<{ member_id: number }>`
    select m.member_id ${fromSegment(source, { query, include_unsubscribed: true })} order by 1`.execute(
    audience.database.db,
  )
  return found.rows.map(row => row.member_id)
}

function expected(query: RuleGroup): number[] {
  return [...people].filter(([, person]) => satisfies(query, person, now)).map(([id]) => id)
}

/** Arbitrary rule over a field: any operator of its type, with a suitable value. */
function ruleFor(field: string, type: keyof typeof operatorsOf, values: readonly Value[]) {
  const one = constantFrom(...values)
  const days = integer({ min: 0, max: 50 })
  return constantFrom(...operatorsOf[type]).chain((operator: Operator) => {
    const value = {
      null: constant(undefined),
      notNull: constant(undefined),
      in: array(one, { minLength: 1, maxLength: 3 }),
      notIn: array(one, { minLength: 1, maxLength: 3 }),
      between: array(one, { minLength: 2, maxLength: 2 }),
      notBetween: array(one, { minLength: 2, maxLength: 2 }),
      inLast: days,
      notInLast: days,
      inNext: days,
      anniversary: constantFrom(0, 3, 5),
    }[operator as 'null']
    return record({
      field: constant(field),
      operator: constant(operator),
      value: value ?? one,
      muted: constantFrom(false, false, false, true),
    })
  })
}

const fieldRules = Object.entries(columns).map(([field, type]) =>
  ruleFor(field, type, samples[field as keyof typeof columns]),
)
const campaignRule = ruleFor('campagne_id', 'int', [1, 2, 3, 99])
const tsRule = ruleFor('ts', 'datetime', [daysAgo(10), daysAgo(20), daysAgo(50)])
const innerRules = {
  sent: [campaignRule, tsRule],
  bounced: [campaignRule, tsRule],
  unsubscribed: [campaignRule, tsRule],
  complained: [campaignRule, tsRule],
  opened: [campaignRule, tsRule, ruleFor('device', 'enum', devices), ruleFor('verdict', 'enum', verdicts)],
  clicked: [
    campaignRule,
    tsRule,
    ruleFor('device', 'enum', devices),
    ruleFor('link_index', 'int', [0, 1]),
    ruleFor('url', 'string', urls),
  ],
}

const behaviourRules = behaviourFields.map(field =>
  record({
    field: constant(field),
    operator: constant<Operator>('='),
    match: record({
      mode: constantFrom('all', 'some', 'none', 'atLeast', 'atMost', 'exactly'),
      threshold: option(integer({ min: 0, max: 3 }), { nil: undefined }),
    }),
    value: record({
      combinator: constantFrom('and', 'or', 'xor'),
      not: constantFrom(undefined, false, true),
      rules: array(oneof(...innerRules[field]), { maxLength: 3 }),
    }),
    muted: constant(false),
  }),
)

const { group } = letrec(tie => ({
  group: record({
    combinator: constantFrom('and', 'or', 'xor'),
    not: constantFrom(undefined, false, true),
    rules: array(
      oneof({ depthSize: 'small', withCrossShrink: true }, ...fieldRules, ...behaviourRules, tie('group')),
      { maxLength: 4 },
    ),
  }),
}))

test('compiled SQL selects the same members as the naive evaluator', async () => {
  await assert(
    asyncProperty(group, async drawn => {
      const query = ruleQuery.parse(JSON.parse(JSON.stringify(drawn)))
      expect(await matching(query)).toEqual(expected(query))
    }),
    { numRuns: 300 },
  )
})

const types = new Map(Object.entries(columns))
const dayRules = ruleFor('seen', 'datetime', [dayOf(0), dayOf(3), dayOf(40), '1980-02-28'])
const { plain } = letrec(tie => ({
  plain: record({
    combinator: constantFrom('and', 'or', 'xor'),
    not: constantFrom(undefined, false, true),
    rules: array(
      oneof({ depthSize: 'small', withCrossShrink: true }, ...fieldRules, dayRules, tie('plain')),
      {
        maxLength: 4,
      },
    ),
  }),
}))

/** Members who are shown a block with this condition. */
async function shown(condition: string): Promise<number[]> {
  const { html } = await compileContent({
    subject: 'S',
    preheader: '',
    html: `<p>{% if ${condition} %}shown{% endif %}</p>`,
    text: '-',
    modules: [],
    known: { member: [...types.keys()] },
    trackingBase: 'https://t.example',
    isTracked: false,
    timeZone: 'UTC',
  })
  const { rows } = await sql<{ member_id: number }>`
    select * from ${membersTable(source.member_table_id)} order by member_id`.execute(audience.database.db)
  return rows
    .filter(member =>
      renderSegments(html, {
        member: { ...member },
        campaign: {},
        client: {},
        token: '',
        pageToken: '',
      }).includes('shown'),
    )
    .map(row => row.member_id)
}

test('a condition of Liquid shows a block to the members of the segment', async () => {
  let written = 0
  await assert(
    asyncProperty(plain, async drawn => {
      const query = ruleQuery.parse(JSON.parse(JSON.stringify(drawn)))
      const condition = writeCondition(query, types)
      if (condition === null || condition === '') return
      written++
      expect(await shown(condition)).toEqual(await matching(query))
    }),
    { numRuns: 200 },
  )
  expect(written).toBeGreaterThan(60)
})

const clock = { timezone: 'UTC', at: null }
const and = (...rules: (Rule | RuleGroup)[]): RuleGroup => ({ combinator: 'and', rules })

test('R288 a click counts for the link that was sent, not for the current template', async () => {
  const { db } = audience.database
  const clicked = (url: string) =>
    and({
      field: 'clicked',
      operator: '=',
      match: { mode: 'atLeast', threshold: 1 },
      value: and(
        { field: 'url', operator: '=', value: url },
        { field: 'campagne_id', operator: '=', value: 1 },
      ),
    })
  const [first = '', second = ''] = urls
  const [ofFirst, ofSecond] = [await matching(clicked(first)), await matching(clicked(second))]
  expect(ofFirst).not.toEqual(ofSecond)
  // When campaign 1 was sent, the template had the two links in reverse order.
  const links = [second, first].map((url, index) => ({ index, name: url, url, is_active: true }))
  const setSnapshot = (snapshot: string | null) =>
    db.updateTable('campaign').set({ snapshot }).where('campagne_id', '=', 1).execute()
  await setSnapshot(JSON.stringify({ links }))
  try {
    expect(await matching(clicked(first))).toEqual(ofSecond)
    expect(await matching(clicked(second))).toEqual(ofFirst)
  } finally {
    await setSnapshot(null)
  }
})

test('an empty query selects every active member', async () => {
  const { db } = audience.database
  const members = await segmentMembers(db, audience.scope, {
    ...source,
    query: null,
    include_unsubscribed: false,
  })
  expect((await sql`select * from (${members}) as s`.execute(db)).rows).toHaveLength(people.size)
  const first = [...people.keys()][0]
  await sql`update ${membersTable(source.member_table_id)} set dateunjoin = now() where member_id = ${first}`.execute(
    db,
  )
  expect((await sql`select * from (${members}) as s`.execute(db)).rows).toHaveLength(people.size - 1)
  await sql`update ${membersTable(source.member_table_id)} set dateunjoin = null`.execute(db)
})

test('bounds in reverse order are swapped, also as comma-separated text', async () => {
  const rule = { field: 'age', operator: 'between' } as const
  const plain = await matching(and({ ...rule, value: [10, 50] }))
  expect(plain.length).toBeGreaterThan(0)
  expect(await matching(and({ ...rule, value: [50, 10] }))).toEqual(plain)
  expect(await matching(and({ ...rule, value: '50,10' }))).toEqual(plain)
})

test('a date compared with a time means the whole day', async () => {
  const seen = [...people.values()].find(person => person.values['seen'] !== null)?.values['seen']
  const day = String(seen).slice(0, 10)
  const found = await matching(and({ field: 'seen', operator: '=', value: day }))
  const same = [...people]
    .filter(([, person]) => String(person.values['seen']).startsWith(day))
    .map(([id]) => id)
  expect(found).toEqual(same)
})

test.for<[string, Rule | RuleGroup, string]>([
  ['field', { field: 'shoe', operator: '=', value: 1 }, 'query.rules.0.field: unknown field "shoe"'],
  ['SQL as field', { field: 'age) or (1=1', operator: '=', value: 1 }, 'query.rules.0.field: unknown field'],
  [
    'prototype as field',
    { field: '__proto__', operator: '=', value: 1 },
    'query.rules.0.field: unknown field',
  ],
  [
    'operator',
    { field: 'vip', operator: 'contains', value: 'x' },
    'query.rules.0.operator: "contains" does not fit the field "vip" (bool)',
  ],
  [
    'number',
    { field: 'age', operator: '>', value: 'old' },
    'query.rules.0.value: of "age" must be a whole number',
  ],
  [
    'date',
    { field: 'born', operator: '=', value: '2026-02-31' },
    'query.rules.0.value: of "born" must be a date',
  ],
  ['missing value', { field: 'city', operator: '=' }, 'query.rules.0.value: of "city" needs a value'],
  ['pair', { field: 'age', operator: 'between', value: [1] }, 'of "age" needs two values'],
  ['behaviour', { field: 'danced', operator: '=', match: { mode: 'some' } }, 'unknown behaviour "danced"'],
  [
    'field of a behaviour',
    {
      field: 'sent',
      operator: '=',
      match: { mode: 'some' },
      value: and({ field: 'url', operator: '=', value: 'x' }),
    },
    'query.rules.0.value.rules.0.field: unknown field "url"; there are: ts, campagne_id',
  ],
])('an invalid %s is reported with its path', ([, rule, message]) => {
  expect(() => compileSegment(and(rule), source.columns, source.client_id, clock)).toThrow(EmmaError)
  expect(() => compileSegment(and(rule), source.columns, source.client_id, clock)).toThrow(message)
})

test('21 levels of groups are rejected by compiler and contract', () => {
  let query = and({ field: 'age', operator: '=', value: 1 })
  for (let level = 0; level < 20; level++) query = and(query)
  expect(() => compileSegment(query, source.columns, source.client_id, clock)).toThrow(
    'is nested too deeply: at most 20 levels of groups',
  )
  for (let level = 0; level < 30; level++) query = and(query)
  expect(ruleQuery.safeParse(query).error?.issues[0]).toMatchObject({ message: 'field.groups_too_deep' })
})

test('values never become SQL', () => {
  const { condition } = compileSegment(
    and({ field: 'city', operator: '=', value: "'; drop table client; --" }),
    source.columns,
    source.client_id,
    clock,
  )
  const compiled = sql`select ${condition}`.compile(audience.database.db)
  expect(compiled.sql).not.toContain('drop')
  expect(compiled.parameters).toContain("'; drop table client; --")
})

test('another client cannot use this datasource', async () => {
  const { foreign } = audience
  await expect(
    segmentMembers(audience.database.db, foreign.scope, {
      ...source,
      query: null,
      include_unsubscribed: false,
    }),
  ).rejects.toThrow('There is no such datasource')
})
