import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiSession, type Json, openApi, until } from '../api-session.ts'
import { inspect } from '../inspect.ts'
import { adminPassword, type RunningEmma } from '../launch-emma.ts'
import { openBrowser, openConsole } from '../open-browser.ts'
import { SENDING_ROLES, startEmma } from '../start-emma.ts'

/**
 * Approval by a second person: asked for, discussed, given, revoked by a change of the template, given again, and sent.
 */

let emma: RunningEmma
let api: ApiSession
let browser: Browser
let author: Page
let second: Page
let id: number
let messageId: number

const SUBJECT = 'Approved coffee'

beforeAll(async () => {
  emma = await startEmma({ roles: SENDING_ROLES })
  api = await openApi(emma)
  await api.patch('/emma/client/1', { campaign_approval: true })
  const roles = (await api.get('/role/')).data as Json[]
  await api.post('/user/', {
    username: 'ben',
    firstname: 'Ben',
    lastname: 'Second',
    email: 'ben@example.test',
    password: adminPassword,
    roles: [roles.find(({ name }) => name === 'Administrator')?.id],
    clients: [1],
  })
  const first = await api.get('/emma/campaign/1')
  const { message_id } = await api.post('/emma/message/', {
    client_id: 1,
    name: 'Approved template',
    subject: SUBJECT,
    body_long: '<p>Coffee {{ module.imprint }} <a href="{{ link.unsubscribe }}">Unsubscribe</a></p>',
  })
  messageId = message_id
  const copied = ['list_id', 'domain_id', 'mailclass_id', 'fromadr', 'fromname']
  const made = await api.post('/emma/campaign/', {
    client_id: 1,
    ...Object.fromEntries(copied.map(field => [field, first[field]])),
    name: 'Needs two people',
    message_id: messageId,
  })
  id = made.campagne_id
  browser = await openBrowser()
  const path = `/campaigns/start/${id}`
  author = await openConsole(browser, emma, { path })
  second = await openConsole(browser, emma, { path, username: 'ben', password: adminPassword })
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
})

const card = (page: Page) => page.getByRole('region', { name: 'Approval' })
const comments = (page: Page) => page.getByRole('region', { name: 'Comments' })
const sendNow = (page: Page) => page.getByRole('button', { name: 'Send now' })

test('R041 the check blocks the start, and names who may approve', async () => {
  await author.getByText(/^A second person has not approved this yet\. May approve: .*Ben Second/).waitFor()
  expect(await sendNow(author).isDisabled()).toBe(true)
  await inspect(author, 'approval-missing')
})

test('a comment that mentions the second person arrives live, with a notification', async () => {
  await comments(author).getByLabel('New comment').fill('@ben: is the imprint right?')
  await comments(author).getByRole('button', { name: 'Comment', exact: true }).click()
  await comments(second).getByText('@ben: is the imprint right?').waitFor()
  const ben = await openApi(emma, 'ben')
  expect(await ben.text('/notification/')).toContain('mentions you in a comment on “Needs two people”')
  await comments(second).getByRole('button', { name: 'Resolve' }).click()
  await comments(author).getByRole('button', { name: 'Show 1 resolved' }).waitFor()
})

test('the author asks, cannot approve, and the second person approves', async () => {
  await card(author).getByLabel('Note (optional)').fill('Please look at the imprint.')
  await card(author).getByRole('button', { name: 'Ask for approval' }).click()
  await card(author).getByText('Waiting for approval').waitFor()
  expect(await card(author).getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await card(second).getByText('Please look at the imprint.').waitFor()
  await inspect(second, 'approval-requested')
  await card(second).getByRole('button', { name: 'Approve' }).click()
  await card(author)
    .getByText(/^Ben Second approved it on /)
    .waitFor()
  await inspect(author, 'approval-given')
})

test('R196 a change of the template revokes the approval: the start is refused with the reason', async () => {
  await api.patch(`/emma/message/${messageId}`, { preheader: 'Changed after the approval' })
  await expect(api.post(`/emma/campaign/${id}/start`)).rejects.toThrow(
    /422 .*changed after its approval.*Ben Second/,
  )
  await author.reload()
  await card(author)
    .getByText('Changed since the approval: subject and preheader. The approval is no longer valid.')
    .waitFor()
  await author.getByText(/^It was changed after its approval/).waitFor()
  expect(await sendNow(author).isDisabled()).toBe(true)
  await inspect(author, 'approval-outdated')
})

test('R196 after a new approval the campaign is sent', async () => {
  await card(author).getByRole('button', { name: 'Ask for approval' }).click()
  await card(second).getByRole('button', { name: 'Approve' }).click()
  await card(author)
    .getByText(/^Ben Second approved it on /)
    .waitFor()
  await author.getByText('Ready to send').waitFor()
  for (const warning of await author.getByRole('checkbox').all()) await warning.check()
  await sendNow(author).click()
  await author.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  const { estimated_volume } = await until(
    () => api.get(`/emma/campaign/${id}`),
    ({ valid }) => [2, 3].includes(valid),
  )
  expect(estimated_volume).toBeGreaterThan(0)
  const history = (await api.get(`/v2/emma/client/1/campaign/${id}/c-m-u-history`)).data as Json[]
  const actions = history.filter(({ object }) => object === 'campaign').map(({ action }) => action)
  expect(actions.filter(action => /pprov/.test(action)).toReversed()).toEqual([
    'requestApproval',
    'approve',
    'requestApproval',
    'approve',
  ])
})
