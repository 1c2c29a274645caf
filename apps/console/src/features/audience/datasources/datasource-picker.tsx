import { Select } from '@emma/ui/select/select.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Datasource } from '../members/use-member-table.ts'

interface DatasourcePickerProps {
  datasources: readonly Datasource[]
  value: number | null
  onChange: (memberTableId: number) => void
  isDisabled?: boolean
}

/** Select of a datasource by name. */
export function DatasourcePicker({
  datasources,
  value,
  onChange,
  isDisabled = false,
}: DatasourcePickerProps): ReactNode {
  const { t } = useTranslation()
  const options = datasources.map(({ member_table_id, name }) => ({ value: member_table_id, label: name }))
  return (
    <div style={{ width: 240, maxWidth: '100%' }}>
      <Select
        label={t('audience.datasource')}
        placeholder={t('audience.datasource')}
        options={options}
        value={value}
        onChange={chosen => chosen !== null && onChange(chosen)}
        isClearable={false}
        isDisabled={isDisabled}
      />
    </div>
  )
}
