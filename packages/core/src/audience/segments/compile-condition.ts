import { type Fault, fault } from '@emma/contract/faults.ts'
import type { FieldType, Operator } from '@emma/contract/rules.ts'
import { type RawBuilder, sql } from 'kysely'
import { asList, hasOffset, isDayOnly, readDays, readValue } from './rule-values.ts'

/** A compiled condition. `isTotal`: it is true or false for every row, never NULL. */
export interface Condition {
  db: RawBuilder<unknown>
  isTotal: boolean
}

/** Left-hand side of a comparison: a column, of the kind `type`. */
export interface Operand {
  db: RawBuilder<unknown>
  type: FieldType
}

/**
 * Reference time of the rules. `at`: what "today" and "the last n days" refer to; null: the time of the statement.
 * `timezone`: the client's, in which days begin and end.
 */
export interface SegmentClock {
  timezone: string
  at: Date | null
}

type Refuse = (reason: Fault) => null

/**
 * Compiles one comparison to SQL with parameters. Each negated operator is the exact complement of its positive one, so
 * a member without a value is "not Berlin". `=` and `in` are case-sensitive; contains, begins and ends ignore case. A
 * date compared with a time means the whole day in the client's time zone.
 *
 * @param refuse called with the fault when the value is invalid
 * @returns null when it was invalid
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
    return condition && { db: sql`(${condition.db}) is not true`, isTotal: true }
  }
  switch (operator) {
    case 'null':
      return { db: sql`${operand.db} is null`, isTotal: true }
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
    return refuse(fault('field.needs_value'))
  const read = readValue(operand.type, value)
  if (!read.ok) return refuse(read.fault)
  const { db } = operand
  if (operand.type === 'datetime' && isDayOnly(read.value)) return compareDay(db, operator, read.value, clock)
  const expected =
    operand.type === 'datetime' ? instant(read.value, clock) : parameter(operand.type, read.value)
  const subject = operand.type === 'email' ? sql`lower(${db})` : db
  return partial(sql`${subject} ${sql.raw(comparisons[operator] ?? '=')} ${expected}`)
}

/** Operators come from this table: input never becomes SQL text. */
const comparisons: Partial<Record<Operator, string>> = {
  '=': '=',
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
}

function compareDay(
  db: RawBuilder<unknown>,
  operator: Operator,
  day: unknown,
  clock: SegmentClock,
): Condition {
  const start = startOfDay(day, clock)
  const end = endOfDay(day, clock)
  switch (operator) {
    case '<':
      return partial(sql`${db} < ${start}`)
    case '<=':
      return partial(sql`${db} < ${end}`)
    case '>':
      return partial(sql`${db} >= ${end}`)
    case '>=':
      return partial(sql`${db} >= ${start}`)
    default:
      return partial(sql`${db} >= ${start} and ${db} < ${end}`)
  }
}

function compilePattern(
  { db }: Operand,
  operator: Operator,
  value: unknown,
  refuse: Refuse,
): Condition | null {
  if ((typeof value !== 'string' && typeof value !== 'number') || value === '')
    return refuse(fault('field.needs_text'))
  const term = String(value).replace(/[\\%_]/g, sign => `\\${sign}`)
  const patterns = { contains: `%${term}%`, beginsWith: `${term}%`, endsWith: `%${term}` }
  const pattern =
    operator === 'beginsWith' || operator === 'endsWith' ? patterns[operator] : patterns.contains
  return partial(sql`${db} ilike ${pattern}`)
}

function compileIn({ db, type }: Operand, value: unknown, refuse: Refuse): Condition | null {
  const values = asList(value)
  if (values.length === 0) return refuse(fault('field.too_few_items'))
  const read = values.map(one => readValue(type, one))
  const refused = read.find(one => !one.ok)
  if (refused && !refused.ok) return refuse(refused.fault)
  const accepted = read.flatMap(one => (one.ok ? [one.value] : []))
  if (type === 'int') return partial(sql`${db} = any(${accepted}::bigint[])`)
  if (type === 'decimal') return partial(sql`${db} = any(${accepted}::numeric[])`)
  if (type === 'email')
    return partial(sql`lower(${db}) = any(${accepted.map(one => String(one).toLowerCase())}::text[])`)
  return partial(sql`${db} = any(${accepted}::text[])`)
}

