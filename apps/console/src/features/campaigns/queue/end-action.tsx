import { undoScdAction } from '@emma/contract/actions/scd-rules.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../shell/i18n/error-text.ts'
import { api } from '../../../shell/session/api.ts'
import { isSuperadmin, useSession } from '../../../shell/session/use-session.ts'

interface EndActionProps {
  /** Of the reply rule's action; null: there is none. */
  id: number | null
  /** What it is, for screen readers. */
  label: string | undefined
  onEnded: () => void
}

/** Button that ends a back-off or quarantine of a reply rule at once. Reply rules are the superadmins'. */
export function EndAction({ id, label, onEnded }: EndActionProps): ReactNode {
  const { t } = useTranslation()
  const mayEnd = isSuperadmin(useSession())
  const ending = useMutation({
    mutationFn: (actionId: number) => api.call(undoScdAction, { params: { id: actionId } }),
    onSuccess() {
      notify.success(t('campaigns.queue.ended'))
      onEnded()
    },
    onError: showError,
  })
  if (id === null || !mayEnd) return null
  const text = t('campaigns.queue.end')
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={ending.isPending}
      onClick={() => ending.mutate(id)}
      {...(label !== undefined && { 'aria-label': `${text}: ${label}` })}
    >
      {text}
    </Button>
  )
}
