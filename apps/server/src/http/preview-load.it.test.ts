import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let client: TestClient
beforeAll(async () => {
  app = await startTestApp()
  client = await addTestClient(app, await app.logInSuperadmin())
})
afterAll(() => app.close())

test('a preview that waits too long is answered with busy, and succeeds later', async () => {
  const { token } = await app.logIn({ clients: [client.clientId] })
  const path = `/v2/emma/client/${client.clientId}/message/0/render/0`
  const body = { subject: 'Hello', body_long: `<p>${'News '.repeat(20_000)}</p>` }
  const preview = () => app.call('POST', path, { token, body })
  // The first one starts a thread, which takes longer than receiving all others.
  const answers = await Promise.all(Array.from({ length: 40 }, preview))
  const busy = answers.filter(({ status }) => status !== 200)
  expect(busy.length).toBeGreaterThan(0)
  for (const { status, error, headers } of busy) {
    expect({ status, code: error.code, retry: headers['retry-after'] }).toEqual({
      status: 503,
      code: 'busy',
      retry: '5',
    })
  }
  expect(await preview()).toMatchObject({ status: 200, json: { subject: 'Hello' } })
})

test('the sample recipient has only columns of the datasource, as the warnings of the check', async () => {
  const { clientId } = client
  const { token } = await app.logIn({ clients: [clientId] })
  const added = await app.call('POST', '/emma/membertable/', {
    token,
    body: {
      client_id: clientId,
      name: 'Cities',
      emmamembertableschema: [{ column_name: 'city', label: 'City', data_type: 'string' }],
    },
  })
  const path = `/v2/emma/client/${clientId}/message/0/render/0?member_table_id=${String(added.json.member_table_id)}`
  const body = { subject: 'Hello {{ member.firstname }} of {{ member.city }}', body_text: 'Text' }
  const preview = await app.call('POST', path, { token, body })
  expect(preview.json.subject).toBe('Hello  of Berlin')
  expect(preview.json.warnings).toContainEqual(
    expect.objectContaining({
      code: 'unknown-placeholder',
      values: expect.objectContaining({ path: 'member.firstname' }),
    }),
  )
})
