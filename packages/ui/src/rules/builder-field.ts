import type { FullField } from 'react-querybuilder'
import type { RuleField } from './rule-field.ts'

/** A field as react-querybuilder keeps it; ours travels along in it. */
export function toBuilderField(field: RuleField): FullField {
  return {
    name: field.name,
    value: field.name,
    label: field.label,
    ruleField: field,
    ...(field.eventFields ? { subproperties: field.eventFields.map(toBuilderField) } : {}),
  }
}

/** Our field of one of react-querybuilder's; a stranger (a column that is gone) counts as text. */
export function ruleFieldOf(fieldData: FullField): RuleField {
  const field: unknown = fieldData.ruleField
  return isRuleField(field) ? field : { name: fieldData.name, label: fieldData.label, type: 'string' }
}

function isRuleField(value: unknown): value is RuleField {
  return typeof value === 'object' && value !== null && 'name' in value && 'label' in value && 'type' in value
}
