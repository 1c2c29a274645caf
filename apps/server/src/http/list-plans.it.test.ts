import type { Resource } from '@emma/contract/define-resource.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { member } from '@emma/contract/resources/member.ts'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

/**
 * Reads the query plans of the statements that lists and lookups run, on tables filled by many clients: none may scan
 * a tenant table sequentially. Tables of up to two pages are excluded, as a full scan is fastest.
 */
const smallPages = 2

/** Rows of the requesting client, and of another one: a twentieth, as in an installation with twenty clients. */
const ownRows = 300
const otherRows = 6_000

interface Statement {
  text: string
  values: unknown[]
}

let app: TestApp
let ours: TestClient
let theirs: TestClient
let superadmin: string
let person: string
let tenantTables: Set<string>
let heard: Statement[] = []
let stopListening = () => {}

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  person = (await app.logIn({ clients: [ours.clientId], administrator: true })).token
  await listen()
  for (const resource of resources) if (resource.tenant) await fill(resource)
  await fillMembers()
  await app.pool.query('analyze')
  tenantTables = await readTenantTables()
})
afterAll(async () => {
  stopListening()
  await app.close()
})

describe.each(resources.map(resource => ({ name: resource.name, resource })))('$name', ({ resource }) => {
  const path = resource.paths[0]
  const list = () => path.replace('{client_id}', String(ours.clientId))

  test('R156 its list, by every filter, sort and search, scans no tenant’s table', async () => {
    const sorts = [...resource.sort, resource.key, 'created_at'].flatMap(field => [
      `orderby=${field}`,
      `orderby=${field}&desc=true`,
    ])
    const filters = Object.entries(resource.filters).map(
      ([name, { value }]) => `${name}=${encodeURIComponent(fitting(value))}`,
    )
    const queries = ['', 'search=Sample', `${resource.key}=${ours.ids[resource.name]}`, ...sorts, ...filters]
    for (const query of queries) await expectGoodPlans(`${list()}?limit=25&${query}`, person)
    for (const included of Object.keys(resource.included))
      await expectGoodPlans(`${list()}?limit=25&explicitly_included[]=${included}`, person)
  })

  test('R157 R161 so do a single record and its dry run, also with access to all clients', async () => {
    const one = `${list()}${ours.ids[resource.name]}`
    await expectGoodPlans(one, superadmin)
    heard = []
    await app.call('DELETE', `${one}?test`, { token: superadmin })
    await judge(`DELETE ${one}?test`)
  })
})

describe('members', () => {
  const members = () => `/v2/emma/client/${ours.clientId}/membertable/${ours.ids.membertable}/member/`
  // Counting a datasource scans up to 10,001 rows; the page must not.
  const isPage = (text: string) => !text.includes('count(*)')

  /**
   * Sorts without index, because every send, edit or import would have to maintain it (see docs/performance.md), and
   * values of custom columns. They read only the datasource of the path.
   */
  const unindexed = [
    'dateunjoin',
    'last_sent_at',
    'last_opened_at',
    'last_clicked_at',
    'created_at',
    'updated_at',
  ]

  test('R156 are listed, sorted and looked up by an index', async () => {
    const sorts = [...member.sort.filter(field => !unindexed.includes(field)), 'member_id']
    for (const field of sorts)
      for (const direction of ['', '&desc=true'])
        await expectGoodPlans(`${members()}?limit=25&orderby=${field}${direction}`, person, isPage)
    for (const query of ['', 'member_id=7', 'email=person.500@example.com', 'search=person.500@example.com'])
      await expectGoodPlans(`${members()}?limit=25&${query}`, person, isPage)
  })

  test('R170 are filtered by an index, for every filter', async () => {
    for (const [name, { value, operator, column }] of Object.entries(member.filters)) {
      if (operator === 'after' || operator === 'before')
        expect({ name, columns: Object.keys(member.fields) }).toMatchObject({
          name,
          columns: expect.arrayContaining([column]),
        })
      const query = `${name}=${encodeURIComponent(fitting(value))}`
      await expectGoodPlans(`${members()}?limit=25&${query}`, person, isPage)
    }
  })

  test('the rest reads only the datasource of the path', async () => {
    for (const query of [...unindexed.map(field => `orderby=${field}`), 'search=person']) {
      heard = []
      await app.call('GET', `${members()}?limit=25&${query}`, { token: person })
      const selects = heard.filter(({ text }) => /^\s*select/i.test(text))
      const scanned = await Promise.all(selects.map(explain))
      expect({ query, scanned: [...new Set(scanned.flat())] }).toEqual({
        query,
        scanned: [`t${ours.ids.membertable}`],
      })
    }
  })
})

test('the check fails where it should', async () => {
  await expect(
    explain({ text: 'select * from campaign where name like $1', values: ['%x%'] }),
  ).resolves.toEqual(['campaign'])
})

async function expectGoodPlans(
  url: string,
  token: string,
  concerns: (text: string) => boolean = () => true,
): Promise<void> {
  heard = []
  const answer = await app.call('GET', url, { token })
  if (answer.status >= 400 && answer.status !== 403) throw new Error(`${url}: ${answer.text}`)
  await judge(url, concerns)
}

