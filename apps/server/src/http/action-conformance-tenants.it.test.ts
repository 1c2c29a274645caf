import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ActionRecords, addActionRecords, addCaller, makeRecord } from '../test/action-records.ts'
import { type ActionSample, actionSamples, Key } from '../test/action-samples.ts'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { type TestRoute, testRoutes } from '../test/routes.ts'

/**
 * Calls every action with a valid sample: on own records it succeeds; with the key of another client's record in the
 * path, the query or the body it is rejected like an unknown key, reveals nothing of that client, and changes nothing
 * there. Sessions are cached, as in production.
 */

let app: TestApp
let superadmin: string
let ours: ActionRecords
let theirs: ActionRecords
let person: { token: string; own: ActionRecords }
/** Values that occur only in records of the other client. */
let theirValues: RegExp

beforeAll(async () => {
  // No receiver listens there, so a test message fails at once.
  app = await startTestApp({ EMMA_KEPT_SECONDS: '10', EMMA_TESTBED_SMTP_PORT: '1' })
  superadmin = await app.logInSuperadmin()
  ours = await addActionRecords(app, superadmin)
  theirs = await addActionRecords(app, superadmin)
  person = await addCaller(app, superadmin, ours)
  theirValues = await findTheirValues()
})
afterAll(() => app.close())

const routes = testRoutes.flatMap(route =>
  route.action === null ? [] : [{ ...route, samples: samplesOf(route.action.name) }],
)

test('the samples belong to existing actions', () => {
  const names = routes.map(({ action }) => action?.name)
  expect(Object.keys(actionSamples).filter(name => !names.includes(name))).toEqual([])
})

test.each(routes)('$title has a valid sample', ({ action, samples }) => {
  expect(samples.length).toBeGreaterThan(0)
  for (const { body, isForm } of samples)
    if (!isForm && action?.method !== 'GET')
      expect(action?.body.safeParse(fill(body ?? {}, () => 1)).error).toBeUndefined()
})

describe.each(routes)('$title', route => {
  const calls = route.samples.map(sample => ({ sample, parts: partsOf(route, sample) }))
  const withKeys = calls.filter(({ parts }) => keysOf(parts).length > 0)

  test('succeeds on own records and reveals nothing of another client', async () => {
    const wrong: unknown[] = []
    for (const { sample, parts } of calls) {
      const { token, records: kept } = await callerOf(sample)
      // What the call may delete is not used again.
      const records = { ...kept }
      for (const name of sample.fresh ?? []) records[name] = await makeRecord(name, app, superadmin, records)
      const { status, text } = await call(
        route,
        sample,
        fill(parts, ({ of }) => keyIn(records, of)),
        token,
      )
      const isExpected = status === (sample.status ?? route.action?.status ?? 200)
      const isForeign = sample.as !== 'superadmin' && theirValues.test(text)
      if (!isExpected || isForeign) wrong.push({ sample, status, text: text.slice(0, 300), isForeign })
    }
    expect(wrong).toEqual([])
  })

  test.runIf(withKeys.length > 0)('R151 accepts no key of another client', async () => {
    const before = await theirState()
    const wrong: unknown[] = []
    for (const { sample, parts } of withKeys) {
      const keys = keysOf(parts)
      const own = sample.as === 'account' ? person.own : ours
      for (const foreign of [...keys.map((_, index) => [index]), keys.map((_, index) => index)]) {
        const withForeign = (stranger: (of: string) => number | string) => {
          let at = -1
          return fill(parts, ({ of }) => {
            at += 1
            return foreign.includes(at) && !shared.has(of) ? stranger(of) : keyIn(own, of)
          })
        }
        if (foreign.every(index => shared.has(keys[index] ?? ''))) continue
        const asked = withForeign(of => keyIn(theirs, of))
        const answer = await call(route, sample, asked, person.token)
        const unknown = await call(route, sample, withForeign(nobodys), person.token)
        const mayAnswer = foreign.every(index => sample.ignores?.includes(keys[index] ?? ''))
        const fault = judge(answer, unknown, mayAnswer || isQuestion(route, sample))
        if (fault)
          wrong.push({
            fault,
            asked,
            status: answer.status,
            text: answer.text.slice(0, 300),
            unknown: [unknown.status, unknown.text.slice(0, 300)],
          })
      }
    }
    expect(wrong).toEqual([])
    expect(await theirState()).toEqual(before)
  })
})

