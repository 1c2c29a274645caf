import { gunzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiSession, openApi } from '../api-session.ts'
import { inspect } from '../inspect.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import type { RunningEmma } from '../launch-emma.ts'
import { allowFaults } from '../page-faults.ts'
import { pressGoTo } from '../press-go-to.ts'
import { CONSOLE_ROLES, startEmma } from '../start-emma.ts'

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: CONSOLE_ROLES })
  api = await openApi(emma)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})
beforeEach(async () => {
  page ??= await openConsole(browser, emma)
})
/** Nothing of a test reaches the next one: its routes, its cached responses, its language. A page of its own costs more. */
afterEach(async () => {
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.evaluate(() => caches.delete('api-brm'))
  await page.goto(`${emma.url}/dashboard?lng=en`)
  await page.getByRole('heading', { level: 1 }).waitFor()
})

test('R155 R159 R163 a patch sends the changed fields, the token and the revision', async () => {
  const { message_id } = (await api.get('/emma/message/?limit=1')).data[0]
  await page.goto(`${emma.url}/templates/edit/${message_id}`)
  await page.getByLabel('Subject').first().fill('Another subject')
  const sent = page.waitForRequest(request => request.method() === 'PATCH')
  await page.getByRole('button', { name: 'Save' }).click()
  const plain = await sent
  expect(await plain.headerValue('authorization')).toMatch(/^Bearer ey/)
  expect(await plain.headerValue('x-revision')).toMatch(/^\d+$/)
  expect(plain.postDataJSON()).toEqual({ subject: 'Another subject' })
  await page
    .getByText(/is saved/)
    .first()
    .waitFor()
})

test('R162 a body larger than a kilobyte is compressed', async () => {
  await page.goto(`${emma.url}/settings/mailclasses/edit/1`)
  const story = 'It goes on and on. '.repeat(45)
  await page.getByLabel('Description').fill(story)
  await page.getByLabel('Description').fill(story + 'ä'.repeat(100))
  const sent = page.waitForRequest(request => request.method() === 'PATCH')
  await page.getByRole('button', { name: 'Save' }).click()
  const request = await sent
  expect(await request.headerValue('content-encoding')).toBe('gzip')
  const body = gunzipSync(request.postDataBuffer() ?? Buffer.alloc(0)).toString()
  expect(JSON.parse(body)).toEqual({ description: story + 'ä'.repeat(100) })
  await page
    .getByText(/is saved/)
    .first()
    .waitFor()
})

test('R163 R169 two users change a record: both versions are compared by field and saved with the new revision', async () => {
  const { mailclass_id } = await api.post('/emma/mailclass/', { name: 'Contested', type: 'bulk' })
  await page.goto(`${emma.url}/settings/mailclasses/edit/${mailclass_id}`)
  await page.getByLabel('Name').first().fill('Mine')
  await page.getByLabel('Description').fill('My words')
  await api.patch(`/emma/mailclass/${mailclass_id}`, { name: 'Theirs', description: 'Their words' })
  const refused = page.waitForResponse(response => response.status() === 409)
  await page.getByRole('button', { name: 'Save' }).click()
  expect(await (await refused).json()).toMatchObject({ error: 'Faulty X-Revision value provided' })

  await page.getByRole('heading', { name: 'Someone else changed this in the meantime' }).waitFor()
  const save = page.getByRole('button', { name: 'Save this version' })
  expect(await save.isDisabled()).toBe(true)
  expect(await page.getByRole('row').allInnerTexts()).toEqual([
    expect.stringContaining('Your version'),
    expect.stringMatching(/Name\s+Mine\s+Theirs/),
    expect.stringMatching(/Description\s+My words\s+Their words/),
  ])
  await inspect(page, 'conflict')
  await page.getByRole('radio', { name: 'Keep your version of Name' }).check()
  await page.getByRole('radio', { name: 'Keep the saved version of Description' }).check()
  await save.click()
  await page
    .getByText(/is saved/)
    .first()
    .waitFor()
  expect(await api.get(`/emma/mailclass/${mailclass_id}`)).toMatchObject({
    name: 'Mine',
    description: 'Their words',
  })
})

const refusals = [
  [500, { error: 'Domain is already being setup.' }, 'This domain is being set up already.'],
  [
    503,
    { error: 'SQLSTATE[08006]: Connection failure', code: 'database_down' },
    'The database cannot be reached',
  ],
  [
    409,
    { error: 'SQLSTATE[23505]: Unique violation: Key (email)=(a@b.de) already exists.' },
    'There is already an entry with email “a@b.de”.',
  ],
  [403, { error: 'not supported in demo', code: 'not_in_demo' }, 'not supported in demo'],
  [500, { error: 'The mail server is full' }, 'The mail server is full'],
] as const

