import { expect, test } from 'vitest'
import { neighbour, readTestbedState, withChange } from './testbed-state.ts'

test('reads a mailbox case-insensitively', () => {
  expect(readTestbedState({ mailbox: 'Ada@Web.test', tab: 'source' })).toEqual({
    address: '',
    mailbox: 'ada@web.test',
    folder: null,
    search: '',
    message: null,
  })
})

test('ignores invalid search parameters', () => {
  const rubbish = { mailbox: { a: 1 }, folder: 'archive', q: ['x'], message: '12 or 1=1', address: null }
  expect(readTestbedState(rubbish)).toEqual(readTestbedState({}))
  for (const message of [0, -4, 1.5, Infinity, true]) {
    expect(readTestbedState({ message }).message).toBeNull()
  }
})

test('reads a numeric search as text', () => {
  expect(readTestbedState({ q: 2026 }).search).toBe('2026')
})

test('changes the named parameters and keeps the others', () => {
  const current = { mailbox: 'ada@web.test', message: 7, tab: 'source' }
  expect(withChange(current, { message: null, folder: 'spam' })).toEqual({
    address: undefined,
    mailbox: 'ada@web.test',
    folder: 'spam',
    q: undefined,
    message: undefined,
    tab: 'source',
  })
})

test('j and k move through the list and stop at its ends', () => {
  const ids = [30, 20, 10]
  expect(neighbour(ids, null, 1)).toBe(30)
  expect(neighbour(ids, 30, 1)).toBe(20)
  expect(neighbour(ids, 20, -1)).toBe(30)
  expect(neighbour(ids, 30, -1)).toBe(30)
  expect(neighbour(ids, 10, 1)).toBe(10)
  expect(neighbour([], null, 1)).toBeNull()
})

test('j selects the first row if the open message is not in the list', () => {
  expect(neighbour([30, 20], 5, 1)).toBe(30)
})
