import type { Rule } from '@emma/contract/rules.ts'
import type { MessageKey } from '../i18n.tsx'
import {
  type RuleField,
  arityOf,
  asPair,
  asValues,
  editorKind,
  needsThreshold,
  operatorsOfField,
} from './rule-field.ts'

export interface RuleFault {
  key: Extract<MessageKey, `rules.fault.${string}`>
  /** The value is missing: shown once the rule was left, not while it is being entered. */
  isMissing: boolean
}

const longestText = 1000

/** Fault of a single rule; null if it is valid. */
export function ruleFault(rule: Rule, field: RuleField): RuleFault | null {
  if (field.type === 'events') return thresholdFault(rule)
  if (!operatorsOfField(field).includes(rule.operator)) return wrong('rules.fault.operator')
  const arity = arityOf(rule.operator)
  if (arity === 0) return null
  const values: readonly unknown[] =
    arity === 2 ? asPair(rule.value) : arity === 'many' ? asValues(rule.value) : [rule.value]
  if (values.length === 0 || values.some(isNothing)) {
    return { key: arity === 2 ? 'rules.fault.pair' : 'rules.fault.missing', isMissing: true }
  }
  const kind = editorKind(field, rule.operator)
  return values.map(value => valueFault(value, field, kind)).find(fault => fault !== null) ?? null
}

function thresholdFault({ match }: Rule): RuleFault | null {
  if (!match || !needsThreshold(match.mode)) return null
  const { threshold = 1 } = match
  return Number.isFinite(threshold) && threshold >= 0 ? null : wrong('rules.fault.threshold')
}

function valueFault(value: unknown, field: RuleField, kind: ReturnType<typeof editorKind>): RuleFault | null {
  if (kind === 'days') return isWhole(value) && Number(value) >= 0 ? null : wrong('rules.fault.days')
  if (kind === 'number' && field.type === 'int' && !isWhole(value)) return wrong('rules.fault.whole')
  if (kind === 'number' && !Number.isFinite(Number(value))) return wrong('rules.fault.number')
  if (kind === 'day' && Number.isNaN(Date.parse(String(value)))) return wrong('rules.fault.day')
  return typeof value === 'string' && value.length > longestText ? wrong('rules.fault.long') : null
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '')
}

function isWhole(value: unknown): boolean {
  return Number.isInteger(Number(value))
}

function wrong(key: RuleFault['key']): RuleFault {
  return { key, isMissing: false }
}
