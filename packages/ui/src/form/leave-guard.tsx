import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { confirm } from '../feedback/confirm.tsx'
import { useTranslate } from '../i18n.tsx'

export interface LeaveGuardProps {
  isOn: boolean
  /** Asked at the moment of leaving: after saving nothing is unsaved although nothing was drawn anew yet. */
  isDirty: () => boolean
}

/** Asks before the page is left with something unsaved. A change of the same page's search is no leaving. */
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
