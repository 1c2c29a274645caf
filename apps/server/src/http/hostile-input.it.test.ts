import { gzipSync } from 'node:zlib'
import type { Resource } from '@emma/contract/define-resource.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { recordSchema, writableFields } from '@emma/contract/resource-schemas.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, isMadeByPost, sampleOf, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let ours: TestClient
let superadmin: string

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
})
afterAll(() => app.close())

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
const nestedRules = (levels: number) =>
  `${'{"combinator":"and","rules":['.repeat(levels)}${']}'.repeat(levels)}`

/** Values as they stand in JSON, for any field. */
const hostileValues: Record<string, string> = {
  NUL: '"a\\u0000b"',
  'a lone surrogate': '"\\ud800"',
  'a lone surrogate within': '{"en":"\\udfff","title":["\\udfff"]}',
  'a line break': '"a\\r\\nBcc: x@y.test"',
  'a number past all': '1e400',
  'a number past the column': '2147483648',
  'a number past the keys': '9223372036854775808',
  'a negative number': '-1',
  'a fraction': '0.5',
  prototype: '{"__proto__":{"superadmin":true}}',
  constructor: '{"constructor":{"prototype":{"superadmin":true}}}',
  '30 levels': nested(30),
  '5,000 levels': nested(5_000),
  '60 levels of rules': nestedRules(60),
  'a long text': JSON.stringify('x'.repeat(20_000)),
  'a long list': JSON.stringify(Array.from({ length: 3_000 }, (_, index) => index)),
  true: 'true',
  'a text': '"\' or 1=1 --"',
  'a list of texts': '["a","b"]',
  'an unknown key': '999999999',
  'a list of unknown keys': '[999999999]',
  'no year': '"0000-01-01T00:00:00Z"',
  'a far offset': '"2026-01-01T00:00:00+23:59"',
  'not yet a time': '"2026-02-30T00:00:00Z"',
  markup: '"<script>alert(1)</script>{{ constructor }}"',
}

describe.each(resources.map(resource => ({ name: resource.name, resource })))(
  '$name',
  ({ name, resource }) => {
    const [path] = resource.paths
    const record = () => `${path}${ours.ids[name]}`
    const send = (method: 'POST' | 'PATCH', url: string, payload: string) =>
      app.call(method, url, { token: superadmin, payload, headers: { 'content-type': 'application/json' } })

    test('names the field of whatever it refuses', async () => {
      for (const field of Object.keys(writableFields(resource)))
        for (const [kind, value] of Object.entries(hostileValues)) {
          const answer = await send('PATCH', record(), `{${JSON.stringify(field)}:${value}}`)
          expect({ field, kind, ...judge(resource, answer, field) }).toEqual({ field, kind, verdict: 'fine' })
        }
    })

    test.runIf(isMadeByPost(resource))('refuses what is no record', async () => {
      for (const payload of [
        '',
        'null',
        '[]',
        '1',
        '"text"',
        '[{}]',
        '{',
        '{"a":1,}',
        '\u0000',
        nested(50_000),
      ]) {
        const answer = await send('POST', path, payload)
        expect({ payload: payload.slice(0, 20), status: answer.status }).toEqual({
          payload: payload.slice(0, 20),
          status: expect.toBeOneOf([400, 422]),
        })
        expect(answer.error.error.length).toBeGreaterThan(10)
      }
      const sample = JSON.stringify(sampleOf(name, ours))
      const poisoned = `${sample.slice(0, -1)},"__proto__":{"superadmin":true}}`
      expect(await send('POST', path, poisoned)).toMatchObject({
        status: 422,
        json: { fields: [{ field: '__proto__' }] },
      })
    })

    test('keeps its temper with whatever comes', async () => {
      const fields = Object.keys(writableFields(resource))
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(fc.constantFrom(...fields), fc.oneof(fc.jsonValue(), fittingValue(resource)), {
            maxKeys: 4,
          }),
          async body => {
            const answer = await send('PATCH', record(), JSON.stringify(body))
            expect({
              status: answer.status,
              text: answer.text.slice(0, 300),
              ...namesWhatItRefuses(answer),
            }).toEqual({
              status: expect.toBeOneOf([200, 404, 409, 422]),
              text: expect.any(String),
              isNamed: true,
            })
          },
        ),
        { numRuns: 40, seed: 20_261_121 },
      )
    })
  },
)

