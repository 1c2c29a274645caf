import { newColumnTypes } from '@emma/contract/resources/dataupload.ts'
import { NativeSelect, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { columnNameOf } from './column-name.ts'
import type { NewColumn } from '../uploads/file-columns.ts'

interface NewColumnFieldsProps {
  /** Name of the file's column. */
  name: string
  column: NewColumn
  fault: string | undefined
  onChange: (column: NewColumn) => void
}

/** Label, name and type of the new column that the datasource gets for a file's column. */
export function NewColumnFields({ name, column, fault, onChange }: NewColumnFieldsProps): ReactNode {
  const { t } = useTranslation()
  const label = (field: string) => t(`audience.column.${field}`)

  function rename(next: string): void {
    const follows = column.column_name === columnNameOf(column.label)
    onChange({ ...column, label: next, ...(follows ? { column_name: columnNameOf(next) } : {}) })
  }

  return (
    <Stack gap={4} mt={4} role="group" aria-label={t('audience.dataupload.new_column', { name })}>
      <TextInput
        size="xs"
        aria-label={`${name}: ${label('label')}`}
        placeholder={label('label')}
        value={column.label}
        maxLength={255}
        onChange={event => rename(event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        aria-label={`${name}: ${label('column_name')}`}
        placeholder={label('column_name')}
        value={column.column_name}
        maxLength={63}
        error={fault}
        onChange={event => onChange({ ...column, column_name: event.currentTarget.value.toLowerCase() })}
      />
      <NativeSelect
        size="xs"
        aria-label={`${name}: ${label('data_type')}`}
        value={column.data_type}
        data={newColumnTypes.map(value => ({ value, label: t(`audience.types.${value}`) }))}
        onChange={event => {
          const data_type = newColumnTypes.find(known => known === event.currentTarget.value)
          if (data_type) onChange({ ...column, data_type })
        }}
      />
    </Stack>
  )
}
