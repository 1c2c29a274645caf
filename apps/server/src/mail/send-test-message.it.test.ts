import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let ours: TestClient
let theirs: TestClient
let token: string

beforeAll(async () => {
  app = await startTestApp()
  const superadmin = await app.logInSuperadmin()
  ours = await addTestClient(app, superadmin)
  theirs = await addTestClient(app, superadmin)
  token = (await app.logIn({ clients: [ours.clientId] })).token
})
afterAll(() => app.close())

const send = (body: object) =>
  app.call('POST', `/v2/emma/client/${ours.clientId}/message:test`, {
    token,
    body: { message_id: ours.ids.message, emails: ['me@example.test'], ...body },
  })

async function setDomain(values: object): Promise<void> {
  await app.db.updateTable('domain').set(values).where('client_id', '=', ours.clientId).execute()
}

test('message:test, an unverified domain sends nothing', async () => {
  for (const status of ['new', 'pending', 'failed', 'blocked']) {
    await setDomain({ status })
    const answer = await send({})
    expect(answer).toMatchObject({ status: 422, error: { fields: [{ field: 'domain_id' }] } })
  }
})

test('message:test, a blocklisted domain and a sender of another domain send nothing', async () => {
  await setDomain({ status: 'verified', is_blocklisted: true })
  expect(await send({})).toMatchObject({ status: 422, error: { fields: [{ field: 'domain_id' }] } })
  await setDomain({ is_blocklisted: false })
  await app.db
    .updateTable('campaign')
    .set({ fromadr: 'ceo@bank.example' })
    .where('client_id', '=', ours.clientId)
    .execute()
  const answer = await send({ campagne_id: ours.ids.campaign })
  expect(answer).toMatchObject({ status: 422, error: { fields: [{ field: 'fromadr' }] } })
})

test('message:test, a campaign or a domain of another client is rejected, never replaced silently', async () => {
  await setDomain({ status: 'verified' })
  for (const [field, id] of [
    ['campagne_id', theirs.ids.campaign],
    ['domain_id', theirs.ids.domain],
  ])
    expect(await send({ [String(field)]: id })).toMatchObject({ status: 422, error: { fields: [{ field }] } })
})

test('message:test, a deactivated client sends nothing', async () => {
  const setActive = (is_active: boolean) =>
    app.db.updateTable('client').set({ is_active }).where('client_id', '=', ours.clientId).execute()
  await setDomain({ status: 'verified' })
  await setActive(false)
  expect(await send({})).toMatchObject({ status: 422, error: { fields: [{ field: 'client_id' }] } })
  await setActive(true)
})

test('message:test, with a verified domain it reaches the transport', async () => {
  await setDomain({ status: 'verified' })
  const answer = await send({})
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject({ results: [{ email: 'me@example.test' }] })
})
