import { describe, expect, it } from 'vitest'
import {
  type RuleField,
  adaptValue,
  arityOf,
  asPair,
  asValues,
  editorKind,
  firstValue,
  needsThreshold,
  operatorsOfField,
  orderedPair,
} from './rule-field.ts'

const city: RuleField = { name: 'city', label: 'City', type: 'string' }
const born: RuleField = { name: 'born', label: 'Born', type: 'date' }
const points: RuleField = { name: 'points', label: 'Points', type: 'int' }
const plan: RuleField = {
  name: 'plan',
  label: 'Plan',
  type: 'enum',
  options: [{ value: 'free', label: 'Free' }],
}
const opened: RuleField = { name: 'opened', label: 'Opened', type: 'events', eventFields: [born] }

describe('values of rules', () => {
  it('R287 takes none, one, two or many, by operator', () => {
    expect([arityOf('null'), arityOf('notNull'), arityOf('='), arityOf('between')]).toEqual([0, 0, 1, 2])
    expect([arityOf('notBetween'), arityOf('in'), arityOf('inLast')]).toEqual([2, 'many', 1])
  })

  it('R287 swaps a reversed pair, comparing numbers as numbers', () => {
    expect(orderedPair([9, 1])).toEqual([1, 9])
    expect(orderedPair([9, 10])).toEqual([9, 10])
    expect(orderedPair(['2026-05-01', '2026-01-01'])).toEqual(['2026-01-01', '2026-05-01'])
    expect(orderedPair([5, ''])).toEqual([5, ''])
  })

  it('R289 splits text at commas', () => {
    expect(asValues('Berlin, Köln,,')).toEqual(['Berlin', 'Köln'])
    expect(asValues([1, '', 2, null])).toEqual([1, 2])
    expect(asValues(undefined)).toEqual([])
    expect(asPair('1,9')).toEqual(['1', '9'])
    expect(asPair(null)).toEqual(['', ''])
  })

  it('R288 requires a threshold for modes with a number of times', () => {
    const modes = ['all', 'some', 'none', 'atLeast', 'atMost', 'exactly'] as const
    expect(modes.filter(needsThreshold)).toEqual(['atLeast', 'atMost', 'exactly'])
  })
})

describe('editors', () => {
  it('depends on the field and the operator', () => {
    expect(editorKind(city, '=')).toBe('text')
    expect(editorKind(points, 'between')).toBe('number')
    expect(editorKind(born, '=')).toBe('day')
    expect(editorKind(born, 'inLast')).toBe('days')
    expect(editorKind(plan, 'in')).toBe('choice')
    expect(editorKind(plan, 'null')).toBe('none')
    expect(editorKind(opened, '=')).toBe('none')
    expect(operatorsOfField(opened)).toEqual(['='])
  })

  it('has an initial value', () => {
    expect(firstValue(born, 'inLast')).toBe(30)
    expect(firstValue(plan, '=')).toBe('free')
    expect(firstValue(points, 'between')).toEqual(['', ''])
    expect(firstValue(city, 'notNull')).toBeNull()
  })

  it('keeps compatible values when the operator changes', () => {
    expect(adaptValue(city, '=', 'contains', 'Berlin')).toBe('Berlin')
    expect(adaptValue(city, '=', 'in', 'Berlin')).toEqual(['Berlin'])
    expect(adaptValue(city, 'in', '=', ['Berlin', 'Köln'])).toBe('Berlin')
    expect(adaptValue(points, '=', 'between', 5)).toEqual([5, ''])
  })

  it('resets incompatible values', () => {
    expect(adaptValue(born, '=', 'inLast', '2026-01-01')).toBe(30)
    expect(adaptValue(born, 'inLast', '=', 30)).toBe('')
    expect(adaptValue(city, 'null', '=', null)).toBe('')
  })
})
