import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../test/app.ts'
import { addTestClient, type TestClient } from '../../test/fixtures.ts'

let app: TestApp
let client: TestClient
let token: string

beforeAll(async () => {
  app = await startTestApp()
  client = await addTestClient(app, await app.logInSuperadmin())
  token = (await app.logIn({ clients: [client.clientId] })).token
})
afterAll(() => app.close())

const convert = (mjml: string, clientId = client.clientId) =>
  app.call('POST', `/v2/emma/client/${clientId}/message:html-sections`, { token, body: { body_mjml: mjml } })

test('a block of MJML is converted for a template in HTML, which can be saved with it', async () => {
  const block = await convert(
    '<mj-section><mj-column width="50%"><mj-text>{{ member.email }}</mj-text></mj-column><mj-column /></mj-section>',
  )
  expect(block).toMatchObject({
    status: 200,
    json: {
      html: expect.stringContaining('{{ member.email }}'),
      styles: [expect.any(String), expect.any(String)],
    },
  })
  const { html, styles } = block.json
  const body_long = `<html><head>${String(styles)}</head><body>${String(html)}</body></html>`
  const saved = await app.call('POST', '/emma/message/', {
    token,
    body: { name: 'HTML', subject: 'Hi', body_long },
  })
  expect(saved.status).toBe(201)
})

test('a block that MJML cannot convert is refused with the reason; other clients are not found', async () => {
  expect(await convert('<mj-section>\n<mj-text>Not in a column</mj-text></mj-section>')).toMatchObject({
    status: 422,
    error: { fields: [{ field: 'body_mjml', values: { line: 2 } }] },
  })
  expect(await convert('<mj-section />', client.clientId + 999)).toMatchObject({ status: 404 })
})
