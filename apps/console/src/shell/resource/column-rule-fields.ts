import type { RecordOf } from '@emma/client/emma-client.ts'
import type { membertable } from '@emma/contract/resources/membertable.ts'
import type { RuleField } from '@emma/ui/rules/rule-field.ts'
import type { TFunction } from 'i18next'
import { columnLabel, optionLabel } from './column-label.ts'

/** Fields of rules over the columns of a datasource, the client's own ones first. */
export function columnRuleFields(
  datasource: Pick<RecordOf<typeof membertable>, 'emmamembertableschema'>,
  t: TFunction,
): RuleField[] {
  const columns = datasource.emmamembertableschema.filter(column => column.is_filterable)
  const [own, fixed] = [columns.filter(one => !one.is_fixed), columns.filter(one => one.is_fixed)]
  return [...own, ...fixed].map(column => ({
    name: column.column_name,
    label: columnLabel(column, t),
    type: column.data_type,
    ...(column.data_type === 'enum'
      ? { options: column.options.map(value => ({ value, label: optionLabel(column, value, t) })) }
      : {}),
  }))
}
