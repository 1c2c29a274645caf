import { tokenKey } from '@emma/client/token-key.ts'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { renderScreen } from '../../test/render-screen.tsx'
import { endAfterLogout, endRefused } from './end-session.ts'
import { sessionStore } from './session-store.ts'

const loggedOut = page.getByText('You have been logged out.')
const refused = page.getByText('Call refused')

beforeEach(() => renderScreen('/campaigns/categories'))

test.each([
  ['before', [endAfterLogout, refuse]],
  ['after', [refuse, endAfterLogout]],
])('R292 a logout in another tab is named, heard %s a refused call', async (_, endings) => {
  await Promise.all(endings.map(end => end()))
  await expect.element(loggedOut).toBeVisible()
  expect(refused.elements()).toEqual([])
  expect(location.pathname).toBe('/login')
})

test('R292 a logout is heard before its token is gone', async () => {
  localStorage.setItem(tokenKey, 'old')
  const ended = endAfterLogout()
  // The module that ends a session loads before the token is read.
  await rest()
  dispatchEvent(new StorageEvent('storage', { key: 'another value' }))
  await rest()
  localStorage.removeItem(tokenKey)
  dispatchEvent(new StorageEvent('storage', { key: tokenKey }))
  await ended
  await expect.element(loggedOut).toBeVisible()
})

test('R292 a new login of another tab outlives a logout and a call refused before it', async () => {
  localStorage.setItem(tokenKey, 'new')
  await endAfterLogout()
  await endRefused(new Error('Call refused'), 'old')
  expect(localStorage.getItem(tokenKey)).toBe('new')
  expect(sessionStore.get().claims).not.toBeNull()
})

function refuse(): Promise<void> {
  return endRefused(new Error('Call refused'), null)
}

function rest(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 20))
}
