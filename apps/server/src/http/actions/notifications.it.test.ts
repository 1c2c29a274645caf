import { notification } from '@emma/contract/actions/notifications.ts'
import { addNotification } from '@emma/db/add-notification.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runMaintenance } from '../../jobs/run-maintenance.ts'
import { createLogger } from '../../logger.ts'
import { startTestApp, type TestApp } from '../../test/app.ts'

let app: TestApp
let ann: { token: string; userId: number }
let bob: { token: string; userId: number }
let stranger: { token: string; userId: number }

beforeAll(async () => {
  app = await startTestApp()
  await app.db
    .insertInto('client')
    .values([1, 2].map(client_id => ({ client_id, name: `Client ${client_id}` })))
    .execute()
  ann = await app.logIn({ clients: [1] })
  bob = await app.logIn({ clients: [1], permissions: ['EmmaList:get'] })
  stranger = await app.logIn({ clients: [2] })
})
afterAll(() => app.close())

const list = async ({ token }: { token: string }, query = '') => {
  const answer = await app.call('GET', `/notification/${query}`, { token })
  expect(answer.status).toBe(200)
  return notification.array().parse(JSON.parse(answer.text))
}

test('R290 T22 create, find, find-one and delete answer text: a list begins with [, an object with {', async () => {
  const { token } = ann
  const made = await app.call('POST', '/notification/', {
    token,
    body: { kind: 'warning', text: 'The office moves', path: '/help', user_id: ann.userId },
  })
  const { id } = JSON.parse(made.text)
  const calls = [
    [made, 201, '{'],
    [await app.call('GET', '/notification/', { token }), 200, '['],
    [await app.call('GET', `/notification/${id}`, { token }), 200, '{'],
    [await app.call('GET', '/notification:count', { token }), 200, '{'],
    [await app.call('DELETE', `/notification/${id}`, { token }), 200, '{'],
  ] as const
  for (const [answer, status, first] of calls) {
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.text[0]).toBe(first)
  }
  expect(await list(ann)).toEqual([])
})

test('R290 rejections are plain text', async () => {
  const { token } = ann
  const refused = [
    [await app.call('GET', '/notification/'), 401, 'No token found!'],
    [await app.call('GET', '/notification/999999', { token }), 404, 'Not found'],
    [await app.call('GET', '/notification/abc', { token }), 404, 'Not found'],
    [await app.call('POST', '/notification/', { token: bob.token, body: { text: 'x' } }), 403, 'Forbidden'],
    [
      await app.call('POST', '/notification/', { token, body: { text: '', kind: 'loud' } }),
      422,
      expect.stringContaining('text'),
    ],
    [
      await app.call('POST', '/notification/', { token, body: { text: 'x', path: '//evil.test' } }),
      422,
      expect.stringContaining('path'),
    ],
    [
      await app.call('POST', '/notification/', { token, body: { text: 'x', client_id: 2 } }),
      404,
      'Not found',
    ],
    [
      await app.call('POST', '/notification/', { token, body: { text: 'x', user_id: stranger.userId } }),
      422,
      expect.stringContaining('user_id'),
    ],
    [await app.call('GET', '/notification/?limit=0', { token }), 400, expect.stringContaining('limit')],
  ] as const
  for (const [answer, status, text] of refused) {
    expect({ status: answer.status, text: answer.text }).toEqual({ status, text })
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  }
})

test('R290 users see their own: by client, user and permission', async () => {
  const { db } = app
  const forAll = await addNotification(db, { clientId: 1, kind: 'info', text: 'all of client 1' })
  const forAnn = await addNotification(db, { clientId: 1, userId: ann.userId, kind: 'info', text: 'Ann' })
  const byRight = await addNotification(db, {
    clientId: 1,
    permission: 'EmmaDomain:get',
    kind: 'info',
    text: 'domains',
  })
  const ids = async (person: { token: string }) => (await list(person)).map(({ id }) => id)
  expect(await ids(ann)).toEqual([byRight, forAnn, forAll])
  expect(await ids(bob)).toEqual([forAll])
  expect(await ids(stranger)).toEqual([])
  for (const id of [forAnn, byRight])
    for (const method of ['GET', 'DELETE'] as const)
      expect((await app.call(method, `/notification/${id}`, { token: bob.token })).status).toBe(404)
  expect((await app.call('GET', `/notification/${forAll}`, { token: stranger.token })).status).toBe(404)
  expect((await app.call('GET', '/notification/?client_id=1', { token: stranger.token })).status).toBe(404)
})

test('R290 users read and delete their own; deleted after 90 days', async () => {
  const count = async ({ token }: { token: string }) =>
    JSON.parse((await app.call('GET', '/notification:count', { token })).text)
  const [newest] = await list(ann)
  const read = await app.call('POST', '/notification:read', { token: ann.token, body: { ids: [newest?.id] } })
  expect(JSON.parse(read.text)).toEqual({ unread: 2, total: 3 })
  expect((await list(ann, '?unread=true')).map(({ text }) => text)).toEqual(['Ann', 'all of client 1'])
  expect(await list(ann, '?search=DOMAIN')).toHaveLength(1)
  await app.call('POST', '/notification:clear', { token: ann.token })
  expect(await count(ann)).toEqual({ unread: 0, total: 0 })
  expect(await count(bob)).toEqual({ unread: 1, total: 1 })

  await app.db.updateTable('notification').set({ created_at: '2020-01-01T00:00:00Z' }).execute()
  expect(await count(bob)).toEqual({ unread: 0, total: 0 })
  const context = {
    db: app.db,
    pool: app.pool,
    logger: createLogger('jobs', 'silent'),
    signal: AbortSignal.timeout(60_000),
  }
  await runMaintenance({}, context)
  expect(await app.db.selectFrom('notification').select('id').execute()).toEqual([])
})
