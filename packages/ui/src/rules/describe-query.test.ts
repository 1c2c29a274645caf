import type { RuleGroup } from '@emma/contract/rules.ts'
import { describe, expect, it } from 'vitest'
import { createFormat } from '../format.ts'
import deTexts from '../texts/de.json' with { type: 'json' }
import enTexts from '../texts/en.json' with { type: 'json' }
import esTexts from '../texts/es.json' with { type: 'json' }
import { createTranslate, flattenMessages } from '../i18n.tsx'
import { describeQuery } from './describe-query.ts'
import type { RuleField } from './rule-field.ts'

const [en, de, es] = [
  flattenMessages(enTexts.kit),
  flattenMessages(deTexts.kit),
  flattenMessages(esTexts.kit),
]

const fields: RuleField[] = [
  { name: 'city', label: 'City', type: 'string' },
  { name: 'points', label: 'Points', type: 'int' },
  { name: 'born', label: 'Birthday', type: 'date' },
  { name: 'vip', label: 'VIP', type: 'bool' },
  {
    name: 'plan',
    label: 'Plan',
    type: 'enum',
    options: [
      { value: 'free', label: 'Free' },
      { value: 'pro', label: 'Pro' },
      { value: 'team', label: 'Team' },
    ],
  },
  {
    name: 'opened',
    label: 'Opened',
    type: 'events',
    eventFields: [
      { name: 'ts', label: 'Time', type: 'datetime' },
      {
        name: 'campagne_id',
        label: 'Campaign',
        type: 'int',
        source: { key: ['campaign'], primaryKey: 'campagne_id', load: async () => ({ data: [], total: 0 }) },
      },
    ],
  },
]

const inEnglish = (query: RuleGroup) =>
  describeQuery(query, { fields, t: createTranslate('en', en), format: createFormat('en', undefined) })

const group = (...rules: RuleGroup['rules']): RuleGroup => ({ combinator: 'and', rules })

describe('describeQuery', () => {
  it('describes a query without rules', () => {
    expect(inEnglish(group())).toBe('Everyone')
    expect(inEnglish({ ...group(), not: true })).toBe('not (Everyone)')
  })

  it('joins rules and puts groups in parentheses', () => {
    const query = group(
      { field: 'city', operator: '=', value: 'Berlin' },
      {
        combinator: 'or',
        rules: [
          { field: 'points', operator: '>=', value: 1000 },
          { field: 'vip', operator: '=', value: true },
        ],
      },
    )
    expect(inEnglish(query)).toBe('City is “Berlin” and (Points is at least 1,000 or VIP is Yes)')
  })

  it('describes negation and "exactly one of"', () => {
    const query: RuleGroup = {
      combinator: 'xor',
      not: true,
      rules: [
        { field: 'city', operator: 'null' },
        { field: 'city', operator: 'contains', value: 'x' },
      ],
    }
    expect(inEnglish(query)).toBe('not (exactly one of these: City is empty; City contains “x”)')
  })

  it('names options, lists and ordered pairs', () => {
    expect(inEnglish(group({ field: 'plan', operator: 'in', value: ['pro', 'team', 'free'] }))).toBe(
      'Plan is one of Pro, Team, or Free',
    )
    expect(inEnglish(group({ field: 'points', operator: 'between', value: [9, 1] }))).toBe(
      'Points is between 1 and 9',
    )
    expect(inEnglish(group({ field: 'points', operator: 'in', value: '1,2' }))).toBe(
      'Points is one of “1” or “2”',
    )
  })

  it('describes times as before and after, and days', () => {
    expect(inEnglish(group({ field: 'born', operator: '<', value: '2000-05-01' }))).toBe(
      'Birthday is before May 1, 2000',
    )
    expect(inEnglish(group({ field: 'born', operator: 'inLast', value: 30 }))).toBe(
      'Birthday is in the last 30 days',
    )
  })

  it('describes behavior with frequency and conditions', () => {
    const query = group({
      field: 'opened',
      operator: '=',
      match: { mode: 'atLeast', threshold: 2 },
      value: group(
        { field: 'ts', operator: 'inLast', value: 30 },
        { field: 'campagne_id', operator: '=', value: 7 },
      ),
    })
    expect(inEnglish(query)).toBe(
      'Opened: at least 2 times, where (Time is in the last 30 days and Campaign is #7)',
    )
    expect(
      inEnglish(group({ field: 'opened', operator: '=', match: { mode: 'none' }, value: group() })),
    ).toBe('Opened: never')
  })

  it('names records whose names are known', () => {
    const text = describeQuery(
      group({
        field: 'opened',
        operator: '=',
        match: { mode: 'some' },
        value: group({ field: 'campagne_id', operator: 'in', value: [7, 8] }),
      }),
      {
        fields,
        t: createTranslate('en', en),
        format: createFormat('en', undefined),
        recordName: (_field, value) => (value === 7 ? 'Autumn' : undefined),
      },
    )
    expect(text).toBe('Opened: at least once, where Campaign is one of Autumn or #8')
  })

  it('shows incomplete rules and removed fields', () => {
    expect(inEnglish(group({ field: 'city', operator: '=', value: '' }))).toBe('City is …')
    expect(inEnglish(group({ field: 'old', operator: '=', value: 1 }))).toBe(
      'The field “old” does not exist any more',
    )
  })

  it('supports German and Spanish', () => {
    const query = group(
      { field: 'points', operator: '>', value: 1000 },
      { field: 'born', operator: 'notInLast', value: 7 },
    )
    const options = { fields }
    expect(
      describeQuery(query, {
        ...options,
        t: createTranslate('de', de),
        format: createFormat('de', undefined),
      }),
    ).toBe('Points ist größer als 1.000 und Birthday liegt nicht in den letzten 7 Tagen')
    expect(
      describeQuery(query, {
        ...options,
        t: createTranslate('es', es),
        format: createFormat('es', undefined),
      }),
    ).toBe('Points es mayor que 1000 y Birthday no está en los últimos 7 días')
  })
})
