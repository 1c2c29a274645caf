import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createLogger } from '../../logger.ts'
import type { RunningRole } from '../../role.ts'
import { start } from '../../roles/jobs.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'

let app: TestApp
let jobs: RunningRole
let token: string
let foreign: string
let reader: string
let clientId: number
let tableId: number
let members: string

beforeAll(async () => {
  app = await startTestApp()
  const [own, other] = await app.db
    .insertInto('client')
    .values([{ name: 'Own' }, { name: 'Other' }])
    .returning('client_id')
    .execute()
  clientId = own?.client_id ?? 0
  token = (await app.logIn({ clients: [clientId] })).token
  foreign = (await app.logIn({ clients: [other?.client_id ?? 0] })).token
  reader = (await app.logIn({ clients: [clientId], permissions: ['EmmaMember:get'] })).token
  jobs = await start({ ...app, logger: createLogger('jobs', 'silent') })
  const made = await app.call('POST', '/emma/membertable/', {
    token,
    body: { name: 'People', emmamembertableschema: [{ column_name: 'age', label: 'Age', data_type: 'int' }] },
  })
  tableId = Number(made.json.member_table_id)
  members = `/v2/emma/client/${clientId}/membertable/${tableId}/member/`
})
afterAll(async () => {
  await jobs.stop()
  await app.close()
})

