import { gzipSync } from 'node:zlib'
import { actions } from '@emma/contract/action-list.ts'
import type { Action } from '@emma/contract/define-action.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'
import { brokenBodies, hostileQueryValues, queryNamesOf, readAs, refusalOf } from '../test/hostile-values.ts'
import { parseQuery } from './parse.ts'

/**
 * What every action owes, whatever it does: from the contract, so that new ones are covered by themselves. Who may call it:
 * access-matrix.it.test.ts; that none takes records of another client: action-conformance-tenants.it.test.ts. Sessions are
 * cached, as shipped.
 */

let app: TestApp
let ours: TestClient
let superadmin: string
let person: string

beforeAll(async () => {
  app = await startTestApp({ EMMA_KEPT_SECONDS: '10' })
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  person = (await app.logIn({ clients: [ours.clientId], administrator: true })).token
})
afterAll(() => app.close())

/** One parser reads all bodies: of an account, of a record, and as large as the installation allows. */
const withParserCases = ['changePassword', 'verifyDomain', 'render']

let asked = 0

/** Actions with fewer calls a minute count by address: each call comes from one of its own. */
function call(action: Action, path: string, token: string | undefined, sent: Sent = {}): Promise<Answer> {
  asked += 1
  const remoteAddress = `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}`
  const hasBody = action.method !== 'GET'
  return app.call(action.method, path, {
    token,
    remoteAddress,
    ...(hasBody ? { payload: sent.payload ?? '{}' } : {}),
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...sent.headers },
  })
}

interface Sent {
  payload?: string | Buffer
  headers?: Record<string, string>
}

const routes = actions.flatMap(action =>
  action.paths.map(path => ({ title: `${action.method} ${path}`, action, path })),
)

describe.each(routes)('$title', ({ action, path }) => {
  const ourPath = () => fill(path, ours)
  const reads = action.method === 'GET'
  const hasParserCases = withParserCases.includes(action.name)

  test.runIf(path.includes('{'))('finds only keys, whatever stands in their place', async () => {
    for (const wrong of hasParserCases ? wrongKeys : wrongKeys.slice(0, 3)) {
      const url = path.replaceAll(/\{\w+\}/g, wrong)
      judge(await call(action, url, superadmin), url)
    }
  })

  test.runIf(!reads)('refuses hostile bodies by field, and never breaks', async () => {
    const bodies = hasParserCases ? [...unknownFields, ...brokenBodies] : unknownFields
    for (const payload of bodies) {
      const answer = await call(action, ourPath(), superadmin, { payload })
      judge(answer, `${payload.slice(0, 60)} → ${answer.text.slice(0, 200)}`)
    }
    judge(await call(action, ourPath(), superadmin, { headers: { 'x-revision': 'stale' } }), 'a revision')
    if (!hasParserCases) return
    const packed = { 'content-encoding': 'gzip' }
    judge(await call(action, ourPath(), superadmin, { payload: bomb, headers: packed }), 'a gzip bomb')
    judge(await call(action, ourPath(), superadmin, { payload: 'no gzip', headers: packed }), 'no gzip')
  })

  test.runIf(reads)('refuses hostile queries by parameter, and never breaks', async () => {
    const others = ['nonsense', '__proto__', 'client_id', 'client_id[]', 'explicitly_included[]']
    const queries = [
      ...queryNamesOf(action.query).flatMap(name =>
        queryValuesPast(action.query, name).map(value => ({ name, value })),
      ),
      // What an action does not name it leaves unread, or hands to the one reader of lists (conformance.it.test.ts).
      ...others.map(name => ({ name, value: '9223372036854775808' })),
    ]
    for (const { name, value } of queries) {
      const url = `${ourPath()}?${encodeURIComponent(name)}=${encodeURIComponent(value)}`
      const answer = await call(action, url, person)
      judge(answer, `${url} → ${answer.text.slice(0, 200)}`)
    }
  })

  test('keeps its temper with whatever its contract takes', async () => {
    const schema = reads ? action.query : action.body
    const names = bodyNames(action)
    const values = fc.sample(anything(), { numRuns: 60, seed })
    const isTaken = (body: Record<string, unknown>) =>
      reads
        ? refusalOf(() => parseQuery(schema, body)) === null
        : readAs(schema, JSON.stringify(body)).refusal === null
    const fitting = names
      .flatMap(name => values.map(value => ({ [name]: reads ? asText(value) : value })))
      .filter(isTaken)
    // What needs several fields at once is called with them in action-conformance-tenants.it.test.ts.
    const part = fc.constantFrom(...(fitting.length > 0 ? fitting : [{ [names[0] ?? 'name']: 'x' }]))
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async parts => {
        const body: Record<string, string> = Object.assign({}, ...parts)
        const answer = reads
          ? await call(action, `${ourPath()}?${String(new URLSearchParams(body))}`, superadmin)
          : await call(action, ourPath(), superadmin, { payload: JSON.stringify(body) })
        judge(answer, `${JSON.stringify(body).slice(0, 200)} → ${answer.text.slice(0, 200)}`)
      }),
      { numRuns: 4, seed },
    )
  })
})

