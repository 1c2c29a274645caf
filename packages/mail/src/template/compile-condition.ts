import { type Token, TypeGuards, type Value } from 'liquidjs'
import type { MergeData } from '../segments.ts'
import { compileFilters, compileOperand, type Getter, spentOn } from './compile-output.ts'
import type { Engine } from './liquid-engine.ts'

/**
 * Compiles `member.city == "Berlin" and member.age > 17` to a closure with the semantics of liquidjs (undefined, null
 * and false are falsy, everything else is truthy), or returns null for what only liquidjs can evaluate.
 */
export function compileCondition(engine: Engine, value: Value): ((data: MergeData) => boolean) | null {
  if (value.filters.length > 0) return null
  const result = compileExpression(engine, value)
  return typeof result === 'function' ? data => isTruthy(result(data)) : null
}

function compileExpression(
  engine: Engine,
  { initial: { postfix } }: Pick<Value, 'initial'>,
): Getter | SpecialWord | null {
  if (postfix.length > MAX_COMPILED_TERMS) return null
  const operands: (Getter | SpecialWord)[] = []
  for (const token of postfix) {
    const compiled = TypeGuards.isOperatorToken(token)
      ? compileOperator(token.operator, operands)
      : operandOf(engine, token)
    if (!compiled) return null
    operands.push(compiled)
  }
  const [result, ...more] = operands
  return more.length > 0 ? null : (result ?? null)
}

/** Each term nests a call: longer conditions are left to liquidjs, which evaluates them iteratively. */
const MAX_COMPILED_TERMS = 200

/** `nil`, `empty` and `blank` are special only in comparisons. */
type SpecialWord = 'nil' | 'empty' | 'blank'

function operandOf(engine: Engine, token: Token): Getter | SpecialWord | null {
  if (TypeGuards.isFilteredValueToken(token)) {
    const value = compileExpression(engine, token)
    return typeof value === 'function' ? compileFilters(engine, value, token.filters) : null
  }
  if (!TypeGuards.isLiteralToken(token)) return compileOperand(token)
  switch (token.literal) {
    case 'nil':
    case 'null':
      return 'nil'
    case 'empty':
    case 'blank':
      return token.literal
    default:
      return compileOperand(token)
  }
}

function compileOperator(operator: string, operands: (Getter | SpecialWord)[]): Getter | null {
  const right = operands.pop()
  if (operator === 'not') return typeof right === 'function' ? data => !isTruthy(right(data)) : null
  const left = operands.pop()
  if (!left || !right) return null
  if (operator === '==' || operator === '!=') return compileEquality(left, right, operator === '!=')
  if (typeof left !== 'function' || typeof right !== 'function') return null
  switch (operator) {
    case 'and':
      return data => isTruthy(left(data)) && isTruthy(right(data))
    case 'or':
      return data => isTruthy(left(data)) || isTruthy(right(data))
    case '>':
      return data => comparable(spentOn(left(data))) > comparable(spentOn(right(data)))
    case '<':
      return data => comparable(spentOn(left(data))) < comparable(spentOn(right(data)))
    case '>=':
      return data => comparable(spentOn(left(data))) >= comparable(spentOn(right(data)))
    case '<=':
      return data => comparable(spentOn(left(data))) <= comparable(spentOn(right(data)))
    default:
      return null
  }
}

function compileEquality(
  left: Getter | SpecialWord,
  right: Getter | SpecialWord,
  negated: boolean,
): Getter | null {
  if (typeof left !== 'function') {
    // Comparing two special words is left to liquidjs.
    return typeof right === 'function' ? compileEquality(right, left, negated) : null
  }
  if (typeof right !== 'function') return data => matches(spentOn(left(data)), right) !== negated
  return data => equals(spentOn(left(data)), spentOn(right(data))) !== negated
}

function equals(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, index) => equals(one, right[index]))
  }
  return left === right
}

function matches(value: unknown, word: SpecialWord): boolean {
  if (word === 'nil') return value === null || value === undefined
  if (word === 'blank') {
    if (value === false || value === null || value === undefined) return true
    if (typeof value === 'string') return /^\s*$/.test(value)
  }
  if (typeof value === 'string') return value === ''
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** Compares like JavaScript: two strings by code unit, otherwise as numbers; NaN compares to nothing. */
function comparable(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value
  if (Array.isArray(value)) return value.join(',')
  if (typeof value === 'object' && value !== null) return '[object Object]'
  return value === null || typeof value === 'boolean' ? Number(value) : Number.NaN
}

function isTruthy(value: unknown): boolean {
  return value !== false && value !== null && value !== undefined
}
