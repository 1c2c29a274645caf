import type { Page } from 'playwright-core'
import { adminPassword } from './launch-emma.ts'

let logins = 0

/**
 * The token of a new session, from the API.
 *
 * @param server its `url` is the origin of an installation
 * @throws when the server refuses the login
 */
export async function logIn(
  { url }: { url: string },
  username = 'admin',
  password = adminPassword,
): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      // A new address each time: one address may try 20 logins a minute.
      'x-forwarded-for': `10.1.${Math.floor(logins / 250) % 250}.${(logins++ % 250) + 1}`,
    },
    body: JSON.stringify({ username, password }),
  })
  if (!answer.ok) throw new Error(`Login of ${username}: ${answer.status} ${await answer.text()}`)
  const { token } = (await answer.json()) as { token: string }
  return token
}

/** Fills in the login form and submits it. */
export async function submitLogin(page: Page, username = 'admin', password = adminPassword): Promise<void> {
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
