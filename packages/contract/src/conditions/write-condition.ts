import { type FieldType, type Operator, operatorsOf, type Rule, type RuleGroup } from '../rules.ts'
import {
  type Comparison,
  type Expression,
  joined,
  type LiquidFilter,
  negated,
  printExpression,
} from './liquid-expression.ts'

/** Columns that conditions can compare, with their types. */
export type ConditionColumns = ReadonlyMap<string, FieldType>

/**
 * Operators that a condition of Liquid can decide exactly as a segment does. Anniversaries are missing: Liquid has no
 * 29 February.
 */
export function hasCondition(operator: Operator): boolean {
  return operator !== 'anniversary'
}

/**
 * Writes rules as a condition of Liquid that holds for the same members as the segment of these rules: each negated
 * operator is the complement of its positive one, members without a value fulfil no comparison, contains, begins and
 * ends ignore case, and days are those of the client's time zone.
 * @returns '' without effective rules; null if Liquid cannot decide them (behaviour, unknown columns, faulty values,
 * too many)
 */
export function writeCondition(query: RuleGroup, columns: ConditionColumns): string | null {
  const expression = expressionOf(query, columns)
  if (expression === null) return ''
  if (expression === 'unknown') return null
  const text = printExpression(expression)
  return text.length > maxLength ? null : text
}

/** Longer conditions could not be read in the source. */
const maxLength = 10_000

/** Null: no effective rules. */
export function expressionOf(group: RuleGroup, columns: ConditionColumns): Expression | 'unknown' | null {
  const parts: Expression[] = []
  for (const child of group.rules) {
    if (child.muted) continue
    const part = 'rules' in child ? expressionOf(child, columns) : ruleExpression(child, columns)
    if (part === 'unknown') return part
    if (part) parts.push(part)
  }
  if (parts.length === 0) return null
  const whole = combine(parts, group.combinator)
  if (whole === 'unknown') return whole
  return group.not ? negated(whole) : whole
}

/** "Exactly one" repeats each part. */
const maxExclusive = 5

function combine(parts: Expression[], combinator: RuleGroup['combinator']): Expression | 'unknown' {
  const [only, ...others] = parts
  if (only && others.length === 0) return only
  if (combinator === 'and') return joined('all', ...parts)
  if (combinator === 'or') return joined('any', ...parts)
  if (parts.length > maxExclusive) return 'unknown'
  return joined(
    'any',
    ...parts.map((part, index) => joined('all', part, ...parts.filter((_, at) => at !== index).map(negated))),
  )
}

function ruleExpression(rule: Rule, columns: ConditionColumns): Expression | 'unknown' {
  const type = columns.get(rule.field)
  if (type === undefined || rule.match || !operatorsOf[type].includes(rule.operator)) return 'unknown'
  return comparisonOf(rule.field, type, rule.operator, rule.value) ?? 'unknown'
}

const opposites: Partial<Record<Operator, Operator>> = {
  doesNotContain: 'contains',
  doesNotBeginWith: 'beginsWith',
  doesNotEndWith: 'endsWith',
  notIn: 'in',
  notBetween: 'between',
  notInLast: 'inLast',
}

/** Null if the value does not fit. */
function comparisonOf(
  column: string,
  type: FieldType,
  operator: Operator,
  value: unknown,
): Expression | null {
  const opposite = opposites[operator]
  if (opposite) {
    const positive = comparisonOf(column, type, opposite, value)
    return positive && negated(positive)
  }
  switch (operator) {
    case 'null':
      return compare(column, [], '==', null)
    case 'notNull':
      return compare(column, [], '!=', null)
    case 'contains':
    case 'beginsWith':
    case 'endsWith':
      return patternOf(column, operator, value)
    case 'in':
      return oneOf(column, type, value)
    case 'between':
      return rangeOf(column, type, value)
    case 'inLast':
    case 'inNext':
      return type === 'date' || type === 'datetime' ? daysOf(column, type, operator, value) : null
    case '=':
    case '!=':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return plainComparison(column, type, operator, value)
    default:
      return null
  }
}

function plainComparison(
  column: string,
  type: FieldType,
  operator: '=' | '!=' | '<' | '>' | '<=' | '>=',
  value: unknown,
): Expression | null {
  const constant = constantOf(type, value)
  if (constant === null) return null
  const sign = operator === '=' ? '==' : operator
  return guarded(column, compare(column, filtersOf(type), sign, constant), [{ sign, constant }])
}

/** Liquid compares a missing value as 0: the column must have one where 0 would do. */
function guarded(
  column: string,
  comparison: Expression,
  tests: readonly { sign: Comparison; constant: unknown }[],
): Expression {
  const zeroFits = tests.every(({ sign, constant }) => typeof constant === 'number' && orders(sign, constant))
  return zeroFits ? joined('all', compare(column, [], '!=', null), comparison) : comparison
}

function orders(sign: Comparison, constant: number): boolean {
  switch (sign) {
    case '<':
      return 0 < constant
    case '>':
      return 0 > constant
    case '<=':
      return 0 <= constant
    case '>=':
      return 0 >= constant
    default:
      return false
  }
}

