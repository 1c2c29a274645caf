import type { FieldType, Operator } from '@emma/contract/rules.ts'
import { type RawBuilder, sql as raw } from 'kysely'
import { asList, isDayOnly, readDays, readValue } from './rule-values.ts'

/** A compiled condition. `isTotal`: it is true or false for every row, never NULL. */
export interface Condition {
  sql: RawBuilder<unknown>
  isTotal: boolean
}

/** What is compared: a column, of the kind `type`. */
export interface Operand {
  sql: RawBuilder<unknown>
  type: FieldType
}

type Refuse = (message: string) => null

/**
 * One comparison as SQL with parameters. Each negated operator is the exact opposite of its positive one, so a member
 * without a value is "not Berlin". `=` and `in` are exact; contains, begins and ends ignore case. A day compared with
 * an instant means the whole day (UTC).
 *
 * @param refuse called with what is wrong with the value, in words
 * @returns null when it was refused
 */
export function compileCondition(
  operand: Operand,
  operator: Operator,
  value: unknown,
  refuse: Refuse,
): Condition | null {
  const opposite = opposites[operator]
  if (opposite) {
    const condition = compileCondition(operand, opposite, value, refuse)
    return condition && { sql: raw`(${condition.sql}) is not true`, isTotal: true }
  }
  switch (operator) {
    case 'null':
      return { sql: raw`${operand.sql} is null`, isTotal: true }
    case 'contains':
    case 'beginsWith':
    case 'endsWith':
      return compilePattern(operand, operator, value, refuse)
    case 'in':
      return compileIn(operand, value, refuse)
    case 'between':
      return compileBetween(operand, value, refuse)
    case 'inLast':
    case 'inNext':
    case 'anniversary':
      return compileRelative(operand, operator, value, refuse)
    default:
      return compileComparison(operand, operator, value, refuse)
  }
}

const opposites: Partial<Record<Operator, Operator>> = {
  '!=': '=',
  notNull: 'null',
  doesNotContain: 'contains',
  doesNotBeginWith: 'beginsWith',
  doesNotEndWith: 'endsWith',
  notIn: 'in',
  notBetween: 'between',
  notInLast: 'inLast',
}

function compileComparison(
  operand: Operand,
  operator: Operator,
  value: unknown,
  refuse: Refuse,
): Condition | null {
  if (value === undefined || value === null || value === '' || Array.isArray(value))
    return refuse('needs a value')
  const read = readValue(operand.type, value)
  if (!read.ok) return refuse(read.fault)
  const { sql } = operand
  if (operand.type === 'datetime' && isDayOnly(read.value)) return compareDay(sql, operator, read.value)
  const expected = parameter(operand.type, read.value)
  const subject = operand.type === 'email' ? raw`lower(${sql})` : sql
  return partial(raw`${subject} ${raw.raw(comparisons[operator] ?? '=')} ${expected}`)
}

/** The signs are ours: what a caller sent never becomes SQL text. */
const comparisons: Partial<Record<Operator, string>> = {
  '=': '=',
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
}

function compareDay(sql: RawBuilder<unknown>, operator: Operator, day: unknown): Condition {
  const start = raw`${day}::date::timestamptz`
  const end = raw`(${day}::date + 1)::timestamptz`
  switch (operator) {
    case '<':
      return partial(raw`${sql} < ${start}`)
    case '<=':
      return partial(raw`${sql} < ${end}`)
    case '>':
      return partial(raw`${sql} >= ${end}`)
    case '>=':
      return partial(raw`${sql} >= ${start}`)
    default:
      return partial(raw`${sql} >= ${start} and ${sql} < ${end}`)
  }
}

function compilePattern(
  { sql }: Operand,
  operator: Operator,
  value: unknown,
  refuse: Refuse,
): Condition | null {
  if ((typeof value !== 'string' && typeof value !== 'number') || value === '') return refuse('needs a text')
  const term = String(value).replace(/[\\%_]/g, sign => `\\${sign}`)
  const patterns = { contains: `%${term}%`, beginsWith: `${term}%`, endsWith: `%${term}` }
  const pattern =
    operator === 'beginsWith' || operator === 'endsWith' ? patterns[operator] : patterns.contains
  return partial(raw`${sql} ilike ${pattern}`)
}

