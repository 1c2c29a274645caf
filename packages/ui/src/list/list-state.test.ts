import { describe, expect, it } from 'vitest'
import {
  initialListState,
  isNarrowed,
  type ListState,
  nextSort,
  pageCount,
  readListState,
  toListQuery,
  withFilter,
  withoutNarrowing,
  writeListState,
} from './list-state.ts'

const state: ListState = {
  search: 'müller',
  filters: { type: ['1', '2'], active: ['true'], name: ['007'] },
  sort: { field: 'name', descending: true },
  page: 3,
  pageSize: 50,
}

describe('list state in the URL', () => {
  it('round-trips through the URL', () => {
    expect(readListState(writeListState(state), ['type', 'active', 'name'])).toEqual(state)
  })

  it('writes nothing for the default state', () => {
    expect(writeListState(initialListState)).toEqual({})
  })

  it('writes numbers bare and keeps leading zeros as text', () => {
    expect(writeListState(state)).toMatchObject({ type: [1, 2], active: true, name: '007', sort: '-name' })
  })

  it('stores that the default sort was removed', () => {
    const defaults = { sort: { field: 'created_at', descending: true } }
    const written = writeListState({ ...initialListState, sort: null }, defaults)
    expect(readListState(written, [], defaults).sort).toBeNull()
  })

  it('ignores invalid values and unknown filters', () => {
    const read = readListState({ page: '-4', size: 7, sort: {}, type: { a: 1 }, other: 'x' }, ['type'])
    expect(read).toEqual(initialListState)
  })

  it('never reads a filter from a reserved name', () => {
    expect(readListState({ q: 'x', page: 2 }, ['q', 'page']).filters).toEqual({})
  })
})

describe('list state', () => {
  it('is converted to the list query', () => {
    expect(toListQuery(state)).toMatchObject({ limit: 50, offset: 100, search: 'müller' })
  })

  it('sorts ascending, descending, then not', () => {
    const up = nextSort(null, 'name')
    expect(up).toEqual({ field: 'name', descending: false })
    const down = nextSort(up, 'name')
    expect(down).toEqual({ field: 'name', descending: true })
    expect(nextSort(down, 'name')).toBeNull()
    expect(nextSort(down, 'id')).toEqual({ field: 'id', descending: false })
  })

  it('goes back to the first page when a filter changes', () => {
    const narrowed = withFilter(state, 'type', [])
    expect(narrowed.page).toBe(1)
    expect(narrowed.filters).toEqual({ active: ['true'], name: ['007'] })
    expect(isNarrowed(withoutNarrowing(state))).toBe(false)
  })

  it('has at least one page', () => {
    expect(pageCount(0, 25)).toBe(1)
    expect(pageCount(26, 25)).toBe(2)
  })
})
