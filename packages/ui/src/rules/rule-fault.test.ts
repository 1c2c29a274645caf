import { describe, expect, test } from 'vitest'
import { ruleFault } from './rule-fault.ts'
import type { RuleField } from './rule-field.ts'

const city: RuleField = { name: 'city', label: 'City', type: 'string' }
const points: RuleField = { name: 'points', label: 'Points', type: 'int' }
const revenue: RuleField = { name: 'revenue', label: 'Revenue', type: 'decimal' }
const born: RuleField = { name: 'born', label: 'Born', type: 'date' }
const opened: RuleField = { name: 'opened', label: 'Opened', type: 'events' }
const keyOf = (...[rule, field]: Parameters<typeof ruleFault>) => ruleFault(rule, field)?.key ?? null

describe('ruleFault', () => {
  test('R287 null takes no value, a pair takes two, a list at least one', () => {
    expect(keyOf({ field: 'city', operator: 'null' }, city)).toBeNull()
    expect(keyOf({ field: 'points', operator: 'between', value: [9, ''] }, points)).toBe('rules.fault.pair')
    expect(keyOf({ field: 'points', operator: 'between', value: [9, 1] }, points)).toBeNull()
    expect(keyOf({ field: 'city', operator: 'in', value: [] }, city)).toBe('rules.fault.missing')
    expect(ruleFault({ field: 'city', operator: '=', value: ' ' }, city)).toMatchObject({ isMissing: true })
    expect(keyOf({ field: 'points', operator: '=', value: 0 }, points)).toBeNull()
  })

  test('R283 values match the field’s type', () => {
    expect(keyOf({ field: 'points', operator: '=', value: 1.5 }, points)).toBe('rules.fault.whole')
    expect(keyOf({ field: 'revenue', operator: '=', value: 1.5 }, revenue)).toBeNull()
    expect(keyOf({ field: 'revenue', operator: '=', value: 'x' }, revenue)).toBe('rules.fault.number')
    expect(keyOf({ field: 'born', operator: '=', value: 'soon' }, born)).toBe('rules.fault.day')
    expect(keyOf({ field: 'born', operator: 'inLast', value: -1 }, born)).toBe('rules.fault.days')
    expect(keyOf({ field: 'city', operator: '=', value: 'x'.repeat(1001) }, city)).toBe('rules.fault.long')
  })

  test('R284 an operator that the field does not support is a fault', () => {
    expect(keyOf({ field: 'city', operator: 'inLast', value: 3 }, city)).toBe('rules.fault.operator')
  })

  test('R288 thresholds are numbers from 0, 1 by default', () => {
    const rule = { field: 'opened', operator: '=', value: { combinator: 'and', rules: [] } } as const
    expect(keyOf({ ...rule, value: null, match: { mode: 'atLeast', threshold: -1 } }, opened)).toBe(
      'rules.fault.threshold',
    )
    expect(keyOf({ ...rule, value: null, match: { mode: 'atLeast' } }, opened)).toBeNull()
    expect(keyOf({ ...rule, value: null, match: { mode: 'exactly', threshold: 0 } }, opened)).toBeNull()
    expect(keyOf({ ...rule, value: null, match: { mode: 'none', threshold: -1 } }, opened)).toBeNull()
  })
})
