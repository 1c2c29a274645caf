import { expect, test } from 'vitest'
import { z } from 'zod'
import { clockTime, email, line, name } from './fields.ts'
import { maximumDepth, ruleQuery } from './rules.ts'
import { checkFault, faultOfIssue } from './schema-faults.ts'

function faultOf(schema: z.ZodType, value: unknown) {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  return issue && faultOfIssue(issue)
}

test.each([
  [z.string(), 1, { code: 'field.text', message: 'must be string, not number' }],
  [z.int(), 1.5, { code: 'field.whole_number', message: 'must be int, not number' }],
  [z.number(), 'x', { code: 'field.number', message: 'must be number, not string' }],
  [z.boolean(), 'x', { code: 'field.yes_no', message: 'must be boolean, not string' }],
  [z.array(z.string()), 'x', { code: 'field.object', message: 'must be array, not string' }],
  [z.string().max(2), 'abc', { code: 'field.too_long', values: { max: 2 } }],
  [z.string().min(2), 'a', { code: 'field.too_short', values: { min: 2 } }],
  [z.int().max(2), 3, { code: 'field.too_high', values: { max: 2 } }],
  [z.int().min(2), 1, { code: 'field.too_low', values: { min: 2 } }],
  [z.int().positive(), 0, { code: 'field.not_above', values: { min: 0 } }],
  [z.array(z.int()).max(1), [1, 2], { code: 'field.too_many_items', values: { max: 1 } }],
  [z.array(z.int()).min(1), [], { code: 'field.too_few_items' }],
  [z.enum(['a', 'b']), 'c', { code: 'field.option' }],
  [z.email(), 'x', { code: 'field.email' }],
  [z.iso.date(), 'x', { code: 'field.date' }],
  [z.iso.datetime(), 'x', { code: 'field.time' }],
  [z.union([z.int(), z.boolean()]), 'x', { code: 'field.invalid' }],
  [z.custom(() => false), 'x', { code: 'field.invalid' }],
])('R316 what a schema finds wrong has a code with its limits: %#', (schema, value, expected) => {
  expect(faultOf(schema, value)).toMatchObject(expected)
})

test.each([
  [name, ' ', { code: 'field.empty', message: 'must not be empty' }],
  [
    line(5),
    'a\nb',
    { code: 'field.one_line', message: 'must not contain control characters or line breaks' },
  ],
  [email, 'x', { code: 'field.email', message: 'is not an email address' }],
  [clockTime, 'x', { code: 'field.clock_time', message: 'is not a time of day, such as 22:30' }],
  [
    z.string().min(10, checkFault('field.too_short')),
    'x',
    { code: 'field.too_short', values: { min: 10 }, message: 'needs at least 10 characters' },
  ],
])('R316 a check names its code, its limits are values: %#', (schema, value, expected) => {
  expect(faultOf(schema, value)).toEqual(expected)
})

test('R316 a refinement says its values itself', () => {
  let value: unknown = { combinator: 'and', rules: [] }
  for (let depth = 0; depth < 40; depth++) value = { combinator: 'and', rules: [value] }
  const found = faultOf(ruleQuery, value)
  expect(found).toEqual({
    code: 'field.groups_too_deep',
    values: { max: maximumDepth },
    message: `is nested too deeply: at most ${maximumDepth} levels of groups`,
  })
})
