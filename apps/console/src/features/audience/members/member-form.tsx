import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import { ChoiceField } from '@emma/ui/form/fields/choice-field.tsx'
import { DateField, DateTimeField } from '@emma/ui/form/fields/date-time-field.tsx'
import { TextAreaField, TextField } from '@emma/ui/form/fields/text-field.tsx'
import { isEmailAddress } from '@emma/ui/form/form-reading.ts'
import { FormSection, RecordForm } from '@emma/ui/form/record-form.tsx'
import type { RecordForm as Form } from '@emma/ui/form/use-record-form.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { columnLabel } from '../../../shell/resource/column-label.ts'
import { useResourceForm } from '../../../shell/resource/use-resource-form.ts'
import type { Member } from './member-columns.tsx'
import { membersOf } from './members-of.ts'
import type { Datasource } from './use-member-table.ts'

/** All values as strings, as in files: the server parses them by the column's type. */
type Values = Record<string, string | null>

const writable = new Set(['email', 'source'])

interface MemberFormProps {
  datasource: Datasource
  record: Member | null
}

/** Form with one field per column of the datasource. */
export function MemberForm({ datasource, record }: MemberFormProps): ReactNode {
  const { t } = useTranslation()
  const table = datasource.member_table_id
  const columns = datasource.emmamembertableschema.filter(
    column => !column.is_fixed || writable.has(column.column_name),
  )
  const own = columns.filter(column => !column.is_fixed)
  const member = membersOf(datasource)
  const form = useResourceForm(member, record, {
    name: `member.${table}`,
    fields: [],
    required: columns.filter(column => !column.nullable).map(column => column.column_name),
    labels: Object.fromEntries(columns.map(column => [column.column_name, columnLabel(column, t)])),
    toValues: (_, stored): Values => valuesOf(columns, stored),
    toBody: emptyAsNull,
    validate: ({ email }) => ({
      email: email && !isEmailAddress(email) ? t('audience.member.email_fault') : null,
    }),
    listSearch: { table },
  })
  return (
    <RecordForm form={form}>
      <FormSection
        title={t('audience.member.sections.address')}
        description={t('audience.member.sections.address_text')}
      >
        <TextField form={form} name="email" type="email" maxLength={254} />
        <TextField form={form} name="source" description={t('audience.member.source_hint')} maxLength={255} />
      </FormSection>
      {own.length > 0 && (
        <FormSection
          title={t('audience.member.sections.data')}
          description={t('audience.member.sections.data_text', { name: datasource.name })}
        >
          {own.map(column => (
            <ColumnField key={column.column_name} form={form} column={column} />
          ))}
        </FormSection>
      )}
    </RecordForm>
  )
}

const truths: readonly { value: string; label: string }[] = [
  { value: 'true', label: 'audience.yes' },
  { value: 'false', label: 'audience.no' },
  { value: '', label: 'audience.unknown' },
]

/** The input for a column's type. */
function ColumnField({ form, column }: { form: Form<Values>; column: MemberColumn }): ReactNode {
  const { t } = useTranslation()
  const { column_name: name, data_type: type } = column
  switch (type) {
    case 'enum':
      return (
        <ChoiceField
          form={form}
          name={name}
          emptyLabel="–"
          choices={column.options.map(option => ({ value: option, label: option }))}
        />
      )
    case 'bool':
      return (
        <ChoiceField
          form={form}
          name={name}
          look="segments"
          choices={truths.map(({ value, label }) => ({ value, label: t(label) }))}
        />
      )
    case 'date':
      return <DateField form={form} name={name} />
    case 'datetime':
      return <DateTimeField form={form} name={name} />
    case 'text':
      return <TextAreaField form={form} name={name} />
    case 'string':
      return <TextField form={form} name={name} maxLength={column.length ?? 255} />
    default:
      return <TextField form={form} name={name} />
  }
}

function valuesOf(columns: readonly MemberColumn[], record: Member | null): Values {
  return Object.fromEntries(
    columns.map(({ column_name: name, data_type: type }) => {
      const value: unknown = record ? Reflect.get(record, name) : null
      if (value === null || value === undefined) return [name, type === 'bool' ? '' : null]
      return [name, textOf(value)]
    }),
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function emptyAsNull(values: Partial<Values>): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === '' ? null : (value ?? null)]),
  )
}
