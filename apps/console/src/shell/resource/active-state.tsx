import type { RecordOf } from '@emma/client/emma-client.ts'
import type { Resource } from '@emma/contract/define-resource.ts'
import type { Column, RowAction } from '@emma/ui/list/list-parts.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { keyOf, patchRecord } from './record-calls.ts'
import { useRights } from '../session/use-rights.ts'

/** Says whether a record is in use. */
export function ActiveBadge({ isActive }: { isActive: boolean }): ReactNode {
  const { t } = useTranslation()
  return (
    <StatusBadge tone={isActive ? 'positive' : 'neutral'}>
      {t(isActive ? 'state.active' : 'state.inactive')}
    </StatusBadge>
  )
}

/** The column that shows it. */
export function useActiveColumn(): Column<{ active: boolean }> {
  const { t } = useTranslation()
  return {
    id: 'active',
    header: t('field.active'),
    sort: 'active',
    width: 110,
    cell: row => <ActiveBadge isActive={row.active} />,
  }
}

/** "Activate" and "Deactivate" for the rows of a list. Nothing for people without the right. */
export function useActiveSwitch<R extends Resource>(
  resource: R,
): (row: RecordOf<R> & { active: boolean; revision: number }) => RowAction[] {
  const { t } = useTranslation()
  const { mayChange } = useRights(resource)
  return row => {
    const label = t(row.active ? 'action.deactivate' : 'action.activate')
    const run = async () => {
      await patchRecord<Resource>(resource, keyOf(resource, row), { active: !row.active }, row.revision)
    }
    return mayChange ? [{ id: 'active', label, run }] : []
  }
}
