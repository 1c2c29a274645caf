import { gzipSync } from 'node:zlib'
import { legalKinds } from '@emma/contract/legal-document.ts'
import { permissions } from '@emma/contract/permissions.ts'
import { resources } from '@emma/contract/resource-list.ts'
import { recordSchema } from '@emma/contract/resource-schemas.ts'
import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'
import { addRecord, addTestClient, isMadeByPost, sampleOf, type TestClient } from '../test/fixtures.ts'
import { hostileQueryValues } from '../test/hostile-values.ts'

let app: TestApp
/** Two clients with one record of every resource each; the user works in the first only. */
let ours: TestClient
let theirs: TestClient
let superadmin: string
let person: string

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  person = (await app.logIn({ clients: [ours.clientId], administrator: true })).token
  // Others than superadmins see published ones only.
  for (const kind of legalKinds)
    await app.call('POST', `/v2/${kind}/`, {
      token: superadmin,
      body: { ...sampleOf(kind, ours), published: true },
    })
})
afterAll(() => app.close())

const places = resources.flatMap(resource => resource.paths.map(path => ({ path, resource })))

/** Fields of which a record needs one of several (R282), besides the required ones. */
const alternatives: Partial<Record<string, readonly string[]>> = { recurring: ['mailclass_id'] }

