import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { generate } from 'otplib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSystemMailServer, type SystemMailServer } from '../apps/server/src/test/system-mail.ts'
import { type ApiSession, type Json, openApi } from './api-session.ts'
import { emptyStorage } from './empty-storage.ts'
import { choose, inspect } from './inspect.ts'
import { openBrowser, openConsole } from './open-browser.ts'
import type { RunningEmma } from './launch-emma.ts'
import { submitLogin } from './log-in.ts'
import { startEmma } from './start-emma.ts'
import { visit } from './visit.ts'

const password = 'a password of hers'
let emma: RunningEmma
let browser: Browser
let api: ApiSession
let page: Page
let provider: Server
let mailServer: SystemMailServer

beforeAll(async () => {
  // The identity provider below runs on this machine, which is not allowed in production.
  emma = await startEmma({ roles: 'api,jobs', settings: { EMMA_ALLOW_PRIVATE_ISSUER: 'true' } })
  browser = await openBrowser()
  api = await openApi(emma)
  mailServer = await startSystemMailServer()
  await api.put('/v2/system-settings/mail', {
    is_enabled: true,
    from: 'emma@company.test',
    host: '127.0.0.1',
    port: mailServer.port,
    tls: 'none',
    username: null,
  })
  page = await openConsole(browser, emma)
})
afterAll(async () => {
  await browser?.close()
  await emma?.stop()
  await mailServer?.close()
  await new Promise(resolve => provider?.close(resolve) ?? resolve(null))
})

/** Pages that tests have left. */
const left: Page[] = []

/** Opens a page with empty storage. */
async function openPage(path: string, width = 1440): Promise<Page> {
  const other = left.pop() ?? (await newPage())
  await emptyStorage(other, emma)
  await other.setViewportSize({ width, height: 900 })
  await other.goto(`${emma.url}${path}`)
  return other
}

async function newPage(): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  return context.newPage()
}

/** Link in the latest system email to the address. */
async function linkFor(address: string): Promise<string> {
  const find = () => mailServer.received.findLast(({ to }) => to === address)
  await expect.poll(find).toBeDefined()
  const text = find()?.text ?? ''
  const link = /http[^"\\\s<]*password-reset\?token=[^"\\\s<&]+/.exec(text)?.[0]
  if (!link) throw new Error(`There is no link in ${text.slice(0, 1000)}`)
  return link
}

/** Text of the latest system email to the address. */
function mailTo(address: string): string {
  return mailServer.received.findLast(({ to }) => to === address)?.text ?? ''
}

