import type { FieldType, MatchMode, Operator } from '@emma/contract/rules.ts'
import { operatorsOf } from '@emma/contract/rules.ts'
import type { SelectSource } from '../select/select-source.ts'

export interface RuleFieldOption {
  value: string | number
  label: string
}

/** A field that rules can use. */
export interface RuleField {
  name: string
  label: string
  /** `events`: behavior; the rule compares how often events matching `eventFields` occurred. */
  type: FieldType | 'events'
  /** By default those of the type. */
  operators?: readonly Operator[]
  /** Options of an `enum`. */
  options?: readonly RuleFieldOption[]
  /** Source of values that are records, e.g. campaigns. */
  source?: SelectSource<number>
  /** Fields of the events, for `events`. */
  eventFields?: readonly RuleField[]
}

export type RuleValue = string | number | boolean | null

/** Type of the value's input. */
export type EditorKind = 'none' | 'text' | 'number' | 'days' | 'day' | 'bool' | 'choice' | 'record'

/** Operators of a field; behavior has only `=`. */
export function operatorsOfField(field: RuleField): readonly Operator[] {
  return field.operators ?? (field.type === 'events' ? ['='] : operatorsOf[field.type])
}

/** True for match modes with a number of times; the default is 1 (R288). */
export function needsThreshold(mode: MatchMode): boolean {
  return mode === 'atLeast' || mode === 'atMost' || mode === 'exactly'
}

const withoutValue: readonly Operator[] = ['null', 'notNull']
const withPair: readonly Operator[] = ['between', 'notBetween']
const withList: readonly Operator[] = ['in', 'notIn']
const withDays: readonly Operator[] = ['inLast', 'notInLast', 'inNext', 'anniversary']

/** Number of values that an operator takes (R287): none, one, a pair, or any number. */
export function arityOf(operator: Operator): 0 | 1 | 2 | 'many' {
  if (withoutValue.includes(operator)) return 0
  if (withPair.includes(operator)) return 2
  return withList.includes(operator) ? 'many' : 1
}

export function editorKind(field: RuleField, operator: Operator): EditorKind {
  if (field.type === 'events' || arityOf(operator) === 0) return 'none'
  if (withDays.includes(operator)) return 'days'
  if (field.source) return 'record'
  switch (field.type) {
    case 'int':
    case 'decimal':
      return 'number'
    case 'bool':
      return 'bool'
    case 'date':
    case 'datetime':
      return 'day'
    case 'enum':
      return field.options ? 'choice' : 'text'
    default:
      return 'text'
  }
}

/** Initial value of a rule. */
export function firstValue(field: RuleField, operator: Operator): RuleValue | RuleValue[] {
  const arity = arityOf(operator)
  if (arity === 0) return null
  if (arity === 2) return ['', '']
  if (arity === 'many') return []
  switch (editorKind(field, operator)) {
    case 'days':
      return 30
    case 'bool':
      return true
    case 'choice':
      return field.options?.[0]?.value ?? ''
    default:
      return ''
  }
}

/**
 * The value after a change of the operator: kept if compatible, otherwise reset. A single value becomes the first of a
 * list or a pair, and vice versa.
 */
export function adaptValue(
  field: RuleField,
  from: Operator,
  to: Operator,
  value: unknown,
): RuleValue | RuleValue[] {
  if (editorKind(field, from) !== editorKind(field, to)) return firstValue(field, to)
  const values = asValues(value)
  const arity = arityOf(to)
  if (arity === 'many') return values
  if (arity === 2) return [values[0] ?? '', values[1] ?? '']
  return values[0] ?? firstValue(field, to)
}

/** Values as an array without empty ones; text is split at commas (R289). */
export function asValues(value: unknown): RuleValue[] {
  const parts: unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(',')
      : [value]
  return parts.flatMap((part): RuleValue[] => {
    if (typeof part === 'string') return part.trim() === '' ? [] : [part.trim()]
    return typeof part === 'number' || typeof part === 'boolean' ? [part] : []
  })
}

/** Both ends of a pair; missing ones are empty. */
export function asPair(value: unknown): [RuleValue, RuleValue] {
  const parts: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  const [first, second] = parts.map(part =>
    typeof part === 'string' || typeof part === 'number' ? part : '',
  )
  return [first ?? '', second ?? '']
}

/** Sorts a pair: a reversed one is swapped (R287). */
export function orderedPair([first, second]: [RuleValue, RuleValue]): [RuleValue, RuleValue] {
  if (first === '' || second === '' || first === null || second === null) return [first, second]
  return first > second ? [second, first] : [first, second]
}
