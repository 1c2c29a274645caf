import { describe, expect, it } from 'vitest'
import type { FieldType, RuleGroup } from '../rules.ts'
import { readCondition } from './read-condition.ts'
import { writeCondition } from './write-condition.ts'

const columns = new Map<string, FieldType>([
  ['city', 'string'],
  ['email', 'email'],
  ['age', 'int'],
  ['score', 'decimal'],
  ['vip', 'bool'],
  ['born', 'date'],
  ['seen', 'datetime'],
  ['tier', 'enum'],
])

const rule = (
  field: string,
  operator: RuleGroup['rules'][number] extends infer R
    ? Extract<R, { operator: unknown }>['operator']
    : never,
  value: unknown = null,
): RuleGroup => ({
  combinator: 'and',
  rules: [{ field, operator, value: value as string }],
})

describe('writeCondition', () => {
  it.each([
    [rule('city', '=', 'Berlin'), 'member.city == "Berlin"'],
    [rule('city', '!=', 'Köln'), 'member.city != "Köln"'],
    [rule('city', 'null'), 'member.city == nil'],
    [rule('city', 'contains', 'BER'), '(member.city | downcase) contains "ber"'],
    [rule('city', 'in', ['a', ' b ']), 'member.city == "a" or member.city == "b"'],
    [rule('age', '>=', '18'), 'member.age >= 18'],
    [rule('age', '<', 18), 'member.age != nil and member.age < 18'],
    [
      rule('score', 'between', [5, -1.5]),
      'member.score != nil and member.score >= -1.5 and member.score <= 5',
    ],
    [rule('vip', '=', true), 'member.vip == true'],
    [rule('born', '>', '2000-02-29'), 'member.born > "2000-02-29"'],
    [rule('seen', '=', '2026-01-01'), '(member.seen | date: "%Y-%m-%d") == "2026-01-01"'],
    [
      rule('city', '=', `"'{%}\\&<`),
      String.raw`member.city == "\u0022\u0027\u007b%\u007d\u005c\u0026\u003c"`,
    ],
  ])('%j as %s', (query, text) => {
    expect(writeCondition(query, columns)).toBe(text)
  })

  it.each([
    rule('unknown', '=', 'x'),
    rule('city', '<', 'x'),
    rule('city', '=', ''),
    rule('city', '=', 'a\0b'),
    rule('age', '=', 1.5),
    rule('score', '=', 1e-9),
    rule('born', '=', '2001-02-29'),
    rule('seen', '=', '2026-01-01T12:00:00'),
    rule('born', 'anniversary', 0),
    rule('email', '=', 'a@münchen.example'),
  ])('refuses %j', query => {
    expect(writeCondition(query, columns)).toBeNull()
  })

  it('begins no group with "not", which liquidjs does not read', () => {
    const no = rule('city', 'doesNotContain', 'x').rules
    const group = { combinator: 'or' as const, rules: [...no, ...rule('vip', '=', true).rules] }
    const text = writeCondition({ combinator: 'and', rules: [...rule('age', '=', 1).rules, group] }, columns)
    expect(text).toBe(
      'member.age == 1 and (false or not ((member.city | downcase) contains "x") or member.vip == true)',
    )
    expect(readCondition(text ?? '', columns)?.rules[1]).toEqual(group)
  })

  it('writes nothing for no rules', () => {
    const muted: RuleGroup = { combinator: 'and', rules: [{ field: 'city', operator: 'null', muted: true }] }
    expect(writeCondition(muted, columns)).toBe('')
  })
})

describe('readCondition', () => {
  it('reads conditions written by hand', () => {
    expect(
      readCondition(" member.city=='Berlin' and (member.age >= 18 or member.vip == true) ", columns),
    ).toEqual({
      combinator: 'and',
      rules: [
        { field: 'city', operator: '=', value: 'Berlin' },
        {
          combinator: 'or',
          rules: [
            { field: 'age', operator: '>=', value: 18 },
            { field: 'vip', operator: '=', value: true },
          ],
        },
      ],
    })
  })

  it.each([
    'member.age < 18',
    'member.city',
    'member.city contains "Ber"',
    'member.unknown == "x"',
    'member.city == "Berlin" and campaign.id == 1',
    'member.city == "a" member.city == "b"',
    '(member.city == "a"',
    'member.city == member.tier',
    `${'('.repeat(5_000)}member.city == "a"${')'.repeat(5_000)}`,
    `member.city == "${'a'.repeat(30_000)}"`,
    String.raw`member.city == "\101"`,
  ])('leaves %.60s as text', text => {
    expect(readCondition(text, columns)).toBeNull()
  })

  it('reads what was written', () => {
    const query: RuleGroup = {
      combinator: 'or',
      rules: [
        { field: 'city', operator: 'doesNotBeginWith', value: 'ber' },
        { field: 'born', operator: 'notInLast', value: 30 },
        { field: 'seen', operator: 'inNext', value: 7 },
        { field: 'tier', operator: 'notIn', value: ['gold', 'silver'] },
        {
          combinator: 'and',
          not: true,
          rules: [
            { field: 'age', operator: '<', value: 18 },
            { field: 'score', operator: 'notBetween', value: [-1, 1] },
            { field: 'city', operator: 'endsWith', value: '"x"' },
          ],
        },
      ],
    }
    expect(readCondition(writeCondition(query, columns) ?? '', columns)).toEqual(query)
  })
})
