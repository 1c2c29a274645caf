import { campaignState } from '@emma/contract/campaign-states.ts'
import { socketToken } from '@emma/contract/socket.ts'
import type { Browser, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, openApi, until } from '../api-session.ts'
import { inspect } from '../inspect.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import { runUntilVisible } from '../run-clock.ts'
import { adminPassword, type RunningEmma } from '../launch-emma.ts'
import { startEmma } from '../start-emma.ts'

let emma: RunningEmma
let browser: Browser
let api: ApiSession
let page: Page

beforeAll(async () => {
  emma = await startEmma({ roles: 'api,jobs' })
  api = await openApi(emma)
  // Stopped, since the end of the first campaign would add a notification; a manual stop adds none.
  await api.post('/emma/campaign/1/stop').catch(() => {})
  await until(
    () => api.get('/emma/campaign/1'),
    ({ valid }) => valid === campaignState.stopped || valid === campaignState.finished,
  )
  browser = await openBrowser()
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

const bell = () => page.getByRole('button', { name: /^Notifications/ })
const create = (text: string, path: string | null = null) =>
  api.post('/notification/', { kind: 'warning', text, path })

test('R291 the socket connects after 5 s, with the token, and comes back after 60 s', async () => {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  const other = await context.newPage()
  const sockets: WebSocketRoute[] = []
  await other.routeWebSocket(/\/api\/socket/, socket => void sockets.push(socket))
  await other.goto(`${emma.url}/login`)
  await other.getByLabel('User name').fill('admin')
  await other.getByLabel('Password', { exact: true }).fill(adminPassword)
  await other.clock.install()
  await other.clock.pauseAt(await other.evaluate(() => Date.now() + 60_000))
  await other.getByRole('button', { name: 'Log in' }).click()
  const gone = await runUntilVisible(other.getByRole('heading', { name: 'Dashboard' }))
  await other.clock.runFor(4_900 - gone)
  expect(sockets).toHaveLength(0)
  await other.clock.runFor(200 + gone)
  await until(
    async () => sockets.length,
    count => count === 1,
  )
  await other.clock.resume()
  const token = await other.evaluate(() => localStorage.getItem('loginToken'))
  expect(sockets[0]?.url()).toMatch(/\/api\/socket$/)
  expect(socketToken(sockets[0]?.protocols().join())).toBe(token)

  const [socket] = sockets
  socket?.send(JSON.stringify({ type: 'NEWS_OF_TOMORROW', data: { message: 'unknown' } }))
  socket?.send('no JSON at all')
  socket?.send(JSON.stringify({ type: 'ERROR', data: { message: 'The press is out of ink' } }))
  await other.getByText('The press is out of ink').waitFor()
  socket?.send(JSON.stringify({ type: 'ALERT', data: { id: 1, text: 'Too many bounces' } }))
  await other.getByText('Too many bounces').waitFor()
  socket?.send(JSON.stringify({ type: 'DOWNLOAD_READY', data: { id: 2, name: 'members.csv' } }))
  await other.getByText('“members.csv” is ready for download.').waitFor()
  // Users are not notified about their own actions, only about those of others.
  const [me] = (await api.get('/user/?search=admin')).data
  for (const known_to of [me.id, me.id + 1])
    socket?.send(
      JSON.stringify({
        type: 'NOTIFICATION',
        data: { id: 9, kind: 'warning', text: `Paused by ${known_to}`, known_to },
      }),
    )
  await other.getByText(`Paused by ${me.id + 1}`).waitFor()
  expect(await other.getByText(`Paused by ${me.id}`, { exact: true }).count()).toBe(0)
  const job = { id: 3, name: 'people.csv', state: 'running', done: 1, total: 2 }
  // The menu fetches running jobs meanwhile, which do not include this one.
  await other.getByRole('button', { name: /^Running jobs: / }).click()
  await until(
    async () => {
      socket?.send(JSON.stringify({ type: 'JOB_PROGRESS', data: job }))
      return other.getByRole('dialog').getByText('people.csv').count()
    },
    count => count === 1,
  )

  // From here on the clock only advances explicitly.
  await other.clock.pauseAt(await other.evaluate(() => Date.now() + 60_000))
  await socket?.close()
  await other.clock.runFor(59_000)
  expect(sockets).toHaveLength(1)
  await other.clock.runFor(1_500)
  await until(
    async () => sockets.length,
    count => count === 2,
  )
  await context.close()
})

test('R290 R291 a notification arrives over the socket: toast, bell, list; it is read and deleted', async () => {
  // The page connects 5 s after it was loaded: a socket of before the reload hears nothing.
  await page.reload()
  const socket = await page.waitForEvent('websocket')
  const heard = socket.waitForEvent('framereceived', frame =>
    String(frame.payload).includes('The office moves'),
  )
  // The server accepts the console's socket after checking its token.
  await until(
    async () => {
      await create('The office moves', '/help')
      return page.getByText('The office moves').count()
    },
    count => count > 0,
  )
  expect(JSON.parse(String((await heard).payload))).toMatchObject({
    type: 'NOTIFICATION',
    data: { kind: 'warning' },
  })
  // One that stays unread, however many of the others were created. It arrives after them, so that closing all toasts
  // uncovers the list.
  await create('The lift rests')
  await page.getByText('The lift rests').waitFor()
  await page.getByRole('button', { name: 'Close all' }).click()
  await page.getByText('The lift rests').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Notifications, \d+ new/ }).waitFor()
  await bell().click()
  const entries = page.getByRole('listitem').filter({ hasText: 'The office moves' })
  const entry = entries.first()
  await entry.waitFor()
  await inspect(page, 'bell', { withLayout: true })
  await entry
    .getByRole('button', { name: /The office moves/ })
    .first()
    .click()
  await page.waitForURL('**/help*')
  await bell().click()
  await entry.waitFor()
  const count = await entries.count()
  await page
    .getByRole('button', { name: /^Delete “The office moves”/ })
    .first()
    .click()
  await until(
    () => entries.count(),
    left => left === count - 1,
  )
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  await expect
    .poll(async () => JSON.parse(await api.text('/notification:count')))
    .toMatchObject({ unread: 0 })
})

test('R290 the server notifies of an import, translated and with a link', async () => {
  const { data } = await api.get('/emma/membertable/?limit=1')
  const file = new TextEncoder().encode('email\nnora@gmail.test\n')
  const upload = await api.upload(
    '/v2/dataupload/',
    { member_table_id: data[0].member_table_id, mode: 'upsert' },
    file,
    'nora.csv',
  )
  await api.post(`/dataupload/${upload.id}/start`)
  const told = async () => JSON.parse(await api.text('/notification/?search=nora.csv'))
  const [news] = await until(told, list => list.length > 0)
  expect(news).toMatchObject({ code: 'import_finished', path: `/subscribers/dataupload/edit/${upload.id}` })
  await page.goto(`${emma.url}/notifications`)
  await page.getByText('The import of “nora.csv” is finished: 1 rows read.').first().waitFor()
})

test('R290 the screen lists, filters, marks as read and clears', async () => {
  await create('One more thing')
  await page.goto(`${emma.url}/notifications?q=more`)
  await page.getByText('One more thing').first().waitFor()
  expect(await page.getByText('The office moves').count()).toBe(0)
  await page.goto(`${emma.url}/notifications`)
  await page.getByText('One more thing').first().waitFor()
  await inspect(page, 'notifications')
  await page.getByRole('button', { name: 'Delete all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
  await page.getByText('What happens to your campaigns').waitFor()
  await expect.poll(() => api.text('/notification/')).toBe('[]')
})
