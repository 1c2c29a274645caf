import { expect, test } from 'vitest'
import { storeInitialPath, takeInitialPath } from './initial-path.ts'

/** In-memory `Storage` with the methods in use. */
function storage(): Storage {
  const kept = new Map<string, string>()
  return {
    length: 0,
    clear: () => kept.clear(),
    key: () => null,
    getItem: key => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: key => void kept.delete(key),
  }
}

test('R012 the initial path is returned once', () => {
  const kept = storage()
  storeInitialPath('/campaigns/archive?q=summer', kept)
  expect(takeInitialPath(kept)).toBe('/campaigns/archive?q=summer')
  expect(takeInitialPath(kept)).toBe('/dashboard')
})

test('R012 the login page does not overwrite the initial path', () => {
  const kept = storage()
  storeInitialPath('/users', kept)
  storeInitialPath('/login?lng=de', kept)
  expect(takeInitialPath(kept)).toBe('/users')
})

test.each([
  '//evil.example/',
  '/\\evil.example',
  '/\t/evil.example',
  'https://evil.example/',
  'javascript:alert(1)',
  '/',
])('%s is not restored', address => {
  const kept = storage()
  storeInitialPath(address, kept)
  expect(takeInitialPath(kept)).toBe('/dashboard')
})