describe.each(places)('$path', ({ path, resource }) => {
  const { name, key } = resource
  const listOf = (client: TestClient) => path.replace('{client_id}', String(client.clientId))
  const recordOf = (client: TestClient) => `${listOf(client)}${client.ids[name]}`
  const inClient = (client: TestClient) => (resource.tenant ? { client_id: client.clientId } : {})
  const sample = (client = ours) => ({ ...sampleOf(name, client), ...inClient(client) })
  /** A list of our client, whatever the caller's active client. */
  const ownList = (query = '') =>
    `${listOf(ours)}?${resource.tenant && !path.includes('{client_id}') ? `client_id=${ours.clientId}&` : ''}${query}`
  const list = (query: string) => app.call('GET', ownList(query), { token: superadmin })
  const keysOf = (answer: Answer) => rowsOf(answer).map(row => Number(row[key]))
  test.runIf(resource.openFields)(
    'returns only its public fields to callers without its permission',
    async () => {
      const others = permissions.filter(permission => permission !== `${resource.entity}:get`)
      const { token } = await app.logIn({ clients: [ours.clientId], permissions: others })
      const shown = rowsOf(await app.call('GET', listOf(ours), { token }))
      expect(shown.length).toBeGreaterThan(0)
      const one = `${listOf(ours)}${Number(shown[0]?.[key])}`
      for (const row of [...shown, (await app.call('GET', one, { token })).json])
        expect(Object.keys(row).toSorted()).toEqual(resource.openFields?.toSorted())
    },
  )

  test.runIf(resource.tenant)('R149 R151 never returns or changes another client’s records', async () => {
    const before = await app.call('GET', recordOf(theirs), { token: superadmin })
    const body = sample()
    const refused: [Parameters<TestApp['call']>[0], string, unknown?][] = [
      ['GET', `${listOf(ours)}${theirs.ids[name]}`],
      ['PATCH', `${listOf(ours)}${theirs.ids[name]}`, {}],
      ['PUT', `${listOf(ours)}${theirs.ids[name]}`, body],
      ['DELETE', `${listOf(ours)}${theirs.ids[name]}`],
      ['DELETE', `${listOf(ours)}${theirs.ids[name]}?test`],
      ['POST', listOf(ours), { ...body, client_id: theirs.clientId }],
      ['PATCH', recordOf(ours), { client_id: theirs.clientId }],
      ['GET', `${listOf(ours)}?client_id[]=${theirs.clientId}`],
      ['GET', `${listOf(ours)}?client_id=${ours.clientId}&client_id=${theirs.clientId}`],
    ]
    if (path.includes('{client_id}'))
      refused.push(
        ['GET', listOf(theirs)],
        ['GET', recordOf(theirs)],
        ['POST', listOf(theirs), body],
        ['PATCH', recordOf(theirs), body],
        ['DELETE', recordOf(theirs)],
      )
    for (const [method, url, sent] of refused) {
      const answer = await app.call(method, url, { token: person, body: sent })
      expect({ method, url, sent, status: answer.status }).toEqual({ method, url, sent, status: 404 })
    }
    const included = Object.keys(resource.included).map(each => `explicitly_included[]=${each}`)
    const seen = await app.call('GET', `${listOf(ours)}?superadminview=true&${included.join('&')}`, {
      token: person,
    })
    expect(seen.status).toBe(200)
    expect(keysOf(seen)).toContain(ours.ids[name])
    const beside = rowsOf(seen, 'included').map(each => each.attributes as Record<string, unknown>)
    const seenClients = new Set([...rowsOf(seen), ...beside].map(row => row.client_id))
    expect([...seenClients]).toEqual([ours.clientId])
    expect(await app.call('GET', recordOf(theirs), { token: superadmin })).toMatchObject({
      json: before.json,
    })
  })

  test.runIf(resource.tenant)('does not move a record to another client', async () => {
    const { token } = await app.logIn({ clients: [ours.clientId, theirs.clientId] })
    const answer = await app.call('PATCH', recordOf(ours), { token, body: { client_id: theirs.clientId } })
    expect(answer).toMatchObject({ status: 422, json: { fields: [{ field: 'client_id' }] } })
  })

  test('accepts only valid keys', async () => {
    for (const wrong of [
      'abc',
      '-1',
      '1e3',
      '999999999',
      '9007199254740991',
      '99999999999999999999',
      '%00',
      "1'",
    ]) {
      const answer = await app.call('GET', `${listOf(ours)}${wrong}`, { token: superadmin })
      expect({ wrong, status: answer.status }).toEqual({ wrong, status: 404 })
    }
  })

  test.runIf(isMadeByPost(resource))('R158 R169 names every missing field', async () => {
    const missing = (answer: Answer) => answer.error.fields?.map(({ field }) => field).toSorted()
    const required = resource.required.create.toSorted()
    const empty = await app.call('POST', listOf(ours), { token: superadmin, body: inClient(ours) })
    expect({ status: empty.status, fields: missing(empty) }).toEqual({ status: 422, fields: required })
    const whole = await app.call('PUT', recordOf(ours), { token: superadmin, body: inClient(ours) })
    expect({ status: whole.status, fields: missing(whole) }).toEqual({ status: 422, fields: required })
    for (const field of required)
      for (const [method, url] of [
        ['POST', listOf(ours)],
        ['PATCH', recordOf(ours)],
      ] as const) {
        const answer = await app.call(method, url, { token: superadmin, body: { ...sample(), [field]: '' } })
        expect({ method, status: answer.status, fields: missing(answer) }).toEqual({
          method,
          status: 422,
          fields: [field],
        })
      }
  })

  test('rejects unknown fields by name', async () => {
    const body = { ...sample(), nonsense: 1 }
    const answer = await app.call('PATCH', recordOf(ours), { token: superadmin, body })
    expect(answer).toMatchObject({ status: 422, json: { fields: [{ field: 'nonsense' }] } })
  })

  test('R156 R170 accepts its filters and rejects others by name', async () => {
    const own = { [key]: String(ours.ids[name]) }
    const filters = Object.entries(resource.filters).map(([filter, { value }]) => {
      const own = value instanceof z.ZodEnum ? value.options.map(String) : []
      const fitting = [...own, ...candidates].find(each => value.safeParse(each).success)
      return [filter, fitting ?? 'no candidate fits'] as const
    })
    for (const [filter, value] of [...filters, ...Object.entries(own)])
      for (const parameter of [filter, `${filter}[]`]) {
        const answer = await list(`${parameter}=${encodeURIComponent(value)}`)
        expect({ parameter, value, status: answer.status }).toEqual({ parameter, value, status: 200 })
        const { operator, column = filter } = resource.filters[filter] ?? { operator: 'eq' }
        if (operator !== 'eq') continue
        for (const row of rowsOf(answer)) expect(String(row[column])).toBe(value)
      }
    expect(keysOf(await list(`${key}[]=${ours.ids[name]}`))).toEqual([ours.ids[name]])
    for (const unknown of ['nonsense', 'toString', '__proto__', 'constructor', "name'--"]) {
      const answer = await list(`${encodeURIComponent(unknown)}=1`)
      expect({ unknown, status: answer.status, field: answer.error.fields?.[0]?.field }).toEqual({
        unknown,
        status: 400,
        field: unknown,
      })
    }
    // Every accepted value, and one refused value of each filter. All refused ones: hostile-fields.test.ts.
    for (const [filter, { value }] of Object.entries(resource.filters)) {
      const isFine = (each: string) => value.safeParse(each).success
      const refused = hostileQueryValues.filter(each => !isFine(each)).slice(0, 1)
      for (const wrong of [...hostileQueryValues.filter(isFine), ...refused]) {
        const answer = await list(`${filter}=${encodeURIComponent(wrong)}`)
        expect({ wrong, status: answer.status, named: answer.error.fields?.[0]?.field }).toEqual({
          wrong,
          status: isFine(wrong) ? 200 : 400,
          named: isFine(wrong) ? undefined : filter,
        })
      }
    }
  })

  test('R156 sorts by its fields in both directions and rejects others', async () => {
    if (isMadeByPost(resource)) await addRecord(app, superadmin, resource, ours)
    for (const field of [...resource.sort, key, 'created_at', 'updated_at']) {
      const up = await list(`orderby=${field}`)
      const down = await list(`sortkey=${field}&sortdesc=true`)
      const both = await list(`orderby=${field}&desc=true&sortkey=nonsense`)
      expect({ field, statuses: [up.status, down.status, both.status] }).toEqual({
        field,
        statuses: [200, 200, 200],
      })
      // Rows without a value come last in both directions.
      const filled = (answer: Answer) => rowsOf(answer).filter(row => row[field] !== null)
      expect(filled(down).map(row => row[key])).toEqual(
        filled(up)
          .map(row => row[key])
          .toReversed(),
      )
      expect(keysOf(both)).toEqual(keysOf(down))
    }
    for (const wrong of ['nonsense', 'password_hash', 'toString', 'name;drop table client', ''])
      for (const parameter of ['orderby', 'sortkey']) {
        const answer = await list(`${parameter}=${encodeURIComponent(wrong)}`)
        expect(answer).toMatchObject({ status: 400, json: { fields: [{ field: parameter }] } })
      }
    expect(await list('orderby=created_at&desc=maybe')).toMatchObject({
      status: 400,
      json: { fields: [{ field: 'desc' }] },
    })
  })

  test('R156 searches, with special characters taken literally', async () => {
    const record = await app.call('GET', recordOf(ours), { token: superadmin })
    const [field = ''] = resource.search
    const term = encodeURIComponent(String(record.json[field]).toUpperCase())
    expect(keysOf(await list(`search=${term}`))).toContain(ours.ids[name])
    for (const none of ['no such words', '%', '\\']) {
      const holding = rowsOf(await list('')).filter(row =>
        resource.search.some(each => JSON.stringify(row[each] ?? '').includes(none)),
      )
      const answer = await list(`search=${encodeURIComponent(none)}`)
      const found = holding.map(row => row[key])
      expect({ none, total: totalOf(answer), rows: keysOf(answer) }).toEqual({
        none,
        total: found.length,
        rows: found,
      })
    }
    expect(await list(`search=${'x'.repeat(300)}`)).toMatchObject({ status: 400 })
    expect(await list('search=a%00b')).toMatchObject({ status: 400, json: { fields: [{ field: 'search' }] } })
  })

  test('R156 R165 pages', async () => {
    if (isMadeByPost(resource)) await addRecord(app, superadmin, resource, ours)
    const all = await list('')
    const total = keysOf(all).length
    expect(totalOf(all)).toBe(total)
    const first = await list('limit=1')
    const rest = await list(`limit=${total}&offset=1`)
    const skipped = await list(`limit=${total}&skip=1`)
    expect([...keysOf(first), ...keysOf(rest)]).toEqual(keysOf(all))
    expect(keysOf(skipped)).toEqual(keysOf(rest))
    expect(first.json.pagination).toEqual({ limit: 1, offset: 0, total })
    expect(rest.json.pagination).toEqual({ limit: total, offset: 1, total })
    expect(await list('limit=0')).toMatchObject({ json: { data: [], pagination: { limit: 0, total } } })
    expect(await list('limit=5&offset=5000')).toMatchObject({ json: { data: [], pagination: { total } } })
    expect(await list('limit=99999999')).toMatchObject({ json: { pagination: { limit: 10_000, total } } })
    for (const [parameter, wrong] of [
      ['limit', '-1'],
      ['limit', 'ten'],
      ['limit', '1.5'],
      ['limit', ''],
      ['offset', '-1'],
      ['offset', '1e30'],
      ['skip', 'x'],
      ['superadminview', 'perhaps'],
      ['recurring_only', '2'],
    ] as const)
      expect(await list(`${parameter}=${wrong}`)).toMatchObject({
        status: 400,
        json: { fields: [{ field: parameter }] },
      })
  })

  test('R156 R165 includes related records', async () => {
    for (const [included, { via }] of Object.entries(resource.included)) {
      const answer = await list(`${key}=${ours.ids[name]}&explicitly_included[]=${included}`)
      expect(answer.status).toBe(200)
      const [row] = rowsOf(answer)
      for (const other of rowsOf(answer, 'included')) expect(other.id).toBe(row?.[via])
    }
    for (const unknown of ['nonsense', 'toString', '__proto__'])
      expect(await list(`explicitly_included[]=${unknown}`)).toMatchObject({
        status: 400,
        json: { fields: [{ field: 'explicitly_included' }] },
      })
  })

  test('returns records in the form of the contract', async () => {
    const schema = recordSchema(resource)
    const one = await app.call('GET', recordOf(ours), { token: superadmin })
    const changed = await app.call('PATCH', recordOf(ours), { token: superadmin, body: {} })
    const included = Object.keys(resource.included).map(each => `explicitly_included[]=${each}`)
    const rows = [one.json, changed.json, ...rowsOf(await list(included.join('&')))]
    for (const row of rows) {
      expect(schema.safeParse(row).error).toBeUndefined()
      expect(Object.keys(row)).not.toContain('deleted_at')
    }
  })

  test.runIf(isMadeByPost(resource))('returns a new record in that form too', async () => {
    const made = await app.call('POST', listOf(ours), { token: superadmin, body: sample() })
    expect(made.status).toBe(201)
    expect(recordSchema(resource).safeParse(made.json).error).toBeUndefined()
  })

  test.runIf(isMadeByPost(resource))('sets the defaults of the contract on a new record', async () => {
    const body: Record<string, unknown> = sample()
    const { json } = await app.call('POST', listOf(ours), { token: superadmin, body })
    const defaults = Object.entries(resource.fields).flatMap(([field, schema]) =>
      schema instanceof z.ZodDefault && !(field in body) ? [[field, schema.parse(undefined)]] : [],
    )
    expect(json).toMatchObject(Object.fromEntries(defaults))
  })

  test('R163 R317 checks the revision of writes', async () => {
    const { json } = await app.call('GET', recordOf(ours), { token: superadmin })
    const write = (method: 'PATCH' | 'PUT' | 'DELETE', revision: string, body?: unknown) =>
      app.call(method, recordOf(ours), { token: superadmin, body, headers: { 'x-revision': revision } })
    const fresh = await write('PATCH', String(json.revision), {})
    expect({ status: fresh.status, revision: fresh.json.revision }).toEqual({
      status: 200,
      revision: Number(json.revision) + 1,
    })
    const faulty = {
      status: 409,
      json: { error: 'Faulty X-Revision value provided', code: 'faulty_revision' },
    }
    for (const revision of [String(json.revision), '-1', 'abc', '1e400']) {
      expect(await write('PATCH', revision, {})).toMatchObject(faulty)
      expect(await write('PUT', revision, fresh.json)).toMatchObject(faulty)
      expect(await write('DELETE', revision)).toMatchObject(faulty)
    }
  })

  test('R162 accepts gzip bodies', async () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
    const patch = (payload: Buffer) =>
      app.call('PATCH', recordOf(ours), { token: superadmin, payload, headers })
    expect(await patch(gzipSync('{}'))).toMatchObject({ status: 200 })
    expect(await patch(gzipSync('{"nonsense":1}'))).toMatchObject({ status: 422 })
    expect(await patch(Buffer.from('no gzip'))).toMatchObject({ status: 400 })
  })

  test('R159 R160 R169 PUT preserves a record sent back whole, and resets missing fields', async () => {
    const url = isMadeByPost(resource)
      ? `${listOf(ours)}${await addRecord(app, superadmin, resource, ours)}`
      : recordOf(ours)
    const before = await app.call('GET', url, { token: superadmin })
    const back = await app.call('PUT', url, { token: superadmin, body: before.json })
    expect(back).toMatchObject({ status: 200 })
    expect(withoutTimes(back.json)).toEqual(withoutTimes(before.json))
    const nullable = ['description', 'preheader', 'subject', 'address', 'firstname'].find(
      field => !resource.required.create.includes(field) && resource.fields[field]?.safeParse(null).success,
    )
    if (nullable === undefined) return
    const filled = await app.call('PATCH', url, { token: superadmin, body: { [nullable]: 'words' } })
    expect(filled.json[nullable]).toBe('words')
    const needed = [...resource.required.create, ...(alternatives[resource.name] ?? [])]
    const required = Object.fromEntries(needed.map(field => [field, before.json[field]]))
    const reset = await app.call('PUT', url, { token: superadmin, body: required })
    expect({ status: reset.status, value: reset.json[nullable] }).toEqual({ status: 200, value: null })
  })

  test.runIf(isMadeByPost(resource))('R161 T17 deletes, after a dry run', async () => {
    const id = await addRecord(app, superadmin, resource, ours)
    const ask = (method: 'GET' | 'DELETE', query = '') =>
      app.call(method, `${listOf(ours)}${id}${query}`, { token: superadmin })
    for (const dry of ['?test', '?test=true', '?test=1'])
      expect(await ask('DELETE', dry)).toMatchObject({
        status: 200,
        json: { deletable: true, references: [] },
      })
    expect(await ask('DELETE', '?test=perhaps')).toMatchObject({
      status: 400,
      json: { fields: [{ field: 'test' }] },
    })
    expect(await ask('GET')).toMatchObject({ status: 200 })
    expect(await ask('DELETE')).toMatchObject({ status: 204, text: '' })
    expect(await ask('GET')).toMatchObject({ status: 404 })
    expect(await ask('DELETE')).toMatchObject({ status: 404 })
    expect(keysOf(await list(''))).not.toContain(id)
  })

  test.runIf(isMadeByPost(resource) && !resource.deletedForEver)(
    'a deletion can be undone once, by users who may delete it',
    async () => {
      const id = await addRecord(app, superadmin, resource, ours)
      const url = `${listOf(ours)}${id}`
      const ask = (method: 'GET' | 'DELETE' | 'POST', path: string, token = superadmin) =>
        app.call(method, path, { token })
      const before = await ask('GET', url)
      expect(await ask('POST', `${url}/restore`)).toMatchObject({ status: 404 })
      expect(await ask('DELETE', url)).toMatchObject({ status: 204 })
      if (resource.tenant) {
        const foreign = await app.logIn({ clients: [theirs.clientId], administrator: true })
        expect(await ask('POST', `${url}/restore`, foreign.token)).toMatchObject({ status: 404 })
        expect(await ask('GET', url)).toMatchObject({ status: 404 })
      }
      const restored = await ask('POST', `${url}/restore`)
      expect({ status: restored.status, ...withoutTimes(restored.json) }).toEqual({
        status: 200,
        ...withoutTimes(before.json),
      })
      expect(keysOf(await list(''))).toContain(id)
      expect(await ask('POST', `${url}/restore`)).toMatchObject({ status: 404 })
    },
  )

  test('accepts a trailing slash', async () => {
    for (const url of [listOf(ours).slice(0, -1), listOf(ours), recordOf(ours), `${recordOf(ours)}/`])
      expect(await app.call('GET', url, { token: superadmin })).toMatchObject({ status: 200 })
  })
})

const candidates = [
  'planned',
  'brevo',
  'warning',
  '1',
  'true',
  '2026-01-31',
  'email',
  'html',
  'text',
  'campaign',
  'bulk',
  'new',
  'testaddr',
  'public',
]

function rowsOf(answer: Answer, part: 'data' | 'included' = 'data'): Record<string, unknown>[] {
  const rows = answer.json[part]
  if (!Array.isArray(rows)) throw new Error(`No rows: ${answer.text}`)
  return rows
}

function totalOf(answer: Answer): unknown {
  const { pagination } = answer.json
  return typeof pagination === 'object' && pagination !== null && 'total' in pagination
    ? pagination.total
    : null
}

function withoutTimes(record: Record<string, unknown>) {
  const changing = ['revision', 'updated_at', 'updated_by', 'counted_at', 'stats_at']
  return Object.fromEntries(Object.entries(record).filter(([field]) => !changing.includes(field)))
}
