import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../test/app.ts'

/** Two nodes with one database; each caches for a minute, unless notified. */
let writer: TestApp
let reader: TestApp
let root: string
const clients: number[] = []

beforeAll(async () => {
  const environment = { EMMA_KEPT_SECONDS: '60' }
  writer = await startTestApp(environment)
  const { db, pool, config } = writer
  const url = String(config.databaseUrl)
  reader = await startTestApp(environment, { db, pool, url, drop: async () => {} })
  root = await writer.logInSuperadmin()
  for (const name of ['North', 'South']) {
    const { json } = await write('POST', '/emma/client/', {
      name,
      contact_email: 'office@example.test',
      language: 'en',
      timezone: 'UTC',
    })
    clients.push(Number(json.client_id))
  }
})
afterAll(async () => {
  await reader.close()
  await writer.close()
})

test('a client removed from a user is inaccessible on every node', async () => {
  const { token, userId } = await writer.logIn({ clients })
  const status = () => statusOf(`/v2/emma/client/${clients[1]}/mailclass/`, token)
  expect(await status()).toBe(200)
  await write('PATCH', `/user/${userId}`, { clients: [clients[0]] })
  await expect.poll(status).not.toBe(200)
})

test('the active client changes on every node', async () => {
  const { token, userId } = await writer.logIn({ clients })
  const active = async () => {
    const { json } = await reader.call('POST', '/emma/mailclass/', { token, body: { name: nextName() } })
    return json.client_id
  }
  expect(await active()).toBe(clients[0])
  const switched = await writer.call('POST', `/user/${userId}/settings/`, {
    token,
    body: { client_id: clients[1] },
  })
  expect(switched).toMatchObject({ status: 200 })
  await expect.poll(active).toBe(clients[1])
})

test('a deleted client is inaccessible, and a restored one accessible, on every node', async () => {
  const { json } = await write('POST', '/emma/client/', {
    name: 'West',
    contact_email: 'office@example.test',
    language: 'en',
    timezone: 'UTC',
  })
  const west = Number(json.client_id)
  const { token } = await writer.logIn({ clients: [clients[0] ?? 0, west] })
  const status = () => statusOf(`/v2/emma/client/${west}/mailclass/`, token)
  expect(await status()).toBe(200)
  await write('DELETE', `/emma/client/${west}`)
  await expect.poll(status).not.toBe(200)
  await write('POST', `/emma/client/${west}/restore`)
  await expect.poll(status).toBe(200)
})

test('a deleted datasource is gone on every node', async () => {
  const [clientId = 0] = clients
  const { token } = await writer.logIn({ clients: [clientId] })
  const { json } = await write('POST', '/emma/membertable/', { name: 'People' }, token)
  const id = Number(json.member_table_id)
  const status = () => statusOf(`/v2/emma/client/${clientId}/membertable/${id}/member/`, token)
  expect(await status()).toBe(200)
  await write('DELETE', `/emma/membertable/${id}`, undefined, token)
  await expect.poll(status).toBe(404)
})

test('a column that is added or removed is known on every node, long before answers expire', async () => {
  const [clientId = 0] = clients
  const { token } = await writer.logIn({ clients: [clientId] })
  const { json } = await write('POST', '/emma/membertable/', { name: 'Readers' }, token)
  const id = Number(json.member_table_id)
  const members = `/v2/emma/client/${clientId}/membertable/${id}/member/`
  await write('POST', members, { email: 'ann@example.test' }, token)
  const columns = async () => {
    const { data } = (await reader.call('GET', members, { token })).json
    return Object.keys(Object(Array.isArray(data) ? data[0] : {}))
  }
  const within = { timeout: 20_000 }
  expect(await columns()).toContain('email')
  expect(await columns()).not.toContain('nickname')

  const column = { column_name: 'nickname', label: 'Nickname', data_type: 'string' }
  await write('PATCH', `/emma/membertable/${id}`, { emmamembertableschema: [column] }, token)
  await expect.poll(columns, within).toContain('nickname')
  const removal = { emmamembertableschema: [], removed_columns: ['nickname'] }
  await write('PATCH', `/emma/membertable/${id}`, removal, token)
  await expect.poll(columns, within).not.toContain('nickname')
})

async function write(
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  token = root,
): Promise<Answer> {
  const answer = await writer.call(method, path, { token, body })
  expect([200, 201, 204]).toContain(answer.status)
  return answer
}

async function statusOf(path: string, token: string): Promise<number> {
  return (await reader.call('GET', path, { token })).status
}

let names = 0
function nextName(): string {
  names += 1
  return `class_${'abcdefghij'.charAt(names % 10)}${'abcdefghij'.charAt(Math.floor(names / 10) % 10)}`
}