/** Multipart as the console sends it: JSON parts, then the compressed file. */
function multipart(parts: Record<string, unknown>, file: Buffer) {
  const boundary = 'xxEMMAxx'
  const head = Object.entries(parts).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${JSON.stringify(value)}\r\n`,
  )
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([
      Buffer.from(
        `${head.join('')}--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="people.csv"\r\ncontent-type: application/gzip\r\n\r\n`,
      ),
      file,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}

function upload(text: string, as = token, data: Record<string, unknown> = { member_table_id: tableId }) {
  return app.call('POST', '/v2/dataupload/', { token: as, ...multipart({ data }, gzipSync(text)) })
}

async function finished(id: number) {
  return vi.waitFor(
    async () => {
      const found = await app.call('GET', `/dataupload/${id}`, { token })
      expect(found.json.status).toBeGreaterThan(2)
      return found.json
    },
    { timeout: 60_000, interval: 50 },
  )
}

test('a file is uploaded, started, imported by the jobs role, and its error file downloaded', async () => {
  const taken = await upload('E-Mail;Age\nann@example.com;30\nbob@example.com;forty\neve@example.com;50\n')
  expect(taken).toMatchObject({ status: 201, json: { status: 1, delimiter: ';', header: ['E-Mail', 'Age'] } })
  const id = Number(taken.json.id)
  const started = await app.call('POST', `/dataupload/${id}/start`, { token })
  expect(started).toMatchObject({ status: 200, json: { status: 2 } })
  expect((await app.call('POST', `/dataupload/${id}/start`, { token })).status).toBe(409)
  expect(await finished(id)).toMatchObject({
    status: 3,
    rows_inserted: 2,
    rows_invalid: 1,
    has_error_file: true,
  })
  const errors = await app.call('GET', `/dataupload/${id}/errors`, { token })
  expect(errors.headers['content-disposition']).toContain('people-errors.csv')
  expect(errors.text).toContain('3;is not a whole number;age;bob@example.com;forty')
  const list = await app.call('GET', `${members}?sortkey=age&sortdesc=true&limit=1`, { token })
  expect(list.json).toMatchObject({
    data: [{ email: 'eve@example.com', age: 50, active: true }],
    pagination: { limit: 1, offset: 0, total: 2 },
  })
})

test('faults of a file are reported before anything is stored', async () => {
  const broken = await app.call('POST', '/v2/dataupload/', {
    token,
    ...multipart({ data: { member_table_id: tableId } }, gzipSync('email\na@b.example').subarray(0, 20)),
  })
  expect(broken).toMatchObject({ status: 422, error: { fields: [{ field: 'file' }] } })
  expect(broken.error.error).toContain('The gzip file is broken')
  const nowhere = await upload('email\na@b.example\n', token, {})
  expect(nowhere).toMatchObject({
    status: 422,
    error: { error: expect.stringContaining('Choose a datasource') },
  })
  const plain = await app.call('POST', '/v2/dataupload/', { token, body: { member_table_id: tableId } })
  const refused = { error: 'Send the file as multipart/form-data', code: 'unsupported_media' }
  expect(plain).toMatchObject({ status: 415, json: refused })
})

test('an upload that was running when the program ended restarts', async () => {
  const taken = await upload('email\nresumed@example.com\n')
  const id = Number(taken.json.id)
  await app.db.updateTable('data_upload').set({ status: 2 }).where('id', '=', id).execute()
  const again = await start({ ...app, logger: createLogger('jobs', 'silent') })
  expect(await finished(id)).toMatchObject({ status: 3, rows_inserted: 1 })
  await again.stop()
})

test('a member is added, changed with its revision, and deleted', async () => {
  const made = await app.call('POST', members, { token, body: { email: 'new@example.com', age: '7' } })
  expect(made).toMatchObject({ status: 201, json: { email: 'new@example.com', age: 7, revision: 1 } })
  const path = `${members}${String(made.json.member_id)}`
  const twice = await app.call('POST', members, { token, body: { email: 'NEW@example.com' } })
  expect(twice).toMatchObject({ status: 409, error: { code: 'unique_violation' } })
  const stale = await app.call('PATCH', path, { token, body: { age: 8 }, headers: { 'x-revision': '9' } })
  expect(stale.error.error).toBe('Faulty X-Revision value provided')
  expect((await app.call('PATCH', path, { token, body: { age: '' } })).json).toMatchObject({
    age: null,
    revision: 2,
  })
  expect((await app.call('POST', `${path}/unsubscribe`, { token })).json).toMatchObject({ active: false })
  expect((await app.call('POST', `${path}/resubscribe`, { token, body: {} })).status).toBe(422)
  expect(
    (await app.call('POST', `${path}/resubscribe`, { token, body: { reason: 'by phone' } })).json,
  ).toMatchObject({
    active: true,
  })
  const activity = await app.call('GET', `${path}/activity?limit=2`, { token })
  expect(activity.json).toMatchObject({
    data: [{ type: 'join' }, { type: 'unsubscribe' }],
    pagination: { total: 4 },
  })
  expect((await app.call('DELETE', path, { token })).status).toBe(204)
  expect((await app.call('GET', path, { token })).status).toBe(404)
})

test('rules are counted before and after they are saved, and their members listed', async () => {
  await app.call('POST', members, { token, body: { email: 'counted@example.com', age: 77 } })
  const query = { combinator: 'and', rules: [{ field: 'age', operator: '>', value: 70 }] }
  const body = { member_table_id: tableId, query }
  for (const path of ['/emma/list:count', `/v2/emma/client/${clientId}/campaign/list:count`]) {
    const count = await app.call('POST', path, { token, body })
    expect(count).toMatchObject({ status: 200, json: { total: 1, estimated_volume: 1, preblocked: {} } })
  }
  const made = await app.call('POST', '/emma/list/', { token, body: { ...body, name: 'Old' } })
  expect(made).toMatchObject({ status: 201, json: { count: 1 } })
  const preview = await app.call('GET', `/emma/list/${String(made.json.list_id)}/member/`, { token })
  expect(preview.json).toMatchObject({ data: [{ email: 'counted@example.com' }], pagination: { total: 1 } })
  const wrong = { ...body, query: { combinator: 'and', rules: [{ field: 'shoe', operator: '=', value: 1 }] } }
  const refused = await app.call('POST', '/emma/list:count', { token, body: wrong })
  expect(refused).toMatchObject({ status: 422, error: { fields: [{ field: 'query.rules.0.field' }] } })
})

test('entries of a blacklist are added, found and removed', async () => {
  const made = await app.call('POST', '/emma/blacklist/', { token, body: { name: 'Stop', kind: 'client' } })
  const path = `/emma/blacklist/${String(made.json.blacklist_id)}/entry/`
  const body = { values: ['Stop@example.com', 'stop@EXAMPLE.com', 'x@example.com'], reason: 'asked' }
  expect((await app.call('POST', path, { token, body })).json).toEqual({ added: 2, existing: 0 })
  const wrong = await app.call('POST', path, { token, body: { values: ['a@b.de', 'nobody'] } })
  expect(wrong).toMatchObject({ status: 422, error: { fields: [{ field: 'values.1' }] } })
  const entries = await app.call('GET', `${path}?search=stop`, { token })
  expect(entries.json).toMatchObject({ data: [{ value: 'stop@example.com', reason: 'asked' }] })
  const lists = await app.call('GET', '/emma/blacklist/?address=stop@example.com&globalblacklist=true', {
    token,
  })
  expect(lists.json).toMatchObject({ data: [{ name: 'Stop', count: 2 }] })
  expect((await app.call('DELETE', `${path}?value[]=stop@example.com`, { token })).json).toEqual({
    removed: 1,
  })
})

test('another client finds none of it, and each method needs its permission', async () => {
  const taken = await upload('email\nmine@example.com\n')
  const made = await app.call('POST', members, { token, body: { email: 'mine@example.com' } })
  const path = `${members}${String(made.json.member_id)}`
  const hidden: [Parameters<TestApp['call']>[0], string, unknown?][] = [
    ['GET', members],
    ['GET', path],
    ['PATCH', path, { age: 1 }],
    ['DELETE', path],
    ['GET', `${path}/activity`],
    ['POST', `${path}/erase`],
    ['POST', '/emma/list:count', { member_table_id: tableId, query: null }],
    ['POST', `/v2/emma/client/${clientId}/campaign/list:count`, { member_table_id: tableId, query: null }],
    ['POST', `/dataupload/${String(taken.json.id)}/start`],
    ['POST', `/dataupload/${String(taken.json.id)}/cancel`],
    ['GET', `/dataupload/${String(taken.json.id)}/errors`],
  ]
  for (const [method, where, body] of hidden) {
    const { status } = await app.call(method, where, { token: foreign, ...(body ? { body } : {}) })
    expect({ method, where, status }).toEqual({ method, where, status: 404 })
  }
  expect((await upload('email\na@b.example\n', foreign)).status).toBe(404)
  expect((await app.call('GET', path, { token: reader })).status).toBe(200)
  expect((await app.call('PATCH', path, { token: reader, body: { age: 1 } })).status).toBe(403)
  expect((await app.call('DELETE', path, { token: reader })).status).toBe(403)
  expect((await upload('email\na@b.example\n', reader)).status).toBe(403)
})