async function judge(url: string, concerns: (text: string) => boolean = () => true): Promise<void> {
  const statements = heard.filter(
    ({ text }) => /^\s*(select|with)\b/i.test(text) && !/\bfor update\b/i.test(text) && concerns(text),
  )
  for (const statement of statements)
    expect({ url, text: statement.text, scanned: await explain(statement) }).toEqual({
      url,
      text: statement.text,
      scanned: [],
    })
}

/** Returns the tenant tables that a statement scans. */
async function explain({ text, values }: Statement): Promise<string[]> {
  const kept = heard
  const { rows } = await app.pool.query(`explain (format json) ${text}`, values)
  heard = kept
  const plan = z.array(z.object({ Plan: z.unknown() })).parse(rows[0]['QUERY PLAN'])
  return seqScans(plan[0]?.Plan).filter(table => tenantTables.has(table))
}

const node = z.looseObject({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  Plans: z.array(z.unknown()).default([]),
})

function seqScans(plan: unknown): string[] {
  const { 'Node Type': type, 'Relation Name': table, Plans: inner } = node.parse(plan)
  const own = type === 'Seq Scan' && table !== undefined ? [table] : []
  return [...own, ...inner.flatMap(seqScans)]
}

/** Records the statements of every connection of this process, including those for slow reads. */
async function listen(): Promise<void> {
  const client = await app.pool.connect()
  const connections: PoolClient = Object.getPrototypeOf(client)
  client.release()
  const query: (this: PoolClient, ...args: unknown[]) => unknown = Reflect.get(connections, 'query')
  Object.assign(connections, {
    query(this: PoolClient, ...args: unknown[]) {
      const [statement] = args
      const { text, values } = isPrepared(statement) ? statement : { text: statement, values: args[1] }
      if (typeof text === 'string') heard.push({ text, values: Array.isArray(values) ? values : [] })
      return query.apply(this, args)
    },
  })
  stopListening = () => Object.assign(connections, { query })
}

function isPrepared(statement: unknown): statement is { text: unknown; values: unknown } {
  return typeof statement === 'object' && statement !== null && 'text' in statement && 'values' in statement
}

/** Copies rows of the fixtures; unique texts are numbered. */
async function fill(resource: Resource): Promise<void> {
  heard = []
  await app.call('GET', `${resource.paths[0].replace('{client_id}', String(ours.clientId))}?limit=1`, {
    token: superadmin,
  })
  const table = heard.map(({ text }) => /from "(\w+)" as r/.exec(text)?.[1]).find(name => name !== undefined)
  if (table === undefined) throw new Error(`No table was read for ${resource.name}`)
  const columns = await app.pool.query<{ name: string; unique: boolean }>(
    `select column_name as name, data_type = 'text' and exists (
       select from pg_indexes i where i.tablename = c.table_name and i.indexdef like 'CREATE UNIQUE%'
         and i.indexdef ~ ('\\m' || column_name || '\\M')) and not exists (
       select from pg_constraint k where k.conrelid = c.table_name::regclass and k.contype = 'c'
         and pg_get_constraintdef(k.oid) ~ ('\\m' || column_name || '\\M')) as unique
     from information_schema.columns c
     where table_schema = 'public' and table_name = $1 and is_identity = 'NO' and is_generated = 'NEVER'`,
    [table],
  )
  const names = columns.rows.map(({ name }) => `"${name}"`)
  const values = columns.rows.map(({ name, unique }) => (unique ? `"${name}" || n` : `"${name}"`))
  for (const [client, count] of [
    [ours, ownRows],
    [theirs, otherRows],
  ] as const)
    await app.pool.query(
      `insert into "${table}" (${names.join(', ')})
       select ${values.join(', ')} from "${table}", generate_series(1, ${count}) as n
       where client_id = $1 and "${resource.key}" = $2
       on conflict do nothing`,
      [client.clientId, client.ids[resource.name]],
    )
}

/** A tenth has unsubscribed, a few bounced or complained, most have opened something. */
async function fillMembers(): Promise<void> {
  await sql`insert into ${sql.table(`members.t${ours.ids.membertable}`)}
      (client_id, email, datejoin, dateunjoin, hardbounced_at, complained_at, last_opened_at)
    select ${ours.clientId}, 'person.' || n || '@example.com', now() - n * interval '1 hour', case when n % 10 = 0 then now() end,
      case when n % 33 = 0 then now() end, case when n % 500 = 0 then now() end, case when n % 3 > 0 then now() end
    from generate_series(1, 20000) as n`.execute(app.db)
}

async function readTenantTables(): Promise<Set<string>> {
  const { rows } = await app.pool.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
     where c.relkind in ('r', 'p') and c.relpages > ${smallPages}`,
  )
  return new Set(rows.map(row => row.name))
}

const candidates = [
  '1',
  'true',
  '2026-01-31',
  'someone@example.com',
  'email',
  'html',
  'campaign',
  'bulk',
  'new',
  'testaddr',
  'public',
]

function fitting(value: z.ZodType): string {
  const own = value instanceof z.ZodEnum ? value.options.map(String) : []
  const found = [...own, ...candidates].find(each => value.safeParse(each).success)
  if (found === undefined) throw new Error('No value fits the filter')
  return found
}
