import PouchDB, { type Database } from 'pouchdb-core'
import httpAdapter from 'pouchdb-adapter-http'
import findPlugin from 'pouchdb-find'
import replication from 'pouchdb-replication'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'

PouchDB.plugin(httpAdapter).plugin(findPlugin).plugin(replication)

let app: TestApp
let address: string
let superadmin: string

beforeAll(async () => {
  app = await startTestApp()
  superadmin = await app.logInSuperadmin()
  await app.db
    .insertInto('client')
    .values([1, 2, 3, 4].map(client_id => ({ client_id, name: `Client ${client_id}` })))
    .execute()
  address = await app.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

/** Opens one of the databases with the real PouchDB, over HTTP. */
function open(client: number, endpoint = 'sqltemplate', token = superadmin): Database {
  return new PouchDB(`${address}/api/documents/${client}/${endpoint}`, {
    fetch: (url, options) => {
      const headers = new Headers(options?.headers)
      headers.set('authorization', `Bearer ${token}`)
      return fetch(url, { ...options, headers })
    },
  })
}

test('R300 PouchDB puts, gets, changes and removes documents with id, revision and endpoint', async () => {
  const db = open(1)
  const made = await db.put({ _id: 'welcome', name: 'Welcome' })
  expect(made).toMatchObject({ ok: true, id: 'welcome', rev: expect.stringMatching(/^1-[0-9a-f]{32}$/) })
  expect(await db.get('welcome')).toEqual({
    _id: 'welcome',
    _rev: made.rev,
    name: 'Welcome',
    endpoint: 'sqltemplate',
  })
  const changed = await db.put({ _id: 'welcome', _rev: made.rev, name: 'Welcome again' })
  expect(changed.rev).toMatch(/^2-/)
  const posted = await db.post({ name: 'By itself', rank: null })
  expect(posted.id).toMatch(/^[\w-]{32,36}$/)
  await db.remove('welcome', changed.rev)
  await expect(db.get('welcome')).rejects.toMatchObject({ status: 404, reason: 'deleted' })
  expect(await db.info()).toMatchObject({ doc_count: 1 })
})

test('R300 a stale revision is rejected as conflict, for PUT and in bulk, and nothing is lost', async () => {
  const db = open(1, 'downloadtemplate')
  const first = await db.put({ _id: 'a', name: 'A' })
  await db.put({ _id: 'a', _rev: first.rev, name: 'A2' })
  await expect(db.put({ _id: 'a', _rev: first.rev, name: 'late' })).rejects.toMatchObject({
    status: 409,
    name: 'conflict',
  })
  const answer = await app.call('PUT', `/documents/1/downloadtemplate/a?rev=${first.rev}`, {
    token: superadmin,
    body: { name: 'late' },
  })
  expect(answer).toMatchObject({
    status: 409,
    json: { error: 'conflict', reason: 'Document update conflict.' },
  })
  const results = await db.bulkDocs([
    { _id: 'a', _rev: first.rev, name: 'late' },
    { _id: 'b', name: 'B' },
  ])
  expect(results).toMatchObject([
    { status: 409, name: 'conflict' },
    { ok: true, id: 'b' },
  ])
  expect(await db.get('a')).toMatchObject({ name: 'A2' })
})

test('R300 bulk deletion by _deleted returns a result per document', async () => {
  const db = open(1, 'ipallocation')
  const made = await db.bulkDocs(
    Array.from({ length: 250 }, (_, index) => ({ _id: `doc${index}`, name: `${index}` })),
  )
  const removed = await db.bulkDocs(
    made.map((result, index) => ({ _id: `doc${index}`, _rev: result.rev ?? '', _deleted: true, name: '' })),
  )
  expect(removed.every(result => 'ok' in result)).toBe(true)
  expect((await db.allDocs()).rows).toEqual([])
  const again = await db.put({ _id: 'doc0', name: 'back' })
  expect(again.rev).toMatch(/^3-/)
})

test('R300 _find supports operators, sorting, bookmarks and fields', async () => {
  const db = open(2)
  await db.bulkDocs([
    { _id: '1', name: 'Anna', rank: 3, tags: ['x', 'y'], meta: { kind: 'a' } },
    { _id: '2', name: 'bernd', rank: 1, tags: ['y'], meta: { kind: 'b' } },
    { _id: '3', name: 'Clara', rank: null },
    { _id: '4', name: 'dora (50 %)', rank: 10, tags: [] },
  ])
  const ids = async (selector: Record<string, unknown>) =>
    (await db.find({ selector })).docs.map(({ _id }) => _id).toSorted()
  expect(await ids({ rank: 3 })).toEqual(['1'])
  expect(await ids({ rank: { $eq: null } })).toEqual(['3'])
  expect(await ids({ rank: { $ne: 3 } })).toEqual(['2', '3', '4'])
  expect(await ids({ rank: { $gt: 1 } })).toEqual(['1', '4'])
  expect(await ids({ rank: { $gte: 1, $lt: 10 } })).toEqual(['1', '2'])
  expect(await ids({ rank: { $lte: 1 } })).toEqual(['2', '3'])
  expect(await ids({ _id: { $gt: null } })).toEqual(['1', '2', '3', '4'])
  expect(await ids({ name: { $in: ['Anna', 'Clara'] } })).toEqual(['1', '3'])
  expect(await ids({ tags: { $in: ['x'] } })).toEqual(['1'])
  expect(await ids({ name: { $nin: ['Anna', 'Clara'] } })).toEqual(['2', '4'])
  expect(await ids({ tags: { $exists: false } })).toEqual(['3'])
  expect(await ids({ name: { $regex: '(?i)^(anna|BERND)$' } })).toEqual(['1', '2'])
  expect(await ids({ $or: [{ rank: 3 }, { name: 'Clara' }] })).toEqual(['1', '3'])
  expect(await ids({ $and: [{ rank: { $gt: 0 } }, { 'meta.kind': 'b' }] })).toEqual(['2'])
  expect(await ids({ $nor: [{ rank: 3 }, { rank: 1 }] })).toEqual(['3', '4'])
  expect(await ids({ $not: { 'meta.kind': 'a' } })).toEqual(['2'])
  expect(await ids({ tags: { $elemMatch: { $eq: 'x' } } })).toEqual(['1'])
  expect(await ids({ endpoint: 'sqltemplate' })).toHaveLength(4)

  await db.createIndex({ index: { fields: ['name'], name: 'by-name' } })
  expect((await db.createIndex({ index: { fields: ['name'], name: 'by-name' } })).result).toBe('exists')
  expect((await db.getIndexes()).indexes.map(({ name }) => name)).toEqual(['_all_docs', 'by-name'])
  const sorted = await db.find({
    selector: {},
    sort: [{ name: 'desc' }],
    fields: ['name', 'meta.kind'],
    limit: 3,
  })
  expect(sorted.docs).toEqual([
    { name: 'dora (50 %)' },
    { name: 'Clara' },
    { name: 'bernd', meta: { kind: 'b' } },
  ])
  const find = (body: unknown) =>
    app.call('POST', '/documents/2/sqltemplate/_find', { token: superadmin, body })
  const first = await find({ selector: {}, limit: 3 })
  const second = await find({ selector: {}, limit: 3, bookmark: first.json.bookmark })
  expect(second.json.docs).toMatchObject([{ _id: '4' }])
  const [byName] = (await db.getIndexes()).indexes.filter(({ name }) => name === 'by-name')
  if (byName?.ddoc) await db.deleteIndex({ ddoc: byName.ddoc, name: byName.name })
  expect((await db.getIndexes()).indexes).toHaveLength(1)
})

test('R300 _find returns 25 by default, and at most 9999', async () => {
  const db = open(2, 'ipallocation')
  await db.bulkDocs(Array.from({ length: 120 }, (_, index) => ({ _id: `n${index}`, name: `${index}` })))
  const find = (limit?: number) =>
    app.call('POST', '/documents/2/ipallocation/_find', { token: superadmin, body: { selector: {}, limit } })
  expect((await find()).json.docs).toHaveLength(25)
  expect((await find(100)).json.docs).toHaveLength(100)
  expect((await find(9999)).json.docs).toHaveLength(120)
  expect(await find(10_000)).toMatchObject({ status: 400, json: { error: 'bad_request' } })
})

test('R300 PouchDB replicates between two clients’ databases, both ways, with conflicts', async () => {
  const [here, there] = [open(3), open(4)]
  await here.bulkDocs([
    { _id: 'one', name: 'One' },
    { _id: 'two', name: 'Two' },
  ])
  const two = await here.get('two')
  await here.remove(two)
  await PouchDB.replicate(here, there)
  expect((await there.allDocs({ include_docs: true })).rows.map(({ doc }) => doc?.name)).toEqual(['One'])
  expect((await there.get('one'))._rev).toBe((await here.get('one'))._rev)

  const one = await here.get('one')
  await here.put({ ...one, name: 'changed here' })
  await there.put({ ...one, name: 'changed there' })
  await PouchDB.replicate(here, there)
  await PouchDB.replicate(there, here)
  const [ours, theirs] = await Promise.all([here, there].map(db => db.get('one', { conflicts: true })))
  expect(ours).toEqual(theirs)
  expect(ours?._conflicts).toHaveLength(1)
  const nothingNew = await PouchDB.replicate(here, there)
  expect(nothingNew.docs_written).toBe(0)
})

test('R300 changes can be resumed', async () => {
  const db = open(4, 'clustermailclass')
  await db.put({ _id: 'a', name: 'A' })
  const first = await db.changes({ since: 0 })
  expect(first.results).toMatchObject([{ id: 'a' }])
  await db.put({ _id: 'b', name: 'B' })
  const next = await db.changes({ since: first.last_seq, include_docs: true })
  expect(next.results).toMatchObject([{ id: 'b', doc: { name: 'B' } }])
  const heard = new Promise<string>(resolve => {
    const live = db.changes({ since: next.last_seq, live: true }).on('change', change => {
      live.cancel()
      resolve(change.id)
    })
  })
  await db.put({ _id: 'c', name: 'C' })
  expect(await heard).toBe('c')
})

test('R300 T30 databases need client and permission; a tool may send its token as password', async () => {
  const { token } = await app.logIn({ clients: [1], permissions: ['SqlTemplate:get', 'SqlTemplate:post'] })
  const status = async (path: string, ask = {}) => (await app.call('GET', path, { token, ...ask })).status
  expect(await status('/documents/1/sqltemplate')).toBe(200)
  expect(await status('/documents/2/sqltemplate')).toBe(404)
  expect(await status('/documents/1/downloadtemplate')).toBe(403)
  expect(await status('/documents/1/nonsense')).toBe(404)
  expect(await status('/documents/1/sqltemplate', { token: undefined })).toBe(401)
  const basic = `Basic ${Buffer.from(`tool:${token}`).toString('base64')}`
  expect(
    await status('/documents/1/sqltemplate', { token: undefined, headers: { authorization: basic } }),
  ).toBe(200)
  // Writing through screens is limited to the system area.
  const write = await app.call('POST', '/documents/1/sqltemplate', { token, body: { name: 'mine' } })
  expect(write).toMatchObject({ status: 403, json: { error: 'forbidden' } })
  const bulk = await app.call('POST', '/documents/1/sqltemplate/_bulk_docs', {
    token,
    body: { docs: [{ _id: 'x' }] },
  })
  expect(bulk.json).toMatchObject([{ id: 'x', error: 'forbidden' }])
})

test('R300 malicious input is rejected with a message, and bounded', async () => {
  const post = (path: string, body: unknown, payload?: string) =>
    app.call('POST', `/documents/1/sqltemplate${path}`, {
      token: superadmin,
      ...(payload === undefined ? { body } : { payload, headers: { 'content-type': 'application/json' } }),
    })
  let deep: unknown = 1
  for (let level = 0; level < 60; level++) deep = { deep }
  const refused: [string, unknown, string?][] = [
    ['/_find', { selector: { name: { $where: '1' } } }],
    ['/_find', { selector: { $or: 'x' } }],
    ['/_find', { selector: { name: { $regex: '(' } } }],
    ['/_find', { selector: { name: { $regex: '(a)\\1' } } }],
    ['/_find', { selector: { name: { $regex: 'a'.repeat(600) } } }],
    ['/_find', { selector: { $and: Array.from({ length: 300 }, () => ({ a: 1 })) } }],
    ['/_find', { selector: deep }],
    ['/_find', { selector: {}, bookmark: 'rubbish' }],
    ['/_find', { selector: {}, sort: ["name'; drop table document"], limit: -1 }],
    ['/_find', []],
    ['/_find', null],
    ['', { name: 'a\u0000b' }],
    ['', { name: '\ud800' }],
    ['', { _id: '_design/x' }],
    ['', { _secret: 1 }],
    ['', deep],
    ['', undefined, '{"__proto__":{"a":1}}'],
    ['', undefined, '{"n":1e400}'],
    ['', undefined, `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['', { text: 'x'.repeat(300_000) }],
    ['/_bulk_docs', { docs: [1] }],
    ['/_bulk_get', { docs: 'x' }],
    ['/_revs_diff', { a: 1 }],
    ['/_index', { index: {} }],
  ]
  for (const [path, body, payload] of refused) {
    const answer = await post(path, body, payload)
    expect({
      path,
      body: payload?.slice(0, 40) ?? JSON.stringify(body)?.slice(0, 80),
      status: answer.status,
    }).toMatchObject({
      status: expect.toBeOneOf([400, 413]),
    })
    expect(answer.json).toMatchObject({ error: expect.any(String), reason: expect.any(String) })
  }
  for (const query of ['since=x', 'feed=continuous', 'limit=-1'])
    expect(
      (await app.call('GET', `/documents/1/sqltemplate/_changes?${query}`, { token: superadmin })).status,
    ).toBe(400)
  expect(
    (await app.call('GET', '/documents/1/sqltemplate/_all_docs?startkey=a', { token: superadmin })).status,
  ).toBe(400)
  expect(await open(1).find({ selector: { name: { $regex: '^(a+)+$' } } })).toMatchObject({ docs: [] })
})