/** NUL occurs in no text of PostgreSQL: it marks the begin and the end of the value. */
const mark = '\0'
const downcase: LiquidFilter = { name: 'downcase', argument: null }

function patternOf(
  column: string,
  operator: 'contains' | 'beginsWith' | 'endsWith',
  value: unknown,
): Expression | null {
  const text = textOf(value)?.toLowerCase()
  if (text === undefined) return null
  if (operator === 'contains') return compare(column, [downcase], 'contains', text)
  return operator === 'beginsWith'
    ? compare(column, [downcase, { name: 'prepend', argument: mark }], 'contains', mark + text)
    : compare(column, [downcase, { name: 'append', argument: mark }], 'contains', text + mark)
}

function oneOf(column: string, type: FieldType, value: unknown): Expression | null {
  const constants = listOf(value).map(one => constantOf(type, typeof one === 'string' ? one.trim() : one))
  const [first] = constants
  if (first === undefined || constants.includes(null)) return null
  const parts = constants.map(constant => compare(column, filtersOf(type), '==', constant))
  return parts.length === 1 && parts[0] ? parts[0] : joined('any', ...parts)
}

function rangeOf(column: string, type: FieldType, value: unknown): Expression | null {
  const [first = null, second = null, ...more] = listOf(value).map(one => constantOf(type, one))
  if (first === null || second === null || more.length > 0) return null
  const [low, high] = first <= second ? [first, second] : [second, first]
  const filters = filtersOf(type)
  return guarded(
    column,
    joined('all', compare(column, filters, '>=', low), compare(column, filters, '<=', high)),
    [
      { sign: '>=', constant: low },
      { sign: '<=', constant: high },
    ],
  )
}

const day = 86_400
const seconds: LiquidFilter = { name: 'date', argument: '%s' }
const wholeDays: LiquidFilter = { name: 'divided_by', argument: day }
const localDay: LiquidFilter = { name: 'date', argument: '%Y-%m-%d' }

/** Dates are compared in days of the client's time zone, times in seconds, as numbers. */
function daysOf(
  column: string,
  type: 'date' | 'datetime',
  operator: 'inLast' | 'inNext',
  value: unknown,
): Expression | null {
  const days = numberOf(value)
  if (days === null || !Number.isInteger(days) || days < 0 || days > 36_500) return null
  const isDate = type === 'date'
  const filters = isDate ? [seconds, wholeDays] : [seconds, { name: 'plus', argument: 0 }]
  const now = isDate ? [localDay, seconds, wholeDays] : [seconds, { name: 'plus', argument: 0 }]
  const shift: LiquidFilter = {
    name: operator === 'inLast' ? 'minus' : 'plus',
    argument: isDate ? days : days * day,
  }
  const bound = (sign: Comparison, filtersOfNow: readonly LiquidFilter[]): Expression => ({
    left: { value: { column }, filters },
    operator: sign,
    right: { value: { constant: 'now' }, filters: filtersOfNow },
  })
  return joined(
    'all',
    compare(column, [], '!=', null),
    bound('>=', operator === 'inLast' ? [...now, shift] : now),
    bound('<=', operator === 'inLast' ? now : [...now, shift]),
  )
}

function compare(
  column: string,
  filters: readonly LiquidFilter[],
  operator: Comparison,
  constant: string | number | boolean | null,
): Expression {
  return {
    left: { value: { column }, filters },
    operator,
    right: { value: { constant }, filters: [] },
  }
}

/** Makes a column comparable with the constant of its type. */
function filtersOf(type: FieldType): readonly LiquidFilter[] {
  if (type === 'email') return [downcase]
  return type === 'datetime' ? [localDay] : []
}

function constantOf(type: FieldType, value: unknown): string | number | boolean | null {
  switch (type) {
    case 'int':
    case 'decimal': {
      const number = numberOf(value)
      return number === null || (type === 'int' && !Number.isInteger(number)) ? null : number
    }
    case 'bool':
      if (value === true || value === 'true' || value === 1 || value === '1') return true
      return value === false || value === 'false' || value === 0 || value === '0' ? false : null
    case 'date':
    case 'datetime':
      return dayOf(type, value)
    case 'email':
      return addressOf(value)
    default:
      return textOf(value)
  }
}

function textOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' && text.isWellFormed() && !text.includes(mark) ? text : null
}

/** Segments compare internationalised addresses in a normal form that Liquid has no filter for. */
function addressOf(value: unknown): string | null {
  const text = textOf(value)?.toLowerCase()
  return text !== undefined && /^[\x21-\x7e]+$/.test(text) && !text.includes('xn--') ? text : null
}

function numberOf(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
  // Liquid has no exponents.
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(String(number)) ? number + 0 : null
}

/** A time of day cannot be compared: the rule builder has days only. */
function dayOf(type: 'date' | 'datetime', value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = type === 'date' ? value.trim().slice(0, 10) : value.trim()
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text.startsWith('0000')) return null
  const time = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text) ? text : null
}

function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string') return value.split(',').map(part => part.trim())
  return value === undefined || value === null ? [] : [value]
}
