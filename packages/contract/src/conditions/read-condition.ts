import {
  type FieldType,
  maximumDepth,
  type Operator,
  operatorsOf,
  type Rule,
  type RuleGroup,
} from '../rules.ts'
import { type Expression, parseExpression, printExpression } from './liquid-expression.ts'
import { type ConditionColumns, expressionOf } from './write-condition.ts'

/**
 * Reads a condition of Liquid as rules.
 * @returns null if rules cannot say exactly the same
 */
export function readCondition(text: string, columns: ConditionColumns): RuleGroup | null {
  const expression = parseExpression(text)
  if (!expression) return null
  const read = entryOf(expression, columns, 0)
  if (!read) return null
  const query: RuleGroup = 'rules' in read ? read : { combinator: 'and', rules: [read] }
  const written = expressionOf(query, columns)
  const isSame =
    written !== null && written !== 'unknown' && printExpression(written) === printExpression(expression)
  return isSame ? query : null
}

type Entry = Rule | RuleGroup

function entryOf(expression: Expression, columns: ConditionColumns, depth: number): Entry | null {
  if (depth > maximumDepth) return null
  const rule = ruleOf(expression, columns)
  if (rule) return rule
  if ('not' in expression) {
    const inside = entryOf(expression.not, columns, depth + 1)
    if (!inside) return null
    return 'rules' in inside && !inside.not
      ? { ...inside, not: true }
      : { combinator: 'and', not: true, rules: [inside] }
  }
  if ('left' in expression) return null
  const isAll = 'all' in expression
  const rules = entriesOf(isAll ? expression.all : expression.any, isAll, columns, depth)
  return rules && { combinator: isAll ? 'and' : 'or', rules }
}

/** Longest rules first: "has a value and is less than" is one rule, and so is a choice of several values. */
function entriesOf(
  parts: readonly Expression[],
  isAll: boolean,
  columns: ConditionColumns,
  depth: number,
): Entry[] | null {
  const entries: Entry[] = []
  for (let at = 0; at < parts.length; ) {
    const longest = [3, 2].find(
      count => at + count <= parts.length && isAll && ruleOf({ all: parts.slice(at, at + count) }, columns),
    )
    const count = longest ?? 1
    const part = parts[at]
    const entry = longest
      ? ruleOf({ all: parts.slice(at, at + count) }, columns)
      : part && entryOf(part, columns, depth + 1)
    if (!entry) return null
    entries.push(entry)
    at += count
  }
  return entries
}

/** Finds the rule that is written as a condition: one of few candidates. */
function ruleOf(expression: Expression, columns: ConditionColumns): Rule | null {
  const isNegated = 'not' in expression
  const inside = isNegated ? expression.not : expression
  const comparisons = leavesOf(inside)
  const [first] = comparisons ?? []
  if (!comparisons || !first || !('column' in first.left.value)) return null
  const field = first.left.value.column
  const type = columns.get(field)
  if (type === undefined) return null
  const text = printExpression(expression)
  const matches = (rule: Rule) => {
    const written = expressionOf({ combinator: 'and', rules: [rule] }, columns)
    return written !== null && written !== 'unknown' && printExpression(written) === text
  }
  return candidates(field, type, comparisons).find(matches) ?? null
}

type Leaf = Extract<Expression, { left: unknown }>

function leavesOf(expression: Expression): Leaf[] | null {
  if ('left' in expression) return [expression]
  if ('not' in expression) return null
  const parts = 'all' in expression ? expression.all : expression.any
  const leaves = parts.filter(part => 'left' in part)
  return leaves.length === parts.length ? leaves : null
}

function candidates(field: string, type: FieldType, leaves: readonly Leaf[]): Rule[] {
  const constants = leaves.flatMap(({ right: { value, filters } }) =>
    'constant' in value && value.constant !== null && filters.length === 0 ? [value.constant] : [],
  )
  const [first] = constants
  const plain = typeof first === 'string' ? first.replaceAll('\0', '') : first
  const valueOf = (operator: Operator): Rule['value'] | undefined => {
    switch (operator) {
      case 'null':
      case 'notNull':
        return null
      case 'in':
      case 'notIn':
        return constants.length > 1 ? constants : undefined
      case 'between':
      case 'notBetween':
        return constants.length === 2 ? constants : undefined
      case 'inLast':
      case 'notInLast':
      case 'inNext':
        return daysIn(type, leaves)
      default:
        return plain
    }
  }
  return operatorsOf[type].flatMap((operator): Rule[] => {
    const value = valueOf(operator)
    return value === undefined ? [] : [{ field, operator, value }]
  })
}

/** Days between a bound and now. */
function daysIn(type: FieldType, leaves: readonly Leaf[]): number | undefined {
  const shifts = leaves.flatMap(({ right }) =>
    right.filters.filter(({ name, argument }) => (name === 'minus' || name === 'plus') && argument !== 0),
  )
  const amount = shifts[0]?.argument ?? 0
  if (typeof amount !== 'number') return undefined
  return type === 'date' ? amount : amount / 86_400
}