/** Fault of a response to a call with a foreign key; null if none. */
function judge(answer: Answer, unknown: Answer, mayAnswer: boolean): string | null {
  if (theirValues.test(answer.text)) return 'shows a value of the other client'
  if (answer.status !== unknown.status) return 'another status than for a key that nobody has'
  if (answer.status >= 500) return 'broke'
  if (answer.status < 400 && !mayAnswer) return 'was not refused'
  if (withoutKeys(answer.text) !== withoutKeys(unknown.text))
    return 'another answer than for a key that nobody has'
  return null
}

/** Filters that match nothing return nothing. */
function isQuestion({ method }: TestRoute, { query }: ActionSample): boolean {
  return method === 'GET' && query !== undefined
}

/** Records of the installation: everybody with the permission may name them. */
const shared = new Set(['agb', 'bav', 'role', 'scd_rule', 'motd', 'guided_tour'])

function nobodys(of: string): number | string {
  if (of === 'session') return '00000000-0000-4000-8000-000000000000'
  return of === 'document' ? 'nobodys' : 999_999_999
}

/** The response may repeat the keys that were sent. */
function withoutKeys(text: string): string {
  const keys = [...Object.values(theirs), ...['', 'session', 'document'].map(nobodys)].map(String)
  return text
    .replaceAll(new RegExp(String.raw`\b(?:${keys.join('|')})\b`, 'g'), 'KEY')
    .replace(/"as_of":"[^"]*"/, '')
}

function samplesOf(name: string): readonly ActionSample[] {
  const samples = actionSamples[name] ?? []
  return 'at' in samples ? samples : [samples]
}

interface Parts {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

const owners: Partial<Record<string, string>> = {
  campaign_id: 'campaign',
  client_id: 'client',
  jti: 'session',
  mail_id: 'transactional_mail',
  member_id: 'member',
  member_table_id: 'membertable',
  message_id: 'webhook_message',
  recurring_id: 'recurring',
  share_id: 'share',
  token_id: 'api_token',
  version_id: 'message_version',
  document: 'document',
}

/** The sample with a key for every path parameter it does not name. */
function partsOf({ path }: TestRoute, { params = {}, query = {}, body = {} }: ActionSample): Parts {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return {
    params: Object.fromEntries(
      names.map(name => [name, params[name] ?? new Key(owners[name] ?? recordOf(path))]),
    ),
    query,
    body,
  }
}

const renamed: Partial<Record<string, string>> = {
  report: 'campaign',
  download: 'campaign',
  'v2/guided-tour:seen': 'guided_tour',
}

/** `/emma/report/{id}/recipients` → campaign, `/user:invite/{id}` → user. */
function recordOf(path: string): string {
  const before = path.slice(0, path.indexOf('/{id}')).split('/').at(-1) ?? ''
  if (before === 'scd-rule:undo') return 'scd_action'
  const [name = ''] = before.split(':')
  return renamed[name] ?? name.replaceAll('-', '_')
}

function keysOf(parts: unknown): string[] {
  const keys: string[] = []
  fill(parts, ({ of }) => {
    keys.push(of)
    return 0
  })
  return keys
}

/** The same with values in place of the keys. */
function fill<T>(part: T, valueOf: (key: Key) => number | string): T {
  const walk = (value: unknown): unknown => {
    if (value instanceof Key) return valueOf(value)
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each)]))
  }
  return walk(part) as T
}