/** Refusals name what they refuse; nothing is the server's fault (503: what the installation lacks in a test, such as jobs). */
function judge({ status, error, text }: Answer, what: string): void {
  expect({ what, isBroken: status >= 500 && status !== 503 }).toEqual({ what, isBroken: false })
  expect({
    what,
    leaksSql: /\b(select|insert into|update \w+ set|relation ")\b/i.test(text) && status >= 400,
  }).toEqual({
    what,
    leaksSql: false,
  })
  if (status !== 422 || error === null) return
  expect({ what, isNamed: (error.fields ?? []).length > 0 || error.error.length > 15 }).toEqual({
    what,
    isNamed: true,
  })
}

const seed = 20_261_121

/** The first three for every path; what the router itself cannot decode does not depend on the path. */
const wrongKeys = [
  'abc',
  '99999999999999999999',
  '%00',
  '-1',
  '1e3',
  '%FF',
  '%',
  '%E0%A4',
  '1%27',
  '..%2f..%2fetc',
  '%0d%0a',
]

const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '), { level: 1 })

/** What no action knows, and what none may be given. Fields that they do know: hostile-fields.test.ts. */
const unknownFields = [
  '{"nonsense":1}',
  '{"__proto__":{"superadmin":true}}',
  '{"name":"a\\u0000b"}',
  '{"limit":1e400}',
]

/** Values of a parameter that the contract takes, and the first that it does not. */
function queryValuesPast(query: z.ZodType, name: string): string[] {
  const isTaken = (value: string) => refusalOf(() => parseQuery(query, { [name]: value })) === null
  const refused = hostileQueryValues.filter(value => !isTaken(value))
  return [...hostileQueryValues.filter(isTaken), ...refused.slice(0, 1)]
}

/** Keys of the client's own records where the name says whose, else any small number. */
function fill(path: string, { clientId, ids }: TestClient): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'client_id') return String(clientId)
    if (name === 'campaign_id') return String(ids.campaign)
    if (name === 'member_table_id') return String(ids.membertable)
    if (name === 'id') return String(ids[recordOf(path)] ?? 1)
    return 'language' === name ? 'en' : '1'
  })
}

function recordOf(path: string): string {
  const before = path.slice(0, path.indexOf('{id}')).split('/').filter(Boolean).at(-1) ?? ''
  return before === 'report' || before === 'download' ? 'campaign' : before
}

function bodyNames(action: Action): string[] {
  const own = action.body instanceof z.ZodObject ? Object.keys(action.body.shape) : []
  const names = action.method === 'GET' ? queryNamesOf(action.query) : own
  return [...names, 'name', 'limit', 'client_id']
}

function anything() {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(null, '', true, 0, 1, -1, 2_147_483_648, 'a@b.test', '2026-01-01', [1], ['a'], {}),
  )
}

function asText(value: unknown): string {
  return String(JSON.stringify(value)).toWellFormed()
}
