import { hasCondition } from '@emma/contract/conditions/write-condition.ts'
import { operatorsOf } from '@emma/contract/rules.ts'
import type { RuleField } from '@emma/ui/rules/rule-field.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { columnRuleFields } from '../../../shell/resource/column-rule-fields.ts'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'

/** Fields that conditions of a template can compare, and their types. */
export interface ConditionFields {
  fields: readonly RuleField[]
  columns: ReadonlyMap<string, Exclude<RuleField['type'], 'events'>>
}

/**
 * Fields of the datasource of the preview. Without one, those of all datasources: a template belongs to none of them,
 * and a column with the same name is the same placeholder.
 */
export function useConditionFields(memberTableId: number | null): ConditionFields {
  const { t } = useTranslation()
  const { data: datasources } = useDatasources()
  return useMemo(() => {
    const chosen = (datasources ?? []).filter(
      one => memberTableId === null || one.member_table_id === memberTableId,
    )
    const fields = new Map<string, RuleField>()
    const columns = new Map<string, Exclude<RuleField['type'], 'events'>>()
    for (const field of chosen.flatMap(one => columnRuleFields(one, t))) {
      if (field.type === 'events' || fields.has(field.name)) continue
      fields.set(field.name, { ...field, operators: operatorsOf[field.type].filter(hasCondition) })
      columns.set(field.name, field.type)
    }
    return { fields: [...fields.values()], columns }
  }, [datasources, memberTableId, t])
}
