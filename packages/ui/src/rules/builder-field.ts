import type { FullField } from 'react-querybuilder'
import type { RuleField } from './rule-field.ts'

/** Converts a field to one of react-querybuilder; the original is kept in it. */
export function toBuilderField(field: RuleField): FullField {
  return {
    name: field.name,
    value: field.name,
    label: field.label,
    ruleField: field,
    ...(field.eventFields ? { subproperties: field.eventFields.map(toBuilderField) } : {}),
  }
}

/** The original field; an unknown one (a removed column) counts as text. */
export function ruleFieldOf(fieldData: FullField): RuleField {
  const field: unknown = fieldData.ruleField
  return isRuleField(field) ? field : { name: fieldData.name, label: fieldData.label, type: 'string' }
}

function isRuleField(value: unknown): value is RuleField {
  return typeof value === 'object' && value !== null && 'name' in value && 'label' in value && 'type' in value
}