function compileIn({ sql, type }: Operand, value: unknown, refuse: Refuse): Condition | null {
  const values = asList(value)
  if (values.length === 0) return refuse('needs at least one value')
  const read = values.map(one => readValue(type, one))
  const fault = read.find(one => !one.ok)
  if (fault && !fault.ok) return refuse(fault.fault)
  const accepted = read.flatMap(one => (one.ok ? [one.value] : []))
  if (type === 'int') return partial(raw`${sql} = any(${accepted}::bigint[])`)
  if (type === 'decimal') return partial(raw`${sql} = any(${accepted}::numeric[])`)
  if (type === 'email')
    return partial(raw`lower(${sql}) = any(${accepted.map(one => String(one).toLowerCase())}::text[])`)
  return partial(raw`${sql} = any(${accepted}::text[])`)
}

/** R287: a reversed pair is turned round. */
function compileBetween(operand: Operand, value: unknown, refuse: Refuse): Condition | null {
  const values = asList(value)
  if (values.length !== 2) return refuse('needs two values')
  const [first, second] = values.map(one => readValue(operand.type, one))
  if (!first?.ok) return refuse(first?.fault ?? 'needs two values')
  if (!second?.ok) return refuse(second?.fault ?? 'needs two values')
  const [low, high] = first.value <= second.value ? [first, second] : [second, first]
  const { sql, type } = operand
  if (type !== 'datetime')
    return partial(raw`${sql} between ${parameter(type, low.value)} and ${parameter(type, high.value)}`)
  const end = isDayOnly(high.value)
    ? raw`${sql} < (${high.value}::date + 1)::timestamptz`
    : raw`${sql} <= ${high.value}::timestamptz`
  return partial(raw`${sql} >= ${low.value}::timestamptz and ${end}`)
}

/** Days before and after now; for a date, today counts. An anniversary is the day and month, `value` days from today. */
function compileRelative(
  { sql, type }: Operand,
  operator: 'inLast' | 'inNext' | 'anniversary',
  value: unknown,
  refuse: Refuse,
): Condition | null {
  const days = readDays(value)
  if (!days.ok) return refuse(days.fault)
  if (operator === 'anniversary') return partial(anniversary(sql, days.value))
  if (type === 'date') {
    const far =
      operator === 'inLast' ? raw`current_date - ${days.value}::int` : raw`current_date + ${days.value}::int`
    return operator === 'inLast'
      ? partial(raw`${sql} between ${far} and current_date`)
      : partial(raw`${sql} between current_date and ${far}`)
  }
  return operator === 'inLast'
    ? partial(raw`${sql} between now() - make_interval(days => ${days.value}::int) and now()`)
    : partial(raw`${sql} between now() and now() + make_interval(days => ${days.value}::int)`)
}

/** Who was born on 29 February has the 28th in other years. */
function anniversary(sql: RawBuilder<unknown>, days: number): RawBuilder<unknown> {
  const day = raw`(current_date + ${days}::int)`
  const isLastOfFebruary = raw`to_char(${day}, 'MMDD') = '0228' and to_char(${day} + 1, 'MMDD') = '0301'`
  return raw`(to_char(${sql}, 'MMDD') = to_char(${day}, 'MMDD')
    or (to_char(${sql}, 'MMDD') = '0229' and ${isLastOfFebruary}))`
}

/** Typed, so that PostgreSQL never guesses: an untyped parameter beside an expression would be text. */
function parameter(type: FieldType, value: unknown): RawBuilder<unknown> {
  switch (type) {
    case 'int':
      return raw`${value}::bigint`
    case 'decimal':
      return raw`${value}::numeric`
    case 'bool':
      return raw`${value}::boolean`
    case 'date':
      return raw`${value}::date`
    case 'datetime':
      return raw`${value}::timestamptz`
    case 'email':
      return raw`${String(value).toLowerCase()}::text`
    default:
      return raw`${value}::text`
  }
}

function partial(sql: RawBuilder<unknown>): Condition {
  return { sql, isTotal: false }
}
