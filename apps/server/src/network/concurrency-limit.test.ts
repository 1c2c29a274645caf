import { expect, test } from 'vitest'
import { PlaceLimit } from './concurrency-limit.ts'

test('places are limited in total and per key, and released once', () => {
  const places = new PlaceLimit({ total: 3, perKey: 2 })
  const first = places.take('a')
  places.take('a')
  expect(places.take('a')).toBeNull()
  expect(places.take('b')).not.toBeNull()
  expect(places.take('c')).toBeNull()
  first?.()
  first?.()
  expect(places.taken).toBe(2)
  expect(places.take('a')).not.toBeNull()
  expect(places.take('b')).toBeNull()
})
