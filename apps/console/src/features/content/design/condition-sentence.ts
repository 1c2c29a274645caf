import { readCondition } from '@emma/contract/conditions/read-condition.ts'
import { useFormat, useTranslate } from '@emma/ui/i18n.tsx'
import { describeQuery } from '@emma/ui/rules/describe-query.ts'
import type { ConditionFields } from './condition-fields.ts'

/** Describes conditions of Liquid as sentences; those that rules cannot express stay Liquid. */
export function useConditionSentence({ fields, columns }: ConditionFields): (condition: string) => string {
  const t = useTranslate()
  const format = useFormat()
  return condition => {
    const query = readCondition(condition, columns)
    return query ? describeQuery(query, { fields, t, format }) : condition
  }
}