/** Requests a reset link, like the login page. */
async function askForLink(username: string): Promise<void> {
  const response = await fetch(`${emma.url}/api/password-reset/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username }),
  })
  expect(response.ok).toBe(true)
}

test('R150 R228 a role is created with its permissions by keyboard', async () => {
  await visit(page, '/system/roles')
  await page.getByRole('link', { name: 'New role' }).click()
  await page.getByLabel('Name').fill('Proofreader')
  await page.getByLabel('Find a permission').fill('mail')
  await inspect(page, 'role-new')
  await page.getByLabel('Find a permission').fill('')
  for (const right of ['Campaigns: See', 'Mail classes: See', 'Templates: See', 'Clients: See']) {
    await page.getByRole('checkbox', { name: right, exact: true }).focus()
    await page.keyboard.press('Space')
  }
  await page.getByLabel('Name').focus()
  await page.keyboard.press('Enter')
  await page.getByText('4 of ').first().waitFor()
  const { data } = await api.get('/role/?search=Proofreader')
  expect(data[0].permissions.toSorted()).toEqual([
    'EmmaCampaign:get',
    'EmmaClient:get',
    'EmmaMailclass:get',
    'EmmaMessage:get',
  ])
})

test('R224 a user is created, invited, opens the link, sets a password and logs in', async () => {
  await visit(page, '/users/edit/new')
  await page.getByLabel('First name').fill('Rita')
  await page.getByLabel('Last name').fill('Reader')
  await page.getByRole('textbox', { name: 'Email' }).fill('rita@example.test')
  await page.getByLabel('User name').fill('rita')
  await choose(page, 'Roles', 'Proofreader')
  await page.keyboard.press('Escape')
  await inspect(page, 'user-new')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The invitation is on its way').waitFor()
  await page.getByText('No password yet').waitFor()

  const link = new URL(await linkFor('rita@example.test'))
  const rita = await openPage(`${link.pathname}${link.search}&invited=1`)
  await rita.getByRole('heading', { name: 'Welcome to EMMA' }).waitFor()
  await rita.getByLabel('New password', { exact: true }).fill(password)
  await rita.getByLabel('New password again').fill(password)
  await inspect(rita, 'invitation')
  await rita.getByRole('button', { name: 'Save password' }).click()
  await rita.waitForURL('**/login')
  await submitLogin(rita, 'rita', password)
  await rita.getByRole('button', { name: 'Account of Rita Reader' }).waitFor()
  const { data } = await api.get('/user/?search=rita')
  expect(data).toMatchObject([{ username: 'rita', has_password: true }])
  left.push(rita)
})

test('R145 R147 R151 a read-only user sees no write actions, and the server rejects writes', async () => {
  const rita = await openPage('/login')
  await submitLogin(rita, 'rita', password)
  await rita.getByRole('button', { name: 'Account of Rita Reader' }).waitFor()
  await visit(rita, '/settings/mailclasses')
  await rita.getByText('Everyday', { exact: false }).or(rita.getByRole('row').nth(1)).first().waitFor()
  expect(await rita.getByRole('link', { name: 'New mail class' }).count()).toBe(0)
  expect(await statusOf(rita, 'POST', '/emma/mailclass/', { name: 'Mine' })).toBe(403)
  await visit(rita, '/users')
  await rita.getByText('You may not open this page').waitFor()
  await rita.goto(`${emma.url}/system/roles`)
  await rita.getByText('You may not open this page').waitFor()
  left.push(rita)
})

/** Status of a call with the page's own session. */
function statusOf(other: Page, method: string, path: string, body?: unknown): Promise<number> {
  return other.evaluate(
    async ([how, where, what]) => {
      const answer = await fetch(`/api${where}`, {
        method: how,
        headers: {
          authorization: `Bearer ${localStorage.getItem('loginToken')}`,
          ...(what === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(what === undefined ? {} : { body: JSON.stringify(what) }),
      })
      return answer.status
    },
    [method, path, body] as const,
  )
}

test('R143 R230 all permissions are listed with their roles and found by their translated names', async () => {
  await visit(page, '/system/permissions')
  const search = page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: 'Search' }))
    .first()
  await search.fill('test subscribers')
  await page.getByText('EmmaTestAddress:delete').waitFor()
  expect(await page.getByText('EmmaCampaign:get').count()).toBe(0)
  await inspect(page, 'permissions')
  await search.fill('EmmaMailclass:get')
  await page.getByText('EmmaTestAddress:delete').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Proofreader' }).click()
  await page.getByRole('heading', { name: 'Proofreader' }).waitFor()
})

test('R146 R148 a superadmin views the console as a reader, is rejected like one, and returns', async () => {
  await visit(page, '/system/roles')
  await page.getByText('Proofreader', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Actions for Proofreader' }).click()
  await page.getByRole('menuitem', { name: 'View the console as this role' }).click()
  await page.getByText('permissions of another role').waitFor()
  await page.goto(`${emma.url}/settings/mailclasses`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'New mail class' }).count()).toBe(0)
  expect(await statusOf(page, 'POST', '/emma/mailclass/', { name: 'Mine' })).toBe(403)
  await page.getByRole('button', { name: 'Back to my own permissions' }).click()
  await page.getByText('permissions of another role').waitFor({ state: 'detached' })
  await page.goto(`${emma.url}/settings/mailclasses`)
  await page.getByRole('link', { name: 'New mail class' }).waitFor()
})

test('R152 a second factor is set up by QR code or key, required at login, and replaced by a recovery code', async () => {
  const rita = await openPage('/login')
  await submitLogin(rita, 'rita', password)
  await rita.getByRole('button', { name: 'Account of Rita Reader' }).waitFor()
  await visit(rita, '/usersettings?tab=security')
  await rita.getByRole('button', { name: 'Set up' }).click()
  const section = rita.getByRole('region', { name: 'Two-factor authentication' })
  await section.getByLabel('Current password').fill('not the password')
  await section.getByRole('button', { name: 'Continue' }).click()
  await section.getByText('This is not your current password.').waitFor()
  await section.getByLabel('Current password').fill(password)
  await section.getByRole('button', { name: 'Continue' }).click()
  await section.getByRole('img', { name: 'Picture of the key' }).waitFor()
  await inspect(rita, 'second-factor')
  const secret = ((await section.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
  await section.getByLabel('Code').fill(await generate({ secret }))
  await section.getByRole('button', { name: 'Switch on' }).click()
  await section.getByText('Keep these recovery codes').waitFor()
  const code = (await section.getByRole('listitem').first().textContent()) ?? ''
  expect(code).toMatch(/^\w{4}(-\w{4}){3}$/)
  await section.getByRole('button', { name: 'I have kept them' }).click()
  await section.getByText('10 recovery codes are left').waitFor()
  // The session that set it up continues.
  await visit(rita, '/campaigns/archive')
  await rita.getByRole('heading', { name: 'Campaigns' }).waitFor()

  const again = await openPage('/login')
  await submitLogin(again, 'rita', password)
  await again.getByLabel('Code').fill('000000')
  await again.getByRole('button', { name: 'Log in', exact: true }).click()
  await again.getByText('This code is wrong').waitFor()
  await inspect(again, 'login-code')
  await again.getByLabel('Code').fill(code)
  await again.getByRole('button', { name: 'Log in', exact: true }).click()
  await again.getByRole('button', { name: 'Account of Rita Reader' }).waitFor()
  left.push(rita)
  left.push(again)
})

test('a new email address is active after its link is opened, and the old one is notified', async () => {
  const [old, fresh] = ['nora.old@example.test', 'nora.new@example.test']
  const { data } = await api.get('/role/?search=Proofreader')
  const { id } = await api.post('/user/', {
    username: 'nora',
    firstname: 'Nora',
    lastname: 'North',
    email: old,
    password,
    roles: [data[0].id],
    clients: [1],
  })
  const nora = await openPage('/login')
  await submitLogin(nora, 'nora', password)
  await nora.waitForURL('**/dashboard')
  await visit(nora, '/usersettings')
  await nora.getByRole('textbox', { name: 'Email' }).fill(fresh)
  await nora.getByLabel('Current password').fill(password)
  await inspect(nora, 'own-address')
  await nora.getByRole('button', { name: 'Save', exact: true }).click()
  await nora.getByText(`Open the link sent to ${fresh}`).waitFor()
  expect((await api.get(`/user/${id}`)).email).toBe(old)
  expect(mailTo(old)).toContain(fresh)
  expect(mailTo(old)).not.toContain('email_token')

  const link = new URL(/http[^"\\\s<]*email_token=[\w.-]+/.exec(mailTo(fresh))?.[0] ?? '')
  const path = `${link.pathname}${link.search}`
  await nora.goto(`${emma.url}${path}`)
  await nora.getByText('Confirm your new email address').waitFor()
  await inspect(nora, 'own-address-confirm')
  await nora.getByRole('button', { name: 'Confirm email address' }).click()
  await nora.getByText(`${fresh} is now the address of your account.`).waitFor()
  expect((await api.get(`/user/${id}`)).email).toBe(fresh)
  expect(await nora.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(fresh)
  await nora.goto(`${emma.url}${path}`)
  await nora.getByRole('button', { name: 'Confirm email address' }).click()
  await nora.getByRole('alert').getByText('The link has been used already').waitFor()
  await inspect(nora, 'own-address-used')
  left.push(nora)

  // The old address is invalid for the login and for reset links.
  const again = await openPage('/login')
  await submitLogin(again, old, password)
  await again.getByText('User name or password is wrong.').waitFor()
  await askForLink(old)
  await askForLink(fresh)
  await expect.poll(() => mailTo(fresh)).toContain('password-reset?token=')
  expect(mailServer.received.filter(({ to }) => to === old)).toHaveLength(1)
  await submitLogin(again, 'nora', password)
  await again.waitForURL('**/dashboard')
  left.push(again)
})

test('R154 sessions are listed and ended remotely, and their pages go to the login', async () => {
  const other = await openConsole(browser, emma)
  await visit(page, '/usersettings?tab=security')
  const section = page.getByRole('region', { name: 'Sessions' })
  await section.getByText('This one').waitFor()
  await section.getByRole('button', { name: 'End all others' }).click()
  await page.getByText(/sessions? (is|are) ended/).waitFor()
  await expect.poll(() => section.getByRole('row').count()).toBe(2)
  await other.goto(`${emma.url}/campaigns/archive`)
  await other.waitForURL('**/login')
  await other.context().close()
  // The API session of this test has ended, too.
  api = await openApi(emma)
})

test('R155 an API token is created, shown once, works within its permissions and is revoked', async () => {
  await page.goto(`${emma.url}/usersettings?tab=tokens`)
  await page.getByRole('button', { name: 'New API token' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Create token' }).click()
  await drawer.getByText('Choose at least one permission.').waitFor()
  await drawer.getByLabel('Name').fill('Nightly export')
  await drawer.getByLabel('Find a permission').fill('campaign')
  await drawer.getByRole('checkbox', { name: 'Campaigns: See', exact: true }).check()
  await inspect(page, 'token-new')
  await drawer.getByRole('button', { name: 'Create token' }).click()
  await drawer.getByText('Copy the token now').waitFor()
  const token = (await drawer.locator('code').first().textContent()) ?? ''
  expect(token).toMatch(/^emma_/)
  await drawer.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Nightly export').waitFor()
  await page.getByText(token).waitFor({ state: 'detached' })
  const status = async (path: string) =>
    (await fetch(`${emma.url}/api${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  expect([
    await status('/emma/campaign/'),
    await status('/emma/mailclass/'),
    await status('/auth/token'),
  ]).toEqual([200, 403, 403])
  await page.getByRole('button', { name: 'Revoke “Nightly export”' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByText('The token is revoked.').waitFor()
  expect(await status('/emma/campaign/')).toBe(401)
})

test('R227 a locked user is unlocked', async () => {
  const { data } = await api.get('/user/?search=rita')
  for (let count = 0; count < 10; count += 1)
    await fetch(`${emma.url}/api/auth/login`, {
      method: 'POST',
      // From another address: each may try 20 logins per minute.
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.9.9.9' },
      body: JSON.stringify({ username: 'rita', password: 'wrong password' }),
    })
  await visit(page, '/users')
  await page.getByText('Locked', { exact: true }).waitFor()
  await visit(page, `/users/edit/${data[0].id}`)
  await page.getByRole('button', { name: 'Unlock and log out everywhere' }).click()
  await page.getByText('rita can log in again.').waitFor()
  await page.getByRole('button', { name: 'Remove two-factor authentication' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove two-factor authentication' }).click()
  await page.getByText('Two-factor authentication is removed.').waitFor()
  await inspect(page, 'user-edit')
  const rita = await openPage('/login', 360)
  await submitLogin(rita, 'rita', password)
  await rita.waitForURL('**/dashboard')
  expect(await statusOf(rita, 'GET', '/auth/token')).toBe(200)
  left.push(rita)
})

test('a record shows its history, and the audit log all changes, filtered', async () => {
  await visit(page, '/settings/mailclasses')
  const { data } = await api.get('/emma/mailclass/')
  const [first] = data as Json[]
  await api.patch(`/emma/mailclass/${first?.mailclass_id}`, { description: 'For the history' })
  await visit(page, `/settings/mailclasses/edit/${first?.mailclass_id}`)
  await page.getByRole('button', { name: 'History' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('For the history').waitFor()
  await drawer.getByText('Changed · Admin').first().waitFor()
  await inspect(page, 'history')
  await page.keyboard.press('Escape')
  // It closes by going back, which ends a navigation that has begun.
  await drawer.waitFor({ state: 'hidden' })
  await visit(page, '/system/audit-log?object=user')
  await page.getByText('Two-factor authentication removed').first().waitFor()
  expect(await page.getByText('Mail classes 1').count()).toBe(0)
  await inspect(page, 'audit-log')
  await page.getByText('Two-factor authentication removed').first().click()
  await page.getByRole('dialog').getByText('Request').waitFor()
})

test('saving one settings section keeps unsaved input in another', async () => {
  await visit(page, '/system/installation')
  const name = page
    .getByRole('region', { name: 'Sign-in with a provider' })
    .getByLabel('Name', { exact: true })
  await name.fill('Not done y')
  const audit = page.getByRole('region', { name: 'Audit log' })
  await audit.getByRole('spinbutton').or(audit.getByRole('textbox')).fill('400')
  await audit.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your settings are saved.').waitFor()
  expect(await name.inputValue()).toBe('Not done y')
})

test('R104 superadmins configure the senders of feedback loops', async () => {
  await page.goto(`${emma.url}/system/installation`)
  const section = page.getByRole('region', { name: 'Feedback loops' })
  await section.getByText('arf.mail.yahoo.com', { exact: true }).waitFor()
  const senders = section.getByRole('combobox', { name: 'Trusted signing domains' })
  await senders.fill('localhost')
  await senders.press('Enter')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('is not a domain').waitFor()
  await senders.press('Backspace')
  await senders.fill('FBL.example.com')
  await senders.press('Enter')
  await section.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your settings are saved.').waitFor()
  await page.reload()
  await section.getByText('arf.mail.yahoo.com', { exact: true }).waitFor()
  expect(await section.getByText('fbl.example.com', { exact: true }).count()).toBe(1)
})

test('a superadmin configures a sign-in provider, a wrong one is rejected with an error, and the login offers it', async () => {
  const issuer = await startProvider()
  await page.goto(`${emma.url}/system/installation`)
  const section = page.getByRole('region', { name: 'Sign-in with a provider' })
  await section.getByLabel('Offer it at the login').check()
  await section.getByLabel('Name', { exact: true }).fill('Company Login')
  await section.getByLabel('Issuer').fill(`${issuer}/nowhere`)
  await section.getByLabel('Client ID').fill('emma')
  await section.getByLabel('Client secret').fill('the secret of emma')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('No OpenID Connect provider answers at this address.').waitFor()
  await section.getByLabel('Issuer').fill(issuer)
  await section.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your settings are saved.').waitFor()
  await inspect(page, 'installation')

  const rita = await openPage('/login')
  await rita.getByRole('button', { name: 'Log in with Company Login' }).waitFor()
  await inspect(rita, 'login-provider')
  await rita.getByRole('button', { name: 'Log in with Company Login' }).click()
  await rita.getByRole('alert').getByText('no account').waitFor()
  expect(new URL(rita.url()).search).toBe('')

  const roles = await api.get('/role/')
  await api.post('/user/', {
    firstname: 'Otto',
    lastname: 'Outside',
    email: stranger.email,
    username: 'otto',
    password,
    roles: [roles.data[0].id],
    clients: [1],
  })
  await rita.getByRole('button', { name: 'Log in with Company Login' }).click()
  await rita.getByRole('button', { name: 'Otto Outside' }).waitFor()

  // A user with a second factor still has to enter its code, and nothing else.
  await visit(rita, '/usersettings?tab=security')
  await rita.getByRole('button', { name: 'Set up' }).click()
  const factor = rita.getByRole('region', { name: 'Two-factor authentication' })
  await factor.getByLabel('Current password').fill(password)
  await factor.getByRole('button', { name: 'Continue' }).click()
  await factor.getByRole('img', { name: 'Picture of the key' }).waitFor()
  const secret = ((await factor.locator('code').first().textContent()) ?? '').replaceAll(' ', '')
  await factor.getByLabel('Code').fill(await generate({ secret }))
  await factor.getByRole('button', { name: 'Switch on' }).click()
  await factor.getByText('Keep these recovery codes').waitFor()
  const code = (await factor.getByRole('listitem').first().textContent()) ?? ''
  left.push(rita)
  const otto = await openPage('/login')
  await otto.getByRole('button', { name: 'Log in with Company Login' }).click()
  await otto.getByLabel('Code').waitFor()
  expect(await otto.getByLabel('User name').count()).toBe(0)
  await inspect(otto, 'login-provider-code')
  await otto.getByLabel('Code').fill('000000')
  await otto.getByRole('button', { name: 'Log in', exact: true }).click()
  await otto.getByText('This code is wrong').waitFor()
  await otto.getByLabel('Code').fill(code)
  await otto.getByRole('button', { name: 'Log in', exact: true }).click()
  await otto.getByRole('button', { name: 'Otto Outside' }).waitFor()
  left.push(otto)
})

/** Claims of the account at the provider. */
const stranger = { sub: 'stranger', email: 'otto@example.test', email_verified: true }

/** An independent OpenID Connect provider with one account and no login form. */
async function startProvider(): Promise<string> {
  provider = createServer()
  await new Promise<void>(resolve => provider.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const tenant = new Provider(issuer, {
    clients: [
      {
        client_id: 'emma',
        client_secret: 'the secret of emma',
        redirect_uris: [`${emma.url}/login`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
    findAccount: (_context, id) => ({ accountId: id, claims: () => stranger }),
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    cookies: { keys: ['for tests only'] },
  })
  tenant.use(async (context, next) => {
    if (context.path !== '/interaction') return next()
    const { prompt } = await tenant.interactionDetails(context.req, context.res)
    const answer = prompt.name === 'login' ? { login: { accountId: stranger.sub } } : await consent(tenant)
    return tenant.interactionFinished(context.req, context.res, answer, { mergeWithLastSubmission: true })
  })
  provider.on('request', tenant.callback())
  return issuer
}

async function consent(tenant: Provider) {
  const grant = new tenant.Grant({ accountId: stranger.sub, clientId: 'emma' })
  grant.addOIDCScope('openid email profile')
  return { consent: { grantId: await grant.save() } }
}
