import { gzipSync } from 'node:zlib'
import type { Resource } from '@emma/contract/define-resource.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { parseListQuery } from '@emma/contract/list-query.ts'
import { patchSchema, recordSchema, writableFields } from '@emma/contract/resource-schemas.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, sampleOf, type TestClient } from '../test/fixtures.ts'
import {
  bodyOf,
  brokenBodies,
  hostileQueryValues,
  listParameters,
  readAs,
  refusalOf,
  valuesPast,
} from '../test/hostile-values.ts'

/**
 * Malicious values that pass the contract (hostile-fields.test.ts), with one rejection per field, sent to the server.
 */

let app: TestApp
let ours: TestClient
let superadmin: string

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
})
afterAll(() => app.close())

const seed = 20_261_121

/** One parser reads all bodies: a usual one, a large one and one of a resource of the installation. */
const withParserCases = ['blacklist', 'message', 'role']

describe.each(resources.map(resource => ({ name: resource.name, resource })))(
  '$name',
  ({ name, resource }) => {
    const list = () => resource.paths[0].replace('{client_id}', String(ours.clientId))
    const record = () => `${list()}${ours.ids[name]}`
    const send = (method: 'POST' | 'PATCH', url: string, payload: string) =>
      app.call(method, url, { token: superadmin, payload, headers: { 'content-type': 'application/json' } })

    test('accepts or rejects by name what its schema accepts, and rejects over HTTP what the schema rejects', async () => {
      const schema = patchSchema(resource)
      for (const field of Object.keys(writableFields(resource)))
        for (const { kind, value } of valuesPast(schema, field)) {
          const answer = await send('PATCH', record(), bodyOf(field, value))
          expect({ field, kind, ...judge(resource, answer, field) }).toEqual({ field, kind, verdict: 'fine' })
        }
    })

    test.runIf(withParserCases.includes(name))('rejects non-objects', async () => {
      for (const payload of brokenBodies) {
        const answer = await send('POST', list(), payload)
        expect({ payload: payload.slice(0, 20), status: answer.status }).toEqual({
          payload: payload.slice(0, 20),
          status: expect.toBeOneOf([400, 422]),
        })
        expect(answer.error.error.length).toBeGreaterThan(10)
      }
      const sample = JSON.stringify(sampleOf(name, ours))
      const poisoned = `${sample.slice(0, -1)},"__proto__":{"superadmin":true}}`
      expect(await send('POST', list(), poisoned)).toMatchObject({
        status: 422,
        json: { fields: [{ field: '__proto__' }] },
      })
    })

    test('never fails for input that its schema accepts', async () => {
      const schema = patchSchema(resource)
      const fields = Object.keys(writableFields(resource))
      const values = fc.sample(fc.oneof(fc.jsonValue(), fittingValue(resource)), { numRuns: 60, seed })
      const fitting = fields.flatMap(field =>
        values
          .map(value => ({ [field]: value }))
          .filter(body => readAs(schema, JSON.stringify(body)).refusal === null),
      )
      const part = fc.constantFrom(...fitting)
      await fc.assert(
        fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async parts => {
          const answer = await send('PATCH', record(), JSON.stringify(Object.assign({}, ...parts)))
          expect({
            status: answer.status,
            text: answer.text.slice(0, 300),
            ...namesWhatItRefuses(answer),
          }).toEqual({
            status: expect.toBeOneOf([200, 404, 409, 422]),
            text: expect.any(String),
            isNamed: true,
          })
        }),
        { numRuns: 15, seed },
      )
    })

    test('its list answers every query that its contract accepts', async () => {
      const texts = fc.sample(queryValue, { numRuns: 60, seed }).map(text => text.toWellFormed())
      const fitting = listParameters(resource).flatMap(parameter =>
        texts
          .filter(text => refusalOf(() => parseListQuery(resource, { [parameter]: text })) === null)
          .map(text => ({ [parameter]: text })),
      )
      const part = fc.constantFrom(...fitting)
      await fc.assert(
        fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async parts => {
          const sent = String(new URLSearchParams(Object.assign({}, ...parts)))
          const answer = await app.call('GET', `${list()}?${sent}`, { token: superadmin })
          expect({ sent, status: answer.status, ...namesWhatItRefuses(answer) }).toEqual({
            sent,
            status: expect.toBeOneOf([200, 400, 404]),
            isNamed: true,
          })
        }),
        { numRuns: 8, seed },
      )
      const refused = await app.call('GET', `${list()}?limit=1e400`, { token: superadmin })
      expect(refused).toMatchObject({ status: 400, error: { fields: [{ field: 'limit' }] } })
    })
  },
)

describe('bodies', () => {
  const url = () => `/emma/blacklist/${ours.ids.blacklist}`
  const send = (payload: string | Buffer, headers: Record<string, string>) =>
    app.call('PATCH', url(), {
      token: superadmin,
      payload,
      headers: { 'content-type': 'application/json', ...headers },
    })

  test('T28 R162 a gzip bomb is rejected as too large', async () => {
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

  test('a body of 60 MB is too large', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(60 * 1024 * 1024) })
    expect(await send(body, {})).toMatchObject({ status: 413, error: { code: 'too_large' } })
  })

  test('broken and unknown encodings have different errors', async () => {
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

const queryValue = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('1', 'true', '0', '-0', '%', '\\', '🦊', '2026-01-31', ...hostileQueryValues),
)

/** Mostly of the right type, so that many values reach the database. */
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
      // A secret bound to its destination must be entered again with a new one.
      each.message === `must be entered again, because ${field} changed`,
  )
  // An unknown client is not found, like another client's.
  const isForeign = status === 404 && /^clients?(_id)?$/.test(field)
  const isTold = status === 409 && error.code === 'wrong_state'
  const isRefused = (status === 422 || status === 409) && isNamed
  return { verdict: isRefused || isForeign || isTold ? 'fine' : `${status} ${text.slice(0, 200)}` }
}
