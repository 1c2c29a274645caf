import { describe, expect, it } from 'vitest'
import { applyColumnChoice, moveColumn } from './column-choice.ts'

const columns = [{ id: 'name' }, { id: 'type' }, { id: 'secret', hidden: true }, { id: 'created_at' }]
const shown = (choice: Parameters<typeof applyColumnChoice>[1]) =>
  applyColumnChoice(columns, choice).flatMap(({ column, isVisible }) => (isVisible ? [column.id] : []))

describe('applyColumnChoice', () => {
  it('shows the default columns without a choice', () => {
    expect(shown(null)).toEqual(['name', 'type', 'created_at'])
  })

  it('follows the chosen order and visibility', () => {
    expect(shown({ order: ['name', 'created_at', 'secret', 'type'], hidden: ['type'] })).toEqual([
      'name',
      'created_at',
      'secret',
    ])
  })

  it('keeps a column unknown to the choice in its default place', () => {
    expect(shown({ order: ['name', 'created_at'], hidden: [] })).toEqual(['name', 'type', 'created_at'])
  })

  it('drops columns that no longer exist', () => {
    expect(shown({ order: ['gone', 'name', 'type', 'secret', 'created_at'], hidden: ['secret'] })).toEqual([
      'name',
      'type',
      'created_at',
    ])
  })
})

describe('moveColumn', () => {
  it('moves by one place and never before the first column', () => {
    expect(moveColumn(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
    expect(moveColumn(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'c', 'b'])
    expect(moveColumn(['a', 'b', 'c'], 'b', -1)).toEqual(['a', 'b', 'c'])
    expect(moveColumn(['a', 'b', 'c'], 'a', 1)).toEqual(['a', 'b', 'c'])
  })
})