test.each(refusals)('R314 R316 R317 %s %j is shown as “%s”', async (status, json, words) => {
  await failMailclasses({ status, json })
  await visit('m', 'Mail classes')
  expect(await page.getByRole('alert').first().innerText()).toContain(words)
})

test.each([
  ['text/html', '<html><title>Gateway exploded</title></html>', 'Gateway exploded'],
  ['application/json', '', 'Bad Gateway'],
])('R314 a response of a proxy (%s %s) is shown as “%s”', async (contentType, body, words) => {
  await failMailclasses({ status: 502, contentType, body })
  await visit('m', 'Mail classes')
  expect(await page.getByRole('alert').first().innerText()).toContain(words)
})

test('R317 a response that is neither list nor record shows an error', async () => {
  await failMailclasses({ status: 200, json: { surprise: true } })
  await visit('m', 'Mail classes')
  expect(await page.getByRole('alert').first().innerText()).toContain('Unknown response signature')
})

test.each([
  ['de', 'Mailklassen', 'Die Datenbank'],
  ['es', 'Clases de correo', 'base de datos'],
])('R316 errors are translated to %s', async (language, _, words) => {
  await failMailclasses({ status: 503, json: { error: 'SQLSTATE[HY000]: gone' } })
  await page.goto(`${emma.url}/settings/mailclasses?lng=${language}`)
  expect(await page.getByRole('alert').first().innerText()).toContain(words)
})

test('R320 expected errors are not reported, bugs are', async () => {
  allowFaults(
    /Failed to fetch$/,
    /Expired token$/,
    /No token found!$/,
    /X-Revision value provided$/,
    /stopped$/,
    /A real bug$/,
  )
  const reports: unknown[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/client-error'))
      reports.push(request.postDataJSON()?.message)
  })
  await page.evaluate(() => {
    for (const text of [
      'Failed to fetch',
      'Expired token',
      'No token found!',
      'Faulty X-Revision value provided',
    ])
      void Promise.reject(new Error(text))
    void Promise.reject(new DOMException('stopped', 'AbortError'))
    void Promise.reject(new Error('A real bug'))
  })
  await expect.poll(() => reports).toEqual(['A real bug'])
})

test('T2 a forbidden list shows the forbidden state', async () => {
  await failMailclasses({ status: 403, json: { error: 'Forbidden', code: 'forbidden' } })
  await visit('m', 'Mail classes')
  expect(await page.getByRole('heading', { level: 2 }).innerText()).toBe('You may not open this')
  await inspect(page, 'forbidden-inline')
})

// The last one: a page keeps the clock that is installed in it.
test('R166 R167 T13a a list is cached for a minute, per user and client, until a write', async () => {
  await page.clock.install()
  let asked = 0
  page.on('request', request => {
    if (request.method() === 'GET' && request.url().includes('/api/emma/mailclass/?')) asked++
  })
  await visit('c', 'Campaigns')
  await visit('m', 'Mail classes')
  await page.getByText('default_bulk').or(page.getByRole('row').nth(1)).first().waitFor()
  expect(asked).toBe(1)
  const keys = await page.evaluate(async () =>
    (await (await caches.open('api-brm')).keys()).map(request => request.url),
  )
  expect(keys.filter(url => url.includes('/mailclass/'))).toEqual([
    expect.stringMatching(/cache-scope=1\.0\.1$/),
  ])

  // The query cache is stale, the response cache is not.
  await visit('c', 'Campaigns')
  await page.clock.fastForward(20_000)
  await visit('m', 'Mail classes')
  await page.getByRole('row').nth(1).waitFor()
  expect(asked).toBe(1)

  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await page.getByLabel('Description').fill('Changed by a test')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/is saved/).waitFor()
  await visit('m', 'Mail classes')
  await page.getByRole('row').nth(1).waitFor()
  await expect.poll(() => asked).toBe(2)
})

type Answer = { status: number; json?: unknown; contentType?: string; body?: string }

async function failMailclasses(answer: Answer): Promise<void> {
  if (answer.status >= 500) allowFaults(/\/api\/emma\/mailclass\//)
  await page.route('**/api/emma/mailclass/**', route => route.fulfill(answer))
}

/** Presses `g` and a letter. */
async function visit(letter: string, heading: string): Promise<void> {
  await page.locator('body').focus()
  await pressGoTo(page, letter)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}
