import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { confirm } from '../feedback/confirm.tsx'
import { useTranslate } from '../i18n.tsx'

export interface LeaveGuardProps {
  isOn: boolean
  /** Called when leaving: right after saving, the form is clean before it has rendered again. */
  isDirty: () => boolean
}

/** Asks before a page with unsaved changes is left. Changes of its search parameters do not count. */
export function LeaveGuard({ isOn, isDirty }: LeaveGuardProps): ReactNode {
  const t = useTranslate()
  useBlocker({
    disabled: !isOn,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) => {
      if (!isDirty() || current.pathname === next.pathname) return false
      const leaves = await confirm({
        title: t('form.leave_title'),
        text: t('form.leave_text'),
        confirmLabel: t('form.leave_go'),
        cancelLabel: t('form.leave_stay'),
      })
      return !leaves
    },
  })
  return null
}
