import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { confirm } from '../feedback/confirm.tsx'
import { useTranslate } from '../words.tsx'

export interface LeaveGuardProps {
  isOn: boolean
  /** Asked at the moment of leaving: after saving nothing is unsaved although nothing was drawn anew yet. */
  isDirty: () => boolean
}

/** Asks before the page is left with something unsaved. A change of the same page's search is no leaving. */
export function LeaveGuard({ isOn, isDirty }: LeaveGuardProps): ReactNode {
  const say = useTranslate()
  useBlocker({
    disabled: !isOn,
    enableBeforeUnload: isDirty,
    shouldBlockFn: async ({ current, next }) => {
      if (!isDirty() || current.pathname === next.pathname) return false
      const leaves = await confirm({
        title: say('form.leave_title'),
        text: say('form.leave_text'),
        confirmLabel: say('form.leave_go'),
        cancelLabel: say('form.leave_stay'),
      })
      return !leaves
    },
  })
  return null
}
