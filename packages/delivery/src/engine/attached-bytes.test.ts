import { expect, test } from 'vitest'
import { AttachedBytes } from './attached-bytes.ts'

test('campaigns that were not used for longest have no room', () => {
  const attached = new AttachedBytes(100)
  expect(attached.add('a', 40)).toEqual([])
  expect(attached.add('b', 40)).toEqual([])
  attached.use('a')
  expect(attached.add('c', 40)).toEqual(['b'])
  expect(attached.add('d', 90)).toEqual(['a', 'c'])
})

test('campaigns without attachments take no room, and drop none', () => {
  const attached = new AttachedBytes(100)
  attached.add('a', 100)
  expect(attached.add('b', 0)).toEqual([])
  attached.use('b')
  expect(attached.add('c', 1)).toEqual(['a'])
})

test('a campaign that is larger than the room stays alone, until the next one', () => {
  const attached = new AttachedBytes(100)
  attached.add('a', 50)
  expect(attached.add('b', 500)).toEqual(['a'])
  attached.use('b')
  expect(attached.add('c', 1)).toEqual(['b'])
})

test('a removed campaign makes room', () => {
  const attached = new AttachedBytes(100)
  attached.add('a', 100)
  attached.remove('a')
  expect(attached.add('b', 100)).toEqual([])
})
