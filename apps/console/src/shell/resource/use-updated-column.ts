import type { Column } from '@emma/ui/list/list-parts.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { useTranslation } from 'react-i18next'

/** Column of the time of the last change; the last column of many lists. */
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
