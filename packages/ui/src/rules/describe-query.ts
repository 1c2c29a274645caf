import type { Operator, Rule, RuleGroup } from '@emma/contract/rules.ts'
import type { Format } from '../format.ts'
import type { Translate, MessageKey } from '../i18n.tsx'
import {
  type RuleField,
  arityOf,
  asPair,
  asValues,
  editorKind,
  needsThreshold,
  orderedPair,
} from './rule-field.ts'

export interface DescribeOptions {
  fields: readonly RuleField[]
  t: Translate
  format: Pick<Format, 'date' | 'number' | 'list'>
  /** Returns the name of a record by its id, e.g. a campaign's. */
  recordName?: (field: RuleField, value: string | number) => string | undefined
}

/** Describes the query as a sentence: "Country is Germany and Opened: never, where Time is …". */
export function describeQuery(query: RuleGroup, options: DescribeOptions): string {
  return describeGroup(query, options, true)
}

function describeGroup(group: RuleGroup, options: DescribeOptions, isOutermost: boolean): string {
  const { t } = options
  const parts = group.rules.map(entry =>
    'rules' in entry ? describeGroup(entry, options, false) : describeRule(entry, options),
  )
  if (parts.length === 0)
    return group.not ? `${t('sentence.not')} (${t('rules.everyone')})` : t('rules.everyone')
  const joined = join(parts, group, t)
  if (group.not) return `${t('sentence.not')} (${joined})`
  return isOutermost || parts.length === 1 ? joined : `(${joined})`
}

function join(parts: readonly string[], group: RuleGroup, t: Translate): string {
  if (parts.length === 1) return parts[0] ?? ''
  if (group.combinator === 'xor') return `${t('rules.xor')}: ${parts.join('; ')}`
  return parts.join(` ${t(group.combinator === 'and' ? 'sentence.and' : 'sentence.or')} `)
}

function describeRule(rule: Rule, options: DescribeOptions): string {
  const { fields, t } = options
  const field = fields.find(known => known.name === rule.field)
  if (!field) return t('rules.unknown_field', { name: rule.field })
  if (field.type === 'events') return describeBehaviour(rule, field, options)
  const words = [field.label, t(operatorKey(field, rule.operator))]
  const value = describeValue(rule, field, options)
  return value === '' ? words.join(' ') : `${words.join(' ')} ${value}`
}

function describeBehaviour(rule: Rule, field: RuleField, options: DescribeOptions): string {
  const { t, format } = options
  const mode = rule.match?.mode ?? 'some'
  const often = needsThreshold(mode)
    ? `${t(`match.${mode}`)} ${format.number(rule.match?.threshold ?? 1)} ${t('rules.times')}`
    : t(`match.${mode}`)
  const events = isGroup(rule.value) && rule.value.rules.length > 0 ? rule.value : null
  if (!events) return `${field.label}: ${often}`
  const where = describeGroup(events, { ...options, fields: field.eventFields ?? [] }, false)
  return `${field.label}: ${often}, ${t('rules.where')} ${where}`
}

function describeValue(rule: Rule, field: RuleField, options: DescribeOptions): string {
  const { t, format } = options
  const kind = editorKind(field, rule.operator)
  if (kind === 'none') return ''
  const show = (value: unknown) => describeOne(value, field, options)
  if (kind === 'days') return `${show(rule.value)} ${t('rules.days')}`
  const arity = arityOf(rule.operator)
  if (arity === 2) {
    const [from, to] = orderedPair(asPair(rule.value))
    return format.list([show(from), show(to)])
  }
  if (arity === 'many') {
    const values = asValues(rule.value).map(show)
    return values.length === 0 ? '…' : format.list(values, 'or')
  }
  return show(rule.value)
}

function describeOne(value: unknown, field: RuleField, options: DescribeOptions): string {
  const { t, format, recordName } = options
  if (value === null || value === undefined || value === '') return '…'
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  if (typeof value !== 'string' && typeof value !== 'number') return '…'
  const option = field.options?.find(known => String(known.value) === String(value))
  if (option) return option.label
  if (field.source) return recordName?.(field, value) ?? `#${value}`
  if (typeof value === 'number') return format.number(value)
  if ((field.type === 'date' || field.type === 'datetime') && /^\d{4}-\d{2}-\d{2}/.test(value)) {
    return format.date(`${value.slice(0, 10)}T12:00:00`)
  }
  return t('sentence.text', { text: value })
}

/** Text key of an operator; times use before and after instead of less and greater. */
export function operatorKey(field: RuleField, operator: Operator): MessageKey {
  const isTime = field.type === 'date' || field.type === 'datetime'
  if (isTime && (operator === '<' || operator === '>' || operator === '<=' || operator === '>=')) {
    return `op.date.${operator}`
  }
  return `op.${operator}`
}

function isGroup(value: Rule['value']): value is RuleGroup {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
