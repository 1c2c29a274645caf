import type { Resource } from '@emma/contract/define-resource.ts'
import type { RowAction } from '@emma/ui/list/list-parts.ts'
import { StatusBadge } from '@emma/ui/layout/status-badge.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { keyOf, patchRecord } from './record-calls.ts'
import { useRights } from '../session/use-rights.ts'

/** Badge "Active" or "Inactive". */
export function ActiveBadge({ isActive }: { isActive: boolean }): ReactNode {
  const { t } = useTranslation()
  return (
    <StatusBadge tone={isActive ? 'positive' : 'neutral'}>
      {t(isActive ? 'state.active' : 'state.inactive')}
    </StatusBadge>
  )
}

/** Row action "Activate" or "Deactivate" for resources with a writable field `active`. No action without the permission. */
export function useActiveSwitch(resource: Resource): (row: object) => RowAction[] {
  const { t } = useTranslation()
  const { mayChange } = useRights(resource)
  if (!mayChange || !('active' in resource.fields) || resource.readOnly.includes('active')) return () => []
  return row => {
    const isActive = Reflect.get(row, 'active') === true
    const revision = Number(Reflect.get(row, 'revision'))
    return [
      {
        id: 'active',
        label: t(isActive ? 'action.deactivate' : 'action.activate'),
        run: async () =>
          void (await patchRecord(resource, keyOf(resource, row), { active: !isActive }, revision)),
      },
    ]
  }
}
