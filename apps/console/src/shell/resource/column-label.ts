import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { TFunction } from 'i18next'

/** Name of a datasource's column: translated for fixed columns. */
export function columnLabel(column: MemberColumn, t: TFunction): string {
  return column.is_fixed ? t(`audience.member.fields.${column.column_name}`) : column.label
}

/** Label of an option: translated for fixed columns. */
export function optionLabel({ column_name: name }: MemberColumn, value: string, t: TFunction): string {
  return name === 'doi_state' ? t(`audience.member.doi_states.${value}`, { defaultValue: value }) : value
}
