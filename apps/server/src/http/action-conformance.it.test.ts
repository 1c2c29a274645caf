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
 * General requirements on every action, derived from the contract, so that new actions are covered. Callers:
 * access-matrix.it.test.ts; records of other clients: action-conformance-tenants.it.test.ts. Sessions are cached, as
 * in production.
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

/** One parser reads all bodies: of an account, of a record, and of the largest size. */
const withParserCases = ['changePassword', 'verifyDomain', 'render']

let asked = 0

/** Actions with a lower rate limit count by address: each call has its own. */
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

  test.runIf(path.includes('{'))('accepts only valid keys', async () => {
    for (const wrong of hasParserCases ? wrongKeys : wrongKeys.slice(0, 3)) {
      const url = path.replaceAll(/\{\w+\}/g, wrong)
      judge(await call(action, url, superadmin), url)
    }
  })

  test.runIf(!reads)('rejects malicious bodies by field, and never fails', async () => {
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

  test.runIf(reads)('rejects malicious queries by parameter, and never fails', async () => {
    const others = ['nonsense', '__proto__', 'client_id', 'client_id[]', 'explicitly_included[]']
    const queries = [
      ...queryNamesOf(action.query).flatMap(name =>
        queryValuesPast(action.query, name).map(value => ({ name, value })),
      ),
      // Parameters that an action does not name are ignored, or belong to lists (conformance.it.test.ts).
      ...others.map(name => ({ name, value: '9223372036854775808' })),
    ]
    for (const { name, value } of queries) {
      const url = `${ourPath()}?${encodeURIComponent(name)}=${encodeURIComponent(value)}`
      const answer = await call(action, url, person)
      judge(answer, `${url} → ${answer.text.slice(0, 200)}`)
    }
  })

  test('never fails for input that its contract accepts', async () => {
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
    // Actions that need several fields are called with them in action-conformance-tenants.it.test.ts.
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

/** Rejections name their cause; 5xx is a failure (except 503: something missing in a test, such as jobs). */
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

/** The first three for every path; URLs that the router cannot decode fail independently of the path. */
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

/** Unknown and forbidden fields. Known fields: hostile-fields.test.ts. */
const unknownFields = [
  '{"nonsense":1}',
  '{"__proto__":{"superadmin":true}}',
  '{"name":"a\\u0000b"}',
  '{"limit":1e400}',
]

/** Valid values of a parameter at the limits, and the first invalid one. */
function queryValuesPast(query: z.ZodType, name: string): string[] {
  const isTaken = (value: string) => refusalOf(() => parseQuery(query, { [name]: value })) === null
  const refused = hostileQueryValues.filter(value => !isTaken(value))
  return [...hostileQueryValues.filter(isTaken), ...refused.slice(0, 1)]
}

/** Keys of the client's own records by the parameter's name, otherwise a small number. */
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
