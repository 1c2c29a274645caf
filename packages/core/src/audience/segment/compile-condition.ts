import type { FieldType, Operator } from '@emma/contract/rules.ts'
import { type RawBuilder, sql as raw } from 'kysely'
import { asList, hasOffset, isDayOnly, readDays, readValue } from './rule-values.ts'

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

/**
 * When the rules are evaluated. `at`: the instant that "today" and "the last n days" refer to; null for the time of the
 * statement. `timezone`: the client's; days begin and end there.
 */
export interface SegmentClock {
  timezone: string
  at: Date | null
}

type Refuse = (message: string) => null

/**
 * One comparison as SQL with parameters. Each negated operator is the exact opposite of its positive one, so a member
 * without a value is "not Berlin". `=` and `in` are exact; contains, begins and ends ignore case. A day compared with
 * an instant means the whole day in the client's time zone.
 *
 * @param refuse called with what is wrong with the value, in words
 * @returns null when it was refused
 */
export function compileCondition(
  operand: Operand,
  operator: Operator,
  value: unknown,
  clock: SegmentClock,
  refuse: Refuse,
): Condition | null {
  const opposite = opposites[operator]
  if (opposite) {
    const condition = compileCondition(operand, opposite, value, clock, refuse)
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
      return compileBetween(operand, value, clock, refuse)
    case 'inLast':
    case 'inNext':
    case 'anniversary':
      return compileRelative(operand, operator, value, clock, refuse)
    default:
      return compileComparison(operand, operator, value, clock, refuse)
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
  clock: SegmentClock,
  refuse: Refuse,
): Condition | null {
  if (value === undefined || value === null || value === '' || Array.isArray(value))
    return refuse('needs a value')
  const read = readValue(operand.type, value)
  if (!read.ok) return refuse(read.fault)
  const { sql } = operand
  if (operand.type === 'datetime' && isDayOnly(read.value))
    return compareDay(sql, operator, read.value, clock)
  const expected =
    operand.type === 'datetime' ? instant(read.value, clock) : parameter(operand.type, read.value)
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

function compareDay(
  sql: RawBuilder<unknown>,
  operator: Operator,
  day: unknown,
  clock: SegmentClock,
): Condition {
  const start = startOfDay(day, clock)
  const end = endOfDay(day, clock)
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
function compileBetween(
  operand: Operand,
  value: unknown,
  clock: SegmentClock,
  refuse: Refuse,
): Condition | null {
  const values = asList(value)
  if (values.length !== 2) return refuse('needs two values')
  const [first, second] = values.map(one => readValue(operand.type, one))
  if (!first?.ok) return refuse(first?.fault ?? 'needs two values')
  if (!second?.ok) return refuse(second?.fault ?? 'needs two values')
  const { sql, type } = operand
  if (type === 'datetime') return betweenInstants(sql, first.value, second.value, clock)
  const [low, high] = first.value <= second.value ? [first, second] : [second, first]
  return partial(raw`${sql} between ${parameter(type, low.value)} and ${parameter(type, high.value)}`)
}

/** A day in the pair counts from its first to its last instant. PostgreSQL decides which of the two is earlier. */
function betweenInstants(
  sql: RawBuilder<unknown>,
  first: unknown,
  second: unknown,
  clock: SegmentClock,
): Condition {
  const from = (bound: unknown) => (isDayOnly(bound) ? startOfDay(bound, clock) : instant(bound, clock))
  const until = (bound: unknown) =>
    isDayOnly(bound) ? raw`${sql} < ${endOfDay(bound, clock)}` : raw`${sql} <= ${instant(bound, clock)}`
  return partial(
    raw`${sql} >= least(${from(first)}, ${from(second)}) and (${until(first)} or ${until(second)})`,
  )
}

/** Days before and after now; for a date, today counts. An anniversary is the day and month, `value` days from today. */
function compileRelative(
  { sql, type }: Operand,
  operator: 'inLast' | 'inNext' | 'anniversary',
  value: unknown,
  clock: SegmentClock,
  refuse: Refuse,
): Condition | null {
  const days = readDays(value)
  if (!days.ok) return refuse(days.fault)
  const now = clock.at === null ? raw`now()` : raw`${clock.at}::timestamptz`
  const today = raw`(${now} at time zone ${clock.timezone})::date`
  if (operator === 'anniversary') return partial(anniversary(sql, raw`(${today} + ${days.value}::int)`))
  if (type === 'date')
    return operator === 'inLast'
      ? partial(raw`${sql} between ${today} - ${days.value}::int and ${today}`)
      : partial(raw`${sql} between ${today} and ${today} + ${days.value}::int`)
  return operator === 'inLast'
    ? partial(raw`${sql} between ${now} - make_interval(days => ${days.value}::int) and ${now}`)
    : partial(raw`${sql} between ${now} and ${now} + make_interval(days => ${days.value}::int)`)
}

/** Who was born on 29 February has the 28th in other years. */
function anniversary(sql: RawBuilder<unknown>, day: RawBuilder<unknown>): RawBuilder<unknown> {
  const isLastOfFebruary = raw`to_char(${day}, 'MMDD') = '0228' and to_char(${day} + 1, 'MMDD') = '0301'`
  return raw`(to_char(${sql}, 'MMDD') = to_char(${day}, 'MMDD')
    or (to_char(${sql}, 'MMDD') = '0229' and ${isLastOfFebruary}))`
}

function startOfDay(day: unknown, { timezone }: SegmentClock): RawBuilder<unknown> {
  return raw`(${day}::date::timestamp at time zone ${timezone})`
}

/** The first instant of the day after. */
function endOfDay(day: unknown, { timezone }: SegmentClock): RawBuilder<unknown> {
  return raw`((${day}::date + 1)::timestamp at time zone ${timezone})`
}

/** A time without an offset is one on the client's clock. */
function instant(value: unknown, { timezone }: SegmentClock): RawBuilder<unknown> {
  return hasOffset(value) ? raw`${value}::timestamptz` : raw`(${value}::timestamp at time zone ${timezone})`
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
    case 'email':
      return raw`${String(value).toLowerCase()}::text`
    default:
      return raw`${value}::text`
  }
}

function partial(sql: RawBuilder<unknown>): Condition {
  return { sql, isTotal: false }
}
