import { expect, test } from 'vitest'
import { reportQuery } from './report-query.ts'
import { shareOf } from '../../shell/resource/share-of.ts'

test('a list query is converted to parameters of the action', () => {
  const query = {
    filters: { status: ['2', '3'] },
    limit: 25,
    offset: 50,
    sort: { field: 'name', descending: true },
  }
  expect(reportQuery(query)).toEqual({
    status: ['2', '3'],
    limit: 25,
    offset: 50,
    orderby: 'name',
    desc: true,
  })
})

test('without a sort no parameter is set', () => {
  expect(reportQuery({ limit: 10 })).not.toHaveProperty('orderby')
})

test('R198 a rate is null if the total is 0', () => {
  expect(shareOf(0, 0)).toBeNull()
  expect(shareOf(0, 4)).toBe(0)
  expect(shareOf(1, 4)).toBe(0.25)
})
