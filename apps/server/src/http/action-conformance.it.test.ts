import { gzipSync } from 'node:zlib'
import { actions } from '@emma/contract/action-list.ts'
import type { Action } from '@emma/contract/define-action.ts'
import { permissions } from '@emma/contract/permissions.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

/**
 * What every action owes, whatever it does: from the contract, so that new ones are covered by themselves. That none takes
 * records of another client: action-conformance-tenants.it.test.ts. Sessions are cached, as shipped.
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

const people = new Map<unknown, Promise<string>>()

/** Somebody with all permissions but this one. */
function personWithout(permission: Action['permission']): Promise<string> {
  const known = people.get(permission)
  if (known) return known
  const others = permissions.filter(each => each !== permission)
  const token = app.logIn({ clients: [ours.clientId], permissions: others }).then(person => person.token)
  people.set(permission, token)
  return token
}

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
  const isPublic = action.permission === 'public'
  const ourPath = () => fill(path, ours)
  const reads = action.method === 'GET'

  test.runIf(!isPublic)('R155 needs a session', async () => {
    for (const token of [undefined, 'rubbish.of.course'])
      expect((await call(action, ourPath(), token)).status).toBe(401)
  })

  test.runIf(!isPublic && action.permission !== null)('R145 R151 needs its right', async () => {
    const answer = await call(action, ourPath(), await personWithout(action.permission))
    expect({ status: answer.status, text: answer.text.slice(0, 200) }).toMatchObject({ status: 403 })
  })

  test.runIf(action.superadminOnly)('is the superadmins’', async () => {
    expect((await call(action, ourPath(), person)).status).toBe(403)
  })

  test.runIf(path.includes('{'))('finds only keys, whatever stands in their place', async () => {
    for (const wrong of [
      'abc',
      '-1',
      '1e3',
      '99999999999999999999',
      '%00',
      '%FF',
      '%',
      '%E0%A4',
      '1%27',
      '..%2f..%2fetc',
      '%0d%0a',
    ]) {
      const url = path.replaceAll(/\{\w+\}/g, wrong)
      judge(await call(action, url, superadmin), url)
    }
  })

  test.runIf(!reads)('refuses hostile bodies by field, and never breaks', async () => {
    for (const payload of hostileBodies) {
      const answer = await call(action, ourPath(), superadmin, { payload })
      judge(answer, `${payload.slice(0, 60)} → ${answer.text.slice(0, 200)}`)
    }
    const packed = { 'content-encoding': 'gzip' }
    judge(await call(action, ourPath(), superadmin, { payload: bomb, headers: packed }), 'a gzip bomb')
    judge(await call(action, ourPath(), superadmin, { payload: 'no gzip', headers: packed }), 'no gzip')
    judge(await call(action, ourPath(), superadmin, { headers: { 'x-revision': 'stale' } }), 'a revision')
  })

  test.runIf(reads)('refuses hostile queries by parameter, and never breaks', async () => {
    const others = ['nonsense', '__proto__', 'client_id', 'client_id[]', 'explicitly_included[]']
    const queries = [
      ...queryNames(action).flatMap(name => hostileValues.map(value => ({ name, value }))),
      // What an action does not name it leaves unread, or hands to the one reader of lists (conformance.it.test.ts).
      ...others.flatMap(name => hostileValues.slice(0, 3).map(value => ({ name, value }))),
    ]
    for (const { name, value } of queries) {
      const url = `${ourPath()}?${encodeURIComponent(name)}=${value}`
      const answer = await call(action, url, person)
      judge(answer, `${url} → ${answer.text.slice(0, 200)}`)
    }
  })

  test('keeps its temper with whatever fits by chance', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...bodyNames(action)), anything()), async body => {
        const answer = reads
          ? await call(action, `${ourPath()}?${asQuery(body)}`, superadmin)
          : await call(action, ourPath(), superadmin, { payload: JSON.stringify(body) })
        judge(answer, `${JSON.stringify(body).slice(0, 200)} → ${answer.text.slice(0, 200)}`)
      }),
      { numRuns: 8, seed: 20_261_121 },
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

const hostileValues = [
  '%00',
  '9223372036854775808',
  'x'.repeat(3000),
  '%ED%A0%80',
  '-1',
  '1e400',
  '%27%20or%201=1',
  '',
]

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

const bomb = gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '), { level: 1 })

const hostileBodies = [
  '',
  'null',
  '[]',
  '"text"',
  '{',
  '{"nonsense":1}',
  '{"__proto__":{"superadmin":true}}',
  '{"constructor":{"prototype":{"superadmin":true}}}',
  '{"name":"a\\u0000b"}',
  '{"name":"\\ud800"}',
  '{"limit":1e400}',
  nested(200),
  nested(50_000),
  JSON.stringify({ name: 'x'.repeat(100_000) }),
]

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

function queryNames(action: Action): string[] {
  return action.query instanceof z.ZodObject ? Object.keys(action.query.shape) : []
}

function bodyNames(action: Action): string[] {
  const own = action.body instanceof z.ZodObject ? Object.keys(action.body.shape) : []
  const names = action.method === 'GET' ? queryNames(action) : own
  return [...names, 'name', 'limit', 'client_id']
}

function anything() {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.constantFrom(null, '', true, 0, 1, -1, 2_147_483_648, 'a@b.test', '2026-01-01', [1], ['a'], {}),
  )
}

function asQuery(body: Record<string, unknown>): string {
  return Object.entries(body)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(JSON.stringify(value)).toWellFormed())}`)
    .join('&')
}
