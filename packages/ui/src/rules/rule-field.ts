import type { FieldType, MatchMode, Operator } from '@emma/contract/rules.ts'
import { operatorsOf } from '@emma/contract/rules.ts'
import type { SelectSource } from '../select/select-source.ts'

export interface RuleFieldOption {
  value: string | number
  label: string
}

/** Something a rule can be about. */
export interface RuleField {
  name: string
  label: string
  /** `events`: behaviour; the rule asks how often events happened that satisfy `eventFields`. */
  type: FieldType | 'events'
  /** Of an `enum`. */
  options?: readonly RuleFieldOption[]
  /** Values that are chosen from records, e.g. campaigns. */
  source?: SelectSource<number>
  /** Of `events`: what the events can be narrowed by. */
  eventFields?: readonly RuleField[]
}

export type RuleValue = string | number | boolean | null

/** How a value is put in. */
export type EditorKind = 'none' | 'text' | 'number' | 'days' | 'day' | 'bool' | 'choice' | 'record'

/** The comparisons a field knows; behaviour has none but the plain one. */
export function operatorsOfField(field: RuleField): readonly Operator[] {
  return field.type === 'events' ? ['='] : operatorsOf[field.type]
}

/** Match modes with a number of times; it is 1 when nothing was said (R288). */
export function needsThreshold(mode: MatchMode): boolean {
  return mode === 'atLeast' || mode === 'atMost' || mode === 'exactly'
}

const withoutValue: readonly Operator[] = ['null', 'notNull']
const withPair: readonly Operator[] = ['between', 'notBetween']
const withList: readonly Operator[] = ['in', 'notIn']
const withDays: readonly Operator[] = ['inLast', 'notInLast', 'inNext', 'anniversary']

/** How many values a comparison takes (R287): none, one, a pair, or any number. */
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

/** The value a rule begins with. */
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
 * The value after another comparison was chosen: kept where it still makes sense, otherwise begun anew. A single
 * value becomes the first of a list or a pair, and back.
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

/** One value or several, as a list without empty ones; text is separated by commas (R289). */
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

/** Both ends of a pair, empty where nothing stands yet. */
export function asPair(value: unknown): [RuleValue, RuleValue] {
  const parts: unknown[] = Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : []
  const [first, second] = parts.map(part =>
    typeof part === 'string' || typeof part === 'number' ? part : '',
  )
  return [first ?? '', second ?? '']
}

/** A pair in order: one put in the wrong way round is swapped (R287). */
export function orderedPair([first, second]: [RuleValue, RuleValue]): [RuleValue, RuleValue] {
  if (first === '' || second === '' || first === null || second === null) return [first, second]
  return first > second ? [second, first] : [first, second]
}
