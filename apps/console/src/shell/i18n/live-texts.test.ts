import { createInstance } from 'i18next'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { followLiveTexts, reloadTexts } from './live-texts.ts'

type Answer = (texts: Record<string, string>) => void

/** Requests that have not been answered yet. */
const open: Answer[] = []

beforeAll(() => {
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('location', { hostname: 'emma.test', origin: 'https://emma.test' })
  const nothing = { getItem: () => null, setItem: () => {}, removeItem: () => {} }
  vi.stubGlobal('sessionStorage', nothing)
  vi.stubGlobal('localStorage', nothing)
  vi.stubGlobal('fetch', () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    open.push(texts => resolve(Response.json({ language: 'en', localisation: texts })))
    return promise
  })
})
afterAll(() => vi.unstubAllGlobals())

/** Answers the one pending request. */
async function answer(texts: Record<string, string>): Promise<void> {
  await expect.poll(() => open).toHaveLength(1)
  open.pop()?.(texts)
}

test('R295 texts edited during a request are requested again after it', async () => {
  const shown = createInstance()
  await shown.init({ lng: 'en', resources: { en: { translation: { greeting: 'Hello' } } } })
  const started = followLiveTexts(shown, 'this build')
  await answer({ greeting: 'Hello from the server' })
  await started
  expect(shown.t('greeting')).toBe('Hello from the server')

  const first = reloadTexts()
  await expect.poll(() => open).toHaveLength(1)
  // The pending request returns the texts from before this edit.
  const second = reloadTexts()
  await answer({ greeting: 'Edited once' })
  await first
  await answer({ greeting: 'Edited twice' })
  await second
  expect(shown.t('greeting')).toBe('Edited twice')
})