function keyIn(records: ActionRecords, of: string): number | string {
  const id = records[of]
  if (id === undefined) throw new Error(`There is no key of a ${of}`)
  return id
}

async function callerOf({
  as,
}: ActionSample): Promise<{ token: string | undefined; records: ActionRecords }> {
  if (as === 'nobody') return { token: undefined, records: { ...ours } }
  if (as === 'superadmin') return { token: await app.logInSuperadmin(), records: { ...ours } }
  const { token, own } = as === 'account' ? await addCaller(app, superadmin, ours) : person
  return { token, records: { ...(as === 'account' ? own : ours) } }
}

let asked = 0

function call(
  route: TestRoute,
  { isForm }: ActionSample,
  { params, query, body }: Parts,
  token: string | undefined,
): Promise<Answer> {
  asked += 1
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const remoteAddress = `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`
  const url = search.size > 0 ? `${path}?${search.toString()}` : path
  if (route.method === 'GET') return app.call('GET', url, { token, remoteAddress })
  return app.call(route.method, url, { token, remoteAddress, ...(isForm ? formOf(body) : { body }) })
}

function formOf(body: unknown) {
  const part = (name: string, content: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
  const file = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\na@b.test\n\r\n--x--\r\n`
  return {
    payload: `${part('data', JSON.stringify(body))}${file}`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  }
}

/** Rows of a client in all tables: those with its key, and those of its user. */
async function selectRows(
  records: ActionRecords,
): Promise<{ table: string; which: ReturnType<typeof sql> }[]> {
  const { rows } = await sql<{ table: string; by: string }>`
    select attrelid::regclass::text as table,
      coalesce(max(attname) filter (where attname = 'client_id'), max(attname))::text as by
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attname in ('client_id', 'user_id') and relkind in ('r', 'p')
      and relnamespace in ('public'::regnamespace, 'members'::regnamespace)
    group by attrelid`.execute(app.db)
  return [
    ...rows.map(({ table, by }) => ({
      table,
      which: sql`${sql.ref(by)} = ${by === 'client_id' ? records.client : records.user}`,
    })),
    { table: 'app_user', which: sql`id = ${records.user}` },
  ]
}

/** All rows of the other client, by table, in one statement. */
async function theirState(): Promise<Record<string, string>> {
  const parts = (await selectRows(theirs)).map(
    ({ table, which }) =>
      sql`select ${table} as name, md5(coalesce(string_agg(t::text, ' ' order by t::text), '')) as state
        from ${sql.raw(table)} t where ${which}`,
  )
  const { rows } = await sql<{ name: string; state: string }>`${sql.join(parts, sql` union all `)}`.execute(
    app.db,
  )
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
}

async function findTheirValues(): Promise<RegExp> {
  const [own, foreign] = await Promise.all([ours, theirs].map(valuesOf))
  const alone = [...(foreign ?? [])].filter(value => !own?.has(value))
  expect(alone.length).toBeGreaterThan(50)
  const literal = alone.map(value => RegExp.escape(value))
  return new RegExp(String.raw`(?<![\w-])(?:${literal.join('|')})(?![\w-])`)
}

/** Text values in the client's records, without keys and times. */
async function valuesOf(records: ActionRecords): Promise<Set<string>> {
  const parts = (await selectRows(records)).map(
    ({ table, which }) => sql`select to_jsonb(t) as row from ${sql.raw(table)} t where ${which}`,
  )
  const { rows } = await sql<{ row: unknown }>`${sql.join(parts, sql` union all `)}`.execute(app.db)
  const words = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) walk(each)
    if (
      typeof value === 'string' &&
      value.length > 5 &&
      /[a-z]/i.test(value) &&
      !/^\d{4}-\d\d-\d\d/.test(value)
    )
      words.add(value)
  }
  for (const { row } of rows) walk(row)
  return words
}