/** R287: bounds in reverse order are swapped. */
function compileBetween(
  operand: Operand,
  value: unknown,
  clock: SegmentClock,
  refuse: Refuse,
): Condition | null {
  const values = asList(value)
  if (values.length !== 2) return refuse(fault('field.two_values'))
  const [first, second] = values.map(one => readValue(operand.type, one))
  if (!first?.ok) return refuse(first?.fault ?? fault('field.two_values'))
  if (!second?.ok) return refuse(second?.fault ?? fault('field.two_values'))
  const { db, type } = operand
  if (type === 'datetime') return betweenInstants(db, first.value, second.value, clock)
  const [low, high] = first.value <= second.value ? [first, second] : [second, first]
  return partial(sql`${db} between ${parameter(type, low.value)} and ${parameter(type, high.value)}`)
}

/** A date as a bound includes the whole day. PostgreSQL decides which bound is earlier. */
function betweenInstants(
  db: RawBuilder<unknown>,
  first: unknown,
  second: unknown,
  clock: SegmentClock,
): Condition {
  const from = (bound: unknown) => (isDayOnly(bound) ? startOfDay(bound, clock) : instant(bound, clock))
  const until = (bound: unknown) =>
    isDayOnly(bound) ? sql`${db} < ${endOfDay(bound, clock)}` : sql`${db} <= ${instant(bound, clock)}`
  return partial(
    sql`${db} >= least(${from(first)}, ${from(second)}) and (${until(first)} or ${until(second)})`,
  )
}

/**
 * Days before or after now; for dates, today is included. An anniversary compares day and month with the date `value`
 * days from today.
 */
function compileRelative(
  { db, type }: Operand,
  operator: 'inLast' | 'inNext' | 'anniversary',
  value: unknown,
  clock: SegmentClock,
  refuse: Refuse,
): Condition | null {
  const days = readDays(value)
  if (!days.ok) return refuse(days.fault)
  const now = clock.at === null ? sql`now()` : sql`${clock.at}::timestamptz`
  const today = sql`(${now} at time zone ${clock.timezone})::date`
  if (operator === 'anniversary') return partial(isAnniversary(db, sql`(${today} + ${days.value}::int)`))
  if (type === 'date')
    return operator === 'inLast'
      ? partial(sql`${db} between ${today} - ${days.value}::int and ${today}`)
      : partial(sql`${db} between ${today} and ${today} + ${days.value}::int`)
  return operator === 'inLast'
    ? partial(sql`${db} between ${now} - make_interval(days => ${days.value}::int) and ${now}`)
    : partial(sql`${db} between ${now} and ${now} + make_interval(days => ${days.value}::int)`)
}

/** Whether a date has the day and month of another. 29 February counts as 28 February in other years. */
export function isAnniversary(db: RawBuilder<unknown>, day: RawBuilder<unknown>): RawBuilder<unknown> {
  const isLastOfFebruary = sql`to_char(${day}, 'MMDD') = '0228' and to_char(${day} + 1, 'MMDD') = '0301'`
  return sql`(to_char(${db}, 'MMDD') = to_char(${day}, 'MMDD')
    or (to_char(${db}, 'MMDD') = '0229' and ${isLastOfFebruary}))`
}

function startOfDay(day: unknown, { timezone }: SegmentClock): RawBuilder<unknown> {
  return sql`(${day}::date::timestamp at time zone ${timezone})`
}

/** Start of the following day. */
function endOfDay(day: unknown, { timezone }: SegmentClock): RawBuilder<unknown> {
  return sql`((${day}::date + 1)::timestamp at time zone ${timezone})`
}

/** Times without an offset are local times of the client. */
function instant(value: unknown, { timezone }: SegmentClock): RawBuilder<unknown> {
  return hasOffset(value) ? sql`${value}::timestamptz` : sql`(${value}::timestamp at time zone ${timezone})`
}

/** Typed parameters, as PostgreSQL would infer text for an untyped one. */
function parameter(type: FieldType, value: unknown): RawBuilder<unknown> {
  switch (type) {
    case 'int':
      return sql`${value}::bigint`
    case 'decimal':
      return sql`${value}::numeric`
    case 'bool':
      return sql`${value}::boolean`
    case 'date':
      return sql`${value}::date`
    case 'email':
      return sql`${String(value).toLowerCase()}::text`
    default:
      return sql`${value}::text`
  }
}

function partial(db: RawBuilder<unknown>): Condition {
  return { db, isTotal: false }
}
