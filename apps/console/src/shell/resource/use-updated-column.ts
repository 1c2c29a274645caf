import type { Column } from '@emma/ui/list/list-parts.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useTranslation } from 'react-i18next'

/** When a record was changed last: the last column of many lists, where there is room. */
export function useUpdatedColumn(): Column<{ updated_at: string }> {
  const { t } = useTranslation()
  const format = useFormat()
  return {
    id: 'updated_at',
    header: t('field.updated_at'),
    sort: 'updated_at',
    width: 170,
    wideOnly: true,
    cell: row => format.dateTime(row.updated_at),
  }
}
