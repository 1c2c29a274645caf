import { compileHere } from '@emma/core/content/compile-message.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../test/app.ts'
import { addTestClient, type TestClient } from '../test/fixtures.ts'

let app: TestApp
let client: TestClient
let token: string

beforeAll(async () => {
  app = await startTestApp()
  client = await addTestClient(app, await app.logInSuperadmin())
  token = (await app.logIn({ clients: [client.clientId] })).token
  await app.db.updateTable('domain').set({ status: 'verified' }).execute()
})
afterAll(() => app.close())

const section = `
    <mj-section background-color="#ffffff" padding="16px 0">
      <mj-column width="50%"><mj-image src="https://example.com/a.png" alt="A" width="240px" /></mj-column>
      <mj-column width="50%">
        <mj-text font-size="16px" color="#333333">Hello {{ member.email }}, ${'news of the week '.repeat(20)}</mj-text>
        <mj-button href="https://example.com/offer" background-color="#1f2937">See the offer</mj-button>
      </mj-column>
    </mj-section>`
const footer =
  '<mj-section><mj-column><mj-text><a href="{{ link.unsubscribe }}">Unsubscribe</a></mj-text></mj-column></mj-section>'
/** MJML of about 96 kB. */
const mjml = (title: string) =>
  `<mjml><mj-head><mj-title>${title}</mj-title></mj-head><mj-body>${section.repeat(110)}${footer}</mj-body></mjml>`

/** Processor time of this thread, which answers all requests, in milliseconds: the least of three rounds. */
async function threadTime(
  work: (round: number) => Promise<unknown>,
  prepare: (round: number) => Promise<unknown> = async () => {},
): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    await prepare(round)
    const before = process.threadCpuUsage()
    await work(round)
    const { user, system } = process.threadCpuUsage(before)
    times.push((user + system) / 1_000)
  }
  return Math.min(...times)
}

test('templates are created, saved, opened and tested without compiling on the thread of the API', async () => {
  const source = {
    subject: 'News',
    preheader: '',
    html: '',
    mjml: mjml('Here'),
    text: '',
    modules: [],
    known: { member: ['email'] },
    trackingBase: app.config.trackingUrl,
    isTracked: true,
  }
  const compilation = await threadTime(() => compileHere(client.clientId, source, []))

  const call = async (...ask: Parameters<TestApp['call']>) => {
    const { status, json } = await app.call(...ask)
    expect(status).toBeLessThan(300)
    return json
  }
  const body = { name: 'Large', subject: 'News', body_mjml: mjml('Created') }
  const created = await call('POST', '/emma/message/', { token, body })
  expect(created['urls']).toHaveLength(110)
  const path = `/emma/message/${String(created['message_id'])}`
  const testPath = `/v2/emma/client/${client.clientId}/message:test`
  const emails = ['me@example.test']
  const patch = (round: number) =>
    call('PATCH', path, { token, body: { body_mjml: mjml(`Changed ${round}`) } })
  const works = {
    create: (round: number) =>
      call('POST', '/emma/message/', { token, body: { ...body, body_mjml: mjml(`Created ${round}`) } }),
    patch,
    open: () => call('GET', path, { token }),
    test: () => call('POST', testPath, { token, body: { message_id: created['message_id'], emails } }),
  }
  const times: Record<string, number> = {}
  for (const [name, work] of Object.entries(works))
    times[name] = await threadTime(work, name === 'open' || name === 'test' ? patch : undefined)
  const allowed = compilation / 2
  const isAbove = ([, time]: [string, number]) => time > allowed
  expect({ compilation, above: Object.entries(times).filter(isAbove) }).toEqual({ compilation, above: [] })
})

test('an opened template shows the findings of today, and those of saving without a compilation', async () => {
  const body = { name: 'Findings', subject: '', body_mjml: mjml('Findings') }
  const created = await app.call('POST', '/emma/message/', { token, body })
  const path = `/emma/message/${String(created.json['message_id'])}`
  const opened = await app.call('GET', path, { token })
  expect(opened.json['warnings']).toEqual(created.json['warnings'])
  expect(opened.json['urls']).toEqual(created.json['urls'])

  const imprint = { name: 'Imprint', token: 'imprint', type: 'text', body: { en: 'A' }, is_mandatory: true }
  await app.call('POST', '/emma/placeholder/', { token, body: imprint })
  const later = await app.call('GET', path, { token })
  expect(later.json['warnings']).toContainEqual(expect.objectContaining({ code: 'mandatory-module-missing' }))
})

test('concurrent changes of one template without a revision are all saved', async () => {
  const body = {
    name: 'Shared',
    subject: 'One',
    body_long: '<p><a href="https://example.com/one">One</a></p>',
  }
  const created = await app.call('POST', '/emma/message/', { token, body })
  const path = `/emma/message/${String(created.json['message_id'])}`
  const changes = [
    { subject: 'Two' },
    { preheader: 'Three' },
    { body_long: '<p><a href="https://example.com/four">Four</a></p>' },
    { lang: 'de' },
  ]
  const saved = await Promise.all(changes.map(change => app.call('PATCH', path, { token, body: change })))
  expect(saved.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const opened = await app.call('GET', path, { token })
  expect(opened.json).toMatchObject({
    ...Object.assign({}, ...changes),
    urls: [{ url: 'https://example.com/four' }],
    revision: Number(created.json['revision']) + changes.length,
  })
})
