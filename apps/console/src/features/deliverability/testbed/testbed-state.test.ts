import { expect, test } from 'vitest'
import { neighbour, readTestbedState, withChange } from './testbed-state.ts'

test('reads a link to a mailbox, whatever its case', () => {
  expect(readTestbedState({ mailbox: 'Ada@Web.test', tab: 'source' })).toEqual({
    address: '',
    mailbox: 'ada@web.test',
    folder: null,
    search: '',
    message: null,
  })
})

test('takes rubbish in the address for absent', () => {
  const rubbish = { mailbox: { a: 1 }, folder: 'archive', q: ['x'], message: '12 or 1=1', address: null }
  expect(readTestbedState(rubbish)).toEqual(readTestbedState({}))
  for (const message of [0, -4, 1.5, Infinity, true]) {
    expect(readTestbedState({ message }).message).toBeNull()
  }
})

test('a search for digits is a text', () => {
  expect(readTestbedState({ q: 2026 }).search).toBe('2026')
})

test('changes what it names and leaves the rest of the address alone', () => {
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

test('j and k walk the list and stop at its ends', () => {
  const ids = [30, 20, 10]
  expect(neighbour(ids, null, 1)).toBe(30)
  expect(neighbour(ids, 30, 1)).toBe(20)
  expect(neighbour(ids, 20, -1)).toBe(30)
  expect(neighbour(ids, 30, -1)).toBe(30)
  expect(neighbour(ids, 10, 1)).toBe(10)
  expect(neighbour([], null, 1)).toBeNull()
})

test('from a mail that left the list, j begins at the top', () => {
  expect(neighbour([30, 20], 5, 1)).toBe(30)
})