test('a query string holds nothing that breaks a list', async () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('1e400', '%', '\\', '\u0000', '🦊', '-0'),
  )
  for (const resource of resources) {
    const names = [
      'limit',
      'offset',
      'skip',
      'search',
      'orderby',
      'desc',
      'sortkey',
      'sortdesc',
      'client_id[]',
    ]
    const known = fc.constantFrom(
      ...names,
      ...Object.keys(resource.filters),
      resource.key,
      'explicitly_included[]',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(known, value), { maxLength: 4 }), async pairs => {
        const query = pairs.map(
          ([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text.toWellFormed())}`,
        )
        const answer = await app.call('GET', `${resource.paths[0]}?${query.join('&')}`, { token: superadmin })
        expect({ query, status: answer.status, ...namesWhatItRefuses(answer) }).toEqual({
          query,
          status: expect.toBeOneOf([200, 400, 404]),
          isNamed: true,
        })
      }),
      { numRuns: 25, seed: 20_261_121 },
    )
  }
})

describe('bodies', () => {
  const url = () => `/emma/blacklist/${ours.ids.blacklist}`
  const send = (payload: string | Buffer, headers: Record<string, string>) =>
    app.call('PATCH', url(), {
      token: superadmin,
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    })

  test('T28 R162 a gzip bomb ends as too large', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '), { level: 1 })
    expect(await send(bomb, { 'content-encoding': 'gzip' })).toMatchObject({
      status: 413,
      error: { code: 'too_large' },
    })
  })

  test('a text of 3 MB is too long even for a template', async () => {
    const payload = JSON.stringify({ body_long: 'x'.repeat(3_000_000) })
    const answer = await app.call('PATCH', `/emma/message/${ours.ids.message}`, {
      token: superadmin,
      payload,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer).toMatchObject({ status: 422, json: { fields: [{ field: 'body_long' }] } })
  })

  test('so does a body of 60 MB', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(60 * 1024 * 1024) })
    expect(await send(body, {})).toMatchObject({ status: 413, error: { code: 'too_large' } })
  })

  test('broken and unknown encodings are told apart', async () => {
    const whole = gzipSync(JSON.stringify({ name: 'Packed' }))
    expect(await send(whole, { 'content-encoding': 'gzip' })).toMatchObject({
      status: 200,
      json: { name: 'Packed' },
    })
    expect(await send(whole.subarray(0, 20), { 'content-encoding': 'gzip' })).toMatchObject({ status: 400 })
    expect(await send(whole, { 'content-encoding': 'br' })).toMatchObject({ status: 415 })
    expect(await send('name=x', { 'content-type': 'text/xml' })).toMatchObject({ status: 415 })
  })
})

/** Right in kind more often than chance would have it, so that the database gets its share. */
function fittingValue(resource: Resource) {
  const keys = Object.values(ours.ids)
  return fc.oneof(
    fc.constantFrom(...keys, null, '', true, false, 0, 1, 2_147_483_647),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(...keys).map(id => [id]),
    fc.constantFrom(
      `${resource.name}@example.test`,
      'Europe/Berlin',
      'example.test',
      'UTC',
      '2026-01-01T00:00:00Z',
    ),
  )
}

function namesWhatItRefuses({ status, error }: Answer): { isNamed: boolean } {
  return { isNamed: ![400, 422].includes(status) || (error.fields ?? []).length > 0 }
}

function judge(resource: Resource, answer: Answer, field: string): { verdict: string } {
  const { status, error, text } = answer
  if (status < 300) return { verdict: recordSchema(resource).safeParse(answer.json).error?.message ?? 'fine' }
  const isNamed = error.fields?.some(
    each =>
      each.field === field ||
      each.field.startsWith(`${field}.`) ||
      // The secret that belongs to a destination is wanted again with a new one.
      each.message === `must be entered again, because ${field} changed`,
  )
  // A client nobody knows is not found, as any other client's would be.
  const isForeign = status === 404 && /^clients?(_id)?$/.test(field)
  const isTold = status === 409 && error.code === 'wrong_state'
  const isRefused = (status === 422 || status === 409) && isNamed
  return { verdict: isRefused || isForeign || isTold ? 'fine' : `${status} ${text.slice(0, 200)}` }
}
